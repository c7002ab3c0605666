// A few answers of the API on loopback, so that examples and demonstrations need no network and change nothing that is real.
// `node stand-in.mjs` listens until it is ended; `node stand-in.mjs toolwright test` runs a command beside it and ends with it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const token = 'a-token-for-tests';
const site = 'https://git.example.com/greenhouse/watering';

/** What the repository has. Every start begins with this, and forgets what was changed. */
const repository = {
  full_name: 'greenhouse/watering',
  description: 'Opens valves',
  default_branch: 'main',
  language: 'JavaScript',
  private: false,
  archived: false,
  stargazers_count: 7,
  open_issues_count: 2,
  html_url: site,
};
const branches = [
  { name: 'main', commit: { sha: 'c0ffee1' }, protected: true },
  { name: 'rain', commit: { sha: 'c0ffee3' }, protected: false },
];
const commits = [
  { sha: 'c0ffee1', commit: { message: 'Open the valve', author: { name: 'Ada', date: '2026-03-01T08:00:00Z' } } },
];
const files = {
  main: {
    'README.md': '# Watering\n',
    'logo.png': Buffer.from('iVBORw0KGgo=', 'base64'),
    'src/water.js': 'open(valve);\n',
  },
  rain: { 'README.md': '# Watering\n', 'src/water.js': 'open(valve);\nif (raining) close(valve);\n' },
};
const issues = [
  issue({ number: 1, title: 'Valve 2 leaks', body: 'It drips at night.', login: 'ada', labels: ['valve'] }),
  issue({ number: 2, title: 'Water the herbs, too', login: 'grace', state: 'closed' }),
  issue({ number: 3, title: 'Stop when it rains', body: 'Asks the weather first.', login: 'grace', kind: 'pull' }),
];
const comments = [comment({ id: 101, number: 1, body: 'I see it too.', login: 'grace' })];
const pull = {
  ...{ draft: false, mergeable: true, merged: false, changed_files: 1 },
  ...{ head: { ref: 'rain', sha: 'c0ffee3' }, base: { ref: 'main', sha: 'c0ffee1' } },
};
const patch = '@@ -1,1 +1,2 @@\n open(valve);\n+if (raining) close(valve);';
const changes = [{ filename: 'src/water.js', status: 'modified', additions: 1, deletions: 0, patch }];

function issue({ number, title, body = null, login, state = 'open', labels = [], kind = 'issues' }) {
  const html_url = `${site}/${kind}/${number}`;
  return {
    ...{ number, title, body, state, html_url, user: { login } },
    labels: labels.map(name => ({ name })),
    comments: number === 1 ? 1 : 0,
    created_at: `2026-03-0${number}T09:00:00Z`,
    updated_at: number === 1 ? '2026-03-02T09:00:00Z' : `2026-03-0${number}T09:00:00Z`,
    closed_at: state === 'open' ? null : '2026-03-04T09:00:00Z',
    ...(kind === 'pull' ? { pull_request: { html_url } } : {}),
  };
}

function comment({ id, number, body, login }) {
  const html_url = `${site}/issues/${number}#issuecomment-${id}`;
  return { id, number, body, html_url, user: { login }, created_at: '2026-03-02T09:00:00Z' };
}

/** A status and what is said with it. */
class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const found = value => {
  if (value === undefined) throw new Refusal(404, 'Not Found');
  return value;
};
const issueOf = number => found(issues.find(one => one.number === Number(number)));
const pullOf = number => ({ ...found(issues.find(one => one.pull_request && one.number === Number(number))), ...pull });
const pageOf = (list, query) => {
  const size = Number(query.get('per_page') ?? 30);
  return list.slice((Number(query.get('page') ?? 1) - 1) * size).slice(0, size);
};

function listIssues({ query }) {
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').filter(name => name !== '');
  const creator = query.get('creator');
  const wanted = issues.filter(
    one =>
      (state === 'all' || one.state === state) &&
      (creator === null || one.user.login === creator) &&
      labels.every(name => one.labels.some(label => label.name === name)),
  );
  return pageOf(wanted.toReversed(), query);
}

function createIssue({ body: { title, body = null, labels = [] } }) {
  const names = labels.map(label => label.name ?? label);
  const made = issue({ number: issues.length + 1, title, body, login: 'ada', labels: names });
  issues.push(made);
  return [201, made];
}

function createComment({ ids: [number], body: { body } }) {
  issueOf(number).comments += 1;
  const made = comment({ id: 101 + comments.length, number: Number(number), body, login: 'ada' });
  comments.push(made);
  return [201, made];
}

function listComments({ ids: [number], query }) {
  return pageOf(
    comments.filter(one => one.number === issueOf(number).number),
    query,
  );
}

function listPulls({ query }) {
  const state = query.get('state') ?? 'open';
  const pulls = issues.filter(one => one.pull_request).map(({ number }) => pullOf(number));
  return pageOf(
    pulls.filter(one => state === 'all' || one.state === state),
    query,
  );
}

/** There are two branches, and a pull request for them. */
function createPull() {
  throw new Refusal(422, 'A pull request already exists for greenhouse:rain.');
}

function merge({ ids: [number], body: { sha } = {} }) {
  const { head, merged } = pullOf(number);
  if (merged) throw new Refusal(405, 'Pull Request is not mergeable');
  if (sha !== undefined && sha !== head.sha) throw new Refusal(409, 'Head branch was modified.');
  Object.assign(pull, { merged: true, mergeable: null });
  Object.assign(issueOf(number), { state: 'closed', closed_at: '2026-03-05T09:00:00Z' });
  return { merged: true, message: 'Pull Request successfully merged', sha: 'c0ffee4' };
}

function contents({ ids: [path = ''], query }) {
  const tree = found(files[query.get('ref') ?? 'main']);
  const text = tree[path];
  if (text !== undefined)
    return { path, type: 'file', encoding: 'base64', content: Buffer.from(text).toString('base64') };
  const start = path === '' ? '' : `${path}/`;
  const below = Object.keys(tree).filter(name => name.startsWith(start));
  if (below.length === 0) return found(undefined);
  const rests = below.map(name => name.slice(start.length));
  const names = [...new Set(rests.map(rest => rest.split('/')[0]))];
  return names.map(name => ({ path: start + name, type: rests.includes(name) ? 'file' : 'dir' }));
}

/** Words of the question, of which every one has to be there; qualifiers that the stand-in knows. */
function search(list, textOf, { query }) {
  const words = (query.get('q') ?? '').split(' ').filter(word => word !== '');
  const of = name => words.find(word => word.startsWith(`${name}:`))?.slice(name.length + 1);
  const plain = words.filter(word => !word.includes(':'));
  const isHere = [undefined, repository.full_name].includes(of('repo'));
  const items = list.filter(
    one =>
      isHere &&
      [undefined, one.state].includes(of('state')) &&
      [undefined, one.pull_request === undefined ? 'issue' : 'pull-request'].includes(of('is')) &&
      plain.every(word => textOf(one).toLowerCase().includes(word.toLowerCase())),
  );
  return { total_count: items.length, incomplete_results: false, items: pageOf(items, query) };
}

const codeFiles = Object.entries(files.main).map(([path, text]) => ({
  ...{ path, name: path.split('/').at(-1), text: String(text), repository, html_url: `${site}/blob/main/${path}` },
}));

const repo = '/repos/greenhouse/watering';
const routes = [
  ['GET', repo, () => repository],
  ['GET', `${repo}/branches`, ({ query }) => pageOf(branches, query)],
  ['GET', `${repo}/commits`, ({ query }) => pageOf(commits, query)],
  ['GET', `${repo}/contents`, contents],
  ['GET', `${repo}/contents/(.+)`, contents],
  ['GET', `${repo}/issues`, listIssues],
  ['POST', `${repo}/issues`, createIssue],
  ['GET', `${repo}/issues/(\\d+)`, ({ ids: [number] }) => issueOf(number)],
  ['PATCH', `${repo}/issues/(\\d+)`, ({ ids: [number], body }) => Object.assign(issueOf(number), body)],
  ['GET', `${repo}/issues/(\\d+)/comments`, listComments],
  ['POST', `${repo}/issues/(\\d+)/comments`, createComment],
  ['GET', `${repo}/pulls`, listPulls],
  ['POST', `${repo}/pulls`, createPull],
  ['GET', `${repo}/pulls/(\\d+)`, ({ ids: [number] }) => pullOf(number)],
  ['GET', `${repo}/pulls/(\\d+)/files`, ({ ids: [number], query }) => pullOf(number) && pageOf(changes, query)],
  ['PUT', `${repo}/pulls/(\\d+)/merge`, merge],
  ['GET', '/search/code', request => search(codeFiles, ({ text }) => text, request)],
  ['GET', '/search/issues', request => search(issues, ({ title, body }) => `${title} ${body}`, request)],
  ['GET', '/search/repositories', request => search([repository], ({ full_name }) => full_name, request)],
].map(([method, path, answer]) => ({ method, path: new RegExp(`^${path}$`), answer }));

async function answer(request) {
  const { pathname, searchParams: query } = new URL(request.url, 'http://stand-in');
  if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, 'Bad credentials');
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  const body = text === '' ? undefined : JSON.parse(text);
  for (const route of routes) {
    const ids = route.method === request.method && route.path.exec(pathname)?.slice(1).map(decodeURIComponent);
    if (ids) return route.answer({ ids, query, body });
  }
  return found(undefined);
}

const server = createServer((request, response) => {
  const send = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
  answer(request).then(
    value => (Array.isArray(value) && Number.isInteger(value[0]) ? send(...value) : send(200, value)),
    error => send(error.status ?? 500, { message: error.message }),
  );
});

const [command, ...words] = process.argv.slice(2);
server.listen(command === undefined ? 4008 : 0, '127.0.0.1', () => {
  const GITHUB_URL = `http://127.0.0.1:${server.address().port}`;
  const variables = { GITHUB_URL, GITHUB_ADDRESSES: 'loopback', GITHUB_TOKEN: token };
  if (command === undefined) {
    for (const [name, value] of Object.entries(variables)) console.log(`export ${name}=${value}`);
    return;
  }
  const options = { stdio: 'inherit', env: { ...process.env, ...variables }, shell: process.platform === 'win32' };
  const child = spawn(command, words, options);
  child.on('error', error => console.error(error.message));
  child.on('close', code => {
    process.exitCode = code ?? 1;
    server.close();
    server.closeAllConnections();
  });
});
