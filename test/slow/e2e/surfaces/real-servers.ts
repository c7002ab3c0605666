// Public servers whose lists depend on how they are started: what is installed, which combinations are tried, and how their tools become
// manifests of the pack in packs/<name>.
export interface Start {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A key that changes what a tool looks like: its values, what sets them, and what names the form. */
export interface Axis {
  readonly key: string;
  readonly values: readonly { readonly value: unknown; readonly words: readonly string[]; readonly form?: string }[];
}

export interface RealServer {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** In the package. */
  readonly main: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts that list all tools together, under some setting of the axes. */
  readonly whole: readonly Start[];
  readonly axes: readonly Axis[];
  /** The tag that the pack's server selects a tool by. */
  tagOf(tool: Tool): string;
  /** In every run; the first one is without anything. */
  readonly few: readonly Start[];
  /** In `npm run slow:conditions`. */
  readonly many: readonly Start[];
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

const words = (...flags: readonly string[]): Start => ({ words: flags });

function pairsOf<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other): readonly [T, T] => [one, other]));
}

function subsetsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_one, index) => (bits >> index) & 1));
}

/** Always the same ones. */
function samplesOf<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  let state = 7;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, () => all.filter(() => next() < 0.4));
}

const capabilities = ['vision', 'pdf', 'devtools', 'network', 'storage', 'testing', 'config'];
const toolsOfCapabilities: Readonly<Record<string, RegExp>> = {
  vision: /_mouse_/,
  pdf: /_pdf_/,
  network: /_network_state_set$|_route|_unroute$/,
  storage: /_cookie_|_storage_state$|storage_|_set_storage/,
  testing: /_generate_locator$|_verify_/,
  config: /_get_config$/,
  devtools: /_resume$|highlight$|_annotate$|_recording$|_tracing$|_video/,
};

const playwright: RealServer = {
  name: 'playwright',
  package: '@playwright/mcp',
  version: '0.0.83',
  main: 'cli.js',
  whole: [words(`--caps=${capabilities.join(',')}`)],
  axes: [],
  tagOf: ({ name }) => capabilities.find(one => toolsOfCapabilities[one]?.test(name)) ?? 'core',
  few: [
    words(),
    ...capabilities.map(one => words(`--caps=${one}`)),
    ...pairsOf(['vision', 'pdf', 'devtools']).map(pair => words(`--caps=${pair.join(',')}`)),
    words('--caps', 'vision,pdf,devtools'),
    words(`--caps=${capabilities.join(',')}`),
    { env: { PLAYWRIGHT_MCP_CAPS: 'pdf,vision' } },
    { words: ['--caps=pdf'], env: { PLAYWRIGHT_MCP_CAPS: 'vision' } },
  ],
  many: subsetsOf(capabilities).map(set => (set.length === 0 ? words() : words(`--caps=${set.join(',')}`))),
};

const [allowed, readOnly, harmless] = [
  'ALLOWED_TOOLS',
  'ALLOW_ONLY_READONLY_TOOLS',
  'ALLOW_ONLY_NON_DESTRUCTIVE_TOOLS',
] as const;
const reading =
  /^(kubectl_get|kubectl_describe|kubectl_logs|kubectl_context|explain_resource|list_api_resources|ping)$/;
const destroying = /^(kubectl_delete|uninstall_helm_chart|cleanup|kubectl_generic|node_management)$/;

const kubernetes: RealServer = {
  name: 'kubernetes',
  package: 'mcp-server-kubernetes',
  // Later ones bring 100 MB of OpenTelemetry along.
  version: '2.9.6',
  main: 'dist/index.js',
  whole: [{}],
  axes: [],
  tagOf: ({ name }) => (reading.test(name) ? 'read' : destroying.test(name) ? 'destroy' : 'change'),
  few: [
    {},
    { env: { [readOnly]: 'true' } },
    { env: { [harmless]: 'true' } },
    { env: { [readOnly]: 'true', [harmless]: 'true' } },
    { env: { [allowed]: 'kubectl_get, ping' } },
    { env: { [allowed]: 'kubectl_delete,kubectl_get', [readOnly]: 'true' } },
    { env: { [allowed]: 'cleanup', [harmless]: 'true' } },
    { env: { [allowed]: 'no_such_tool' } },
  ],
  many: [undefined, 'ping', 'kubectl_get,kubectl_delete,kubectl_apply', 'cleanup,exec_in_pod'].flatMap(names =>
    ['false', 'true'].flatMap(read =>
      ['false', 'true'].map(safe => ({
        env: { ...(names !== undefined && { [allowed]: names }), [readOnly]: read, [harmless]: safe },
      })),
    ),
  ),
};

const off = [
  ...['input', 'navigation', 'emulation', 'performance', 'network', 'debugging', 'memory'].map(
    one => `--no-category-${one}`,
  ),
  '--no-javascript-evaluation',
  '--no-page-id-routing',
];
const on = [
  ...['extensions', 'experimental-third-party', 'experimental-webmcp', 'pwa'].map(one => `--category-${one}`),
  '--experimental-vision',
  '--memory-debugging',
  '--experimental-screencast',
];
const chromeFlags = [...off, ...on, '--slim', '--screenshot-format=jpeg', '--screenshot-format=webp'];

const chrome: RealServer = {
  name: 'chrome-devtools',
  package: 'chrome-devtools-mcp',
  version: '1.11.0',
  main: 'build/src/bin/chrome-devtools-mcp.js',
  env: { CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS: '1', CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
  whole: [
    words(...on.filter(one => one !== '--category-extensions' && one !== '--experimental-screencast')),
    words('--slim'),
  ],
  axes: [
    {
      key: 'CATEGORY_EXTENSIONS',
      values: [
        { value: false, words: [] },
        { value: true, words: ['--category-extensions'], form: 'extensions' },
      ],
    },
    {
      key: 'JAVASCRIPT_EVALUATION',
      values: [
        { value: true, words: [] },
        { value: false, words: ['--no-javascript-evaluation'], form: 'no-script' },
      ],
    },
    {
      key: 'EXPERIMENTAL_SCREENCAST',
      values: [
        { value: false, words: [] },
        { value: true, words: ['--experimental-screencast'], form: 'ffmpeg' },
      ],
    },
    {
      key: 'SCREENSHOT_FORMAT',
      values: [
        { value: 'png', words: [] },
        { value: 'jpeg', words: ['--screenshot-format=jpeg'], form: 'jpeg' },
        { value: 'webp', words: ['--screenshot-format=webp'], form: 'webp' },
      ],
    },
    {
      key: 'PAGE_ID_ROUTING',
      values: [
        { value: true, words: [] },
        { value: false, words: ['--no-page-id-routing'], form: 'unrouted' },
      ],
    },
  ],
  tagOf({ name, annotations }) {
    if (name === 'navigate' || name === 'screenshot' || name === 'evaluate') return `slim-${name}`;
    if (name === 'evaluate_script') return 'script';
    if (name === 'click_at') return 'vision';
    if (name.includes('heapsnapshot') && name !== 'take_heapsnapshot') return 'heap';
    return String(annotations?.['category']);
  },
  few: [
    words(),
    ...chromeFlags.map(one => words(one)),
    words(...off),
    words(...on),
    words(...off, ...on),
    words('--slim', '--no-javascript-evaluation'),
    words('--slim', '--no-category-navigation'),
    words('--memory-debugging', '--no-category-memory'),
    words('--category-extensions', '--no-page-id-routing'),
    words('--no-javascript-evaluation', '--no-page-id-routing'),
    words('--screenshot-format=webp', '--no-page-id-routing'),
    words('--experimental-vision', '--no-category-input'),
  ],
  many: [
    ...pairsOf(chromeFlags.filter(one => one !== '--screenshot-format=webp')).map(pair => words(...pair)),
    ...samplesOf(chromeFlags.slice(0, -1), 100).map(set => words(...set)),
  ],
};

export const realServers: readonly RealServer[] = [playwright, kubernetes, chrome];
