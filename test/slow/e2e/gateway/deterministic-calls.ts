// At least twenty calls for each public server whose answers are the same every time. Where one has something random in it, `plain` takes that
// out, and nothing else.
import { join } from 'node:path';

export type Step = readonly [method: string, params: Readonly<Record<string, unknown>>];

export interface Plan {
  readonly steps: readonly Step[];
  /** Of results as JSON. */
  plain?(text: string): string;
}

export interface Place {
  readonly folder: string;
  /** A page on loopback. */
  readonly page: string;
}

const call = (name: string, args: object = {}): Step => ['tools/call', { name, arguments: args }];
const prompt = (name: string, args: object = {}): Step => ['prompts/get', { name, arguments: args }];
const read = (uri: string): Step => ['resources/read', { uri }];

const documents = ['architecture', 'extension', 'features', 'how-it-works', 'instructions', 'startup', 'structure'];
const gzipped = { name: 'a.gz', data: 'data:text/plain;base64,aGVsbG8=', outputType: 'resource' };

const everything: Plan = {
  steps: [
    call('echo', { message: 'hello' }),
    call('echo', { message: 'ü "quoted"\n\u2028 \u0000 😀' }),
    call('echo', { message: 'x'.repeat(100_000) }),
    call('get-sum', { a: 2, b: 0.5 }),
    call('get-sum', { a: -1e300, b: 1e-300 }),
    ...['error', 'success', 'debug'].map(messageType => call('get-annotated-message', { messageType })),
    call('get-annotated-message', { messageType: 'success', includeImage: true }),
    call('get-resource-links'),
    call('get-resource-links', { count: 10 }),
    call('get-resource-reference', { resourceType: 'Text', resourceId: 3 }),
    call('get-resource-reference', { resourceType: 'Blob', resourceId: 4 }),
    call('get-resource-reference', { resourceId: -1 }),
    ...['New York', 'Chicago', 'Los Angeles'].map(location => call('get-structured-content', { location })),
    call('get-tiny-image'),
    call('gzip-file-as-resource', gzipped),
    call('gzip-file-as-resource', { ...gzipped, data: 'https://no.such.host.invalid/x' }),
    call('trigger-long-running-operation', { duration: 0.2, steps: 4 }),
    call('get-roots-list'),
    call('trigger-elicitation-request'),
    call('trigger-sampling-request', { prompt: 'Say something', maxTokens: 7 }),
    call('simulate-research-query', { topic: 'tea' }),
    prompt('simple-prompt'),
    prompt('args-prompt', { city: 'Bern' }),
    prompt('args-prompt', { city: 'Bern', state: 'BE' }),
    prompt('completable-prompt', { department: 'Sales', name: 'David' }),
    prompt('resource-prompt', { resourceType: 'Text', resourceId: '2' }),
    prompt('resource-prompt', { resourceType: 'Nonsense', resourceId: '2' }),
    ...documents.map(name => read(`demo://resource/static/document/${name}.md`)),
    read('demo://resource/dynamic/text/7'),
    read('demo://resource/dynamic/blob/7'),
    read('demo://resource/dynamic/text/seven'),
  ],
  // Resources that it makes up say when; a blob says it in base64.
  plain: text =>
    text.replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, 'now').replaceAll(/"blob":"([^"]*)"/g, (_, blob: string) => {
      const said = Buffer.from(blob, 'base64').toString('latin1');
      return `"blob":${JSON.stringify(said.replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, 'now'))}`;
    }),
};

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function filesystem({ folder }: Place): Plan {
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const notes = at('notes.txt');
  const letter = at('letters', 'first.md');
  return {
    steps: [
      call('list_allowed_directories'),
      call('read_text_file', { path: notes }),
      call('read_text_file', { path: notes, head: 1 }),
      call('read_text_file', { path: notes, tail: 2 }),
      call('read_text_file', { path: notes, head: 1, tail: 1 }),
      call('read_file', { path: notes }),
      call('create_directory', { path: at('letters', 'old') }),
      call('write_file', { path: letter, content: '# Dear Ada\n\nÜmläuts & "quotes"\n' }),
      call('read_text_file', { path: letter }),
      call('edit_file', { path: letter, edits: [{ oldText: 'Ada', newText: 'Bob' }], dryRun: true }),
      call('edit_file', { path: letter, edits: [{ oldText: 'Ada', newText: 'Bob' }] }),
      call('edit_file', { path: letter, edits: [{ oldText: 'nowhere', newText: 'x' }] }),
      call('read_multiple_files', { paths: [notes, letter, at('missing.txt')] }),
      call('list_directory', { path: folder }),
      call('list_directory_with_sizes', { path: folder, sortBy: 'size' }),
      call('directory_tree', { path: folder }),
      call('directory_tree', { path: folder, excludePatterns: ['old'] }),
      call('search_files', { path: folder, pattern: '**/*.md' }),
      call('search_files', { path: folder, pattern: '**', excludePatterns: ['letters/**'] }),
      call('move_file', { source: letter, destination: at('letters', 'old', 'first.md') }),
      call('move_file', { source: letter, destination: notes }),
      call('get_file_info', { path: notes }),
      call('write_file', { path: at('dot.png'), content: Buffer.from(png, 'base64').toString('latin1') }),
      call('read_media_file', { path: at('dot.png') }),
      call('read_text_file', { path: at('missing.txt') }),
      call('read_text_file', { path: '/etc/passwd' }),
      call('read_text_file', { path: at('..', '..', 'secret') }),
      call('list_directory', { path: at('letters', 'old') }),
    ],
    // When the files of this run were made.
    plain: text => text.replaceAll(/[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} [\d:]+ GMT[^"\\]*/g, 'a time'),
  };
}

const entity = (name: string, ...observations: readonly string[]): object => ({
  name,
  entityType: 'thing',
  observations,
});
const relation = (from: string, to: string): object => ({ from, to, relationType: 'knows' });

const memory: Plan = {
  steps: [
    call('read_graph'),
    call('create_entities', { entities: [entity('Ann', 'likes tea'), entity('Zoë 😀', 'line\nbreak', '"quoted"')] }),
    call('create_entities', { entities: [entity('Ann', 'again'), entity('Acme')] }),
    call('create_entities', { entities: [] }),
    call('create_relations', { relations: [relation('Ann', 'Acme'), relation('Ann', 'Acme')] }),
    call('create_relations', { relations: [relation('Nobody', 'Acme')] }),
    call('add_observations', { observations: [{ entityName: 'Ann', contents: ['tall', 'likes tea'] }] }),
    call('add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }),
    call('read_graph'),
    call('search_nodes', { query: 'tea' }),
    call('search_nodes', { query: '' }),
    call('search_nodes', { query: 'nothing has this' }),
    call('open_nodes', { names: ['Ann', 'Zoë 😀'] }),
    call('open_nodes', { names: [] }),
    read('memory://knowledge-graph'),
    call('delete_observations', { deletions: [{ entityName: 'Ann', observations: ['tall', 'unknown'] }] }),
    call('delete_observations', { deletions: [{ entityName: 'Nobody', observations: ['x'] }] }),
    call('open_nodes', { names: ['Ann'] }),
    call('delete_relations', { relations: [relation('Ann', 'Acme'), relation('no', 'one')] }),
    call('read_graph'),
    call('delete_entities', { entityNames: ['Acme', 'nobody'] }),
    call('delete_entities', { entityNames: [] }),
    call('read_graph'),
  ],
};

function playwright({ page }: Place): Plan {
  return {
    steps: [
      call('browser_tabs', { action: 'list' }),
      call('browser_navigate', { url: page }),
      call('browser_snapshot'),
      call('browser_evaluate', { function: '() => document.title' }),
      call('browser_evaluate', {
        function: '() => ({ a: [1, null, "ü"], b: document.querySelectorAll("li").length })',
      }),
      call('browser_evaluate', { function: '() => { throw new Error("no") }' }),
      call('browser_resize', { width: 800, height: 600 }),
      call('browser_evaluate', { function: '() => [innerWidth, innerHeight]' }),
      call('browser_type', { target: '#name', element: 'Name', text: 'Ada' }),
      call('browser_evaluate', { function: '() => document.querySelector("#name").value' }),
      call('browser_press_key', { key: 'X' }),
      call('browser_evaluate', { function: '() => document.querySelector("#name").value' }),
      call('browser_click', { target: '#greet', element: 'Greet' }),
      call('browser_snapshot'),
      call('browser_click', { target: '#missing', element: 'Missing' }),
      call('browser_select_option', { target: '#size', element: 'Size', values: ['M'] }),
      call('browser_hover', { target: '#greet', element: 'Greet' }),
      call('browser_find', { text: 'apples' }),
      call('browser_wait_for', { text: 'Hello' }),
      call('browser_tabs', { action: 'new' }),
      call('browser_navigate', { url: `${page}second` }),
      call('browser_navigate_back'),
      call('browser_tabs', { action: 'list' }),
      call('browser_tabs', { action: 'close', index: 1 }),
      call('browser_emulate_media', { colorScheme: 'dark' }),
      call('browser_evaluate', { function: '() => matchMedia("(prefers-color-scheme: dark)").matches' }),
      // Its schema requires the scale, which the server itself does without.
      call('browser_take_screenshot', { type: 'png', scale: 'css' }),
      call('browser_close'),
    ],
    // Files are named after the moment.
    plain: text => text.replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, 'now'),
  };
}

function chrome({ page }: Place): Plan {
  return {
    steps: [
      call('list_pages'),
      call('navigate_page', { pageId: 1, type: 'url', url: page }),
      call('take_snapshot', { pageId: 1 }),
      call('evaluate_script', { pageId: 1, function: '() => document.title' }),
      call('evaluate_script', { pageId: 1, function: '() => ({ a: [1, null, "ü"], b: 2 })' }),
      call('evaluate_script', { pageId: 1, function: '() => { throw new Error("no") }' }),
      call('resize_page', { pageId: 1, width: 800, height: 600 }),
      call('evaluate_script', { pageId: 1, function: '() => document.querySelectorAll("li").length' }),
      call('wait_for', { pageId: 1, text: ['apples'] }),
      call('list_console_messages', { pageId: 1 }),
      call('get_console_message', { pageId: 1, msgid: 1 }),
      call('list_network_requests', { pageId: 1 }),
      call('new_page', { url: `${page}second` }),
      call('list_pages'),
      call('take_snapshot', { pageId: 2 }),
      call('navigate_page', { pageId: 2, type: 'reload' }),
      call('navigate_page', { pageId: 2, type: 'back' }),
      call('select_page', { pageId: 1 }),
      call('close_page', { pageId: 2 }),
      call('close_page', { pageId: 1 }),
      call('emulate', { pageId: 1, colorScheme: 'dark' }),
      call('evaluate_script', { pageId: 1, function: '() => matchMedia("(prefers-color-scheme: dark)").matches' }),
      call('press_key', { pageId: 1, key: 'Tab' }),
      call('click', { pageId: 1, uid: 'no_such_uid' }),
      call('take_screenshot', { pageId: 1, format: 'png' }),
      call('list_pages'),
    ],
  };
}

export function planOf(name: string, place: Place): Plan {
  switch (name) {
    case 'everything':
      return everything;
    case 'filesystem':
      return filesystem(place);
    case 'memory':
      return memory;
    case 'playwright':
      return playwright(place);
    case 'chrome-devtools':
      return chrome(place);
    default:
      throw new Error(`no calls for ${name}`);
  }
}
