/**
 * The modules of `src` and what each may import: the one place where the layers are written down for a machine.
 * `npm run arch` enforces it; test/unit/architecture/layers.test.ts proves with planted violations that it sees.
 */
const path = require('node:path');

/** Modules in order. A module imports only modules above it, and of those only the ones named, through their entry points. */
const may = {
  domain: [],
  venue: ['domain'],
  strategy: ['domain'],
  risk: ['domain'],
  archive: ['domain'],
  feed: ['domain', 'venue', 'archive'],
  client: ['domain', 'venue', 'venue/wire'],
  simulator: ['domain', 'venue'],
  'local-exchange': ['domain', 'venue', 'venue/wire', 'simulator', 'archive', 'feed'],
  engine: ['domain', 'venue', 'strategy', 'risk'],
  journal: ['domain', 'engine'],
  live: ['domain', 'venue', 'feed', 'engine', 'journal'],
  determinism: ['domain', 'engine'],
  report: ['domain'],
  config: ['domain', 'simulator'],
  assembly: 'all above',
  bots: [
    'domain',
    'venue',
    'strategy',
    'archive',
    'client',
    'engine',
    'journal',
    'live',
    'determinism',
    'config',
    'assembly',
    'assembly/backtest',
  ],
  research: ['domain', 'archive', 'report', 'strategy', 'assembly/backtest'],
  run: [
    'domain',
    'venue',
    'strategy',
    'archive',
    'client',
    'engine',
    'live',
    'determinism',
    'report',
    'config',
    'assembly/backtest',
    'bots',
    'bots/control',
    'research',
  ],
  testing: [
    'domain',
    'venue',
    'strategy',
    'archive',
    'simulator',
    'engine',
    'config',
    'assembly/backtest',
    'research',
    'run',
  ],
  page: ['domain', 'report', 'research'],
  queue: ['domain', 'research'],
  cli: 'all above',
};

const names = Object.keys(may);
/** Modules with a second entry point, for who needs but a part of them. */
const seconds = {
  venue: 'venue/wire',
  assembly: 'assembly/backtest',
  bots: 'bots/control',
  research: 'research/ledger',
};
const entriesAbove = (module) =>
  names
    .slice(0, names.indexOf(module))
    .flatMap((above) => [above, ...(seconds[above] ? [seconds[above]] : [])]);
const entriesOf = (module) => (may[module] === 'all above' ? entriesAbove(module) : may[module]);
/** The plugin loader hands the public entry point to plugins; no other module has a use for it. */
const publicEntry = (module) => (module === 'assembly' ? ['^src/index\\.ts$'] : []);

const modules = names.map((module) => ({
  name: `${module}-imports`,
  comment: `${module} may import the entry points of: ${entriesOf(module).join(', ') || 'no other module'}`,
  severity: 'error',
  from: { path: `^src/${module}/` },
  to: {
    path: '^src/',
    pathNot: [
      `^src/${module}/`,
      ...publicEntry(module),
      ...entriesOf(module).map((to) => `^src/${to}/index\\.ts$`),
    ],
  },
}));

const packages = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];
const aRoom = `^src/(${names.join('|')})/`;
const node = (modules) => `^(node:)?(${modules.join('|')})(/|$)`;
const effects = node([
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'fs',
  'http',
  'http2',
  'https',
  'net',
  'os',
  'perf_hooks',
  'process',
  'readline',
  'timers',
  'tls',
  'worker_threads',
]);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...modules,
    {
      name: 'public-entry',
      comment:
        'src/index.ts is the public API for strategy authors: the entry points of strategy and domain',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(strategy|domain)/index\\.ts$' },
    },
    {
      name: 'known-modules',
      comment: 'a file in src belongs to a module of the table, or is the public entry point',
      severity: 'error',
      from: { path: '^src/', pathNot: [aRoom, '^src/index\\.ts$'] },
      to: {},
    },
    {
      name: 'no-own-entry',
      comment: 'inside a module, import the file itself, never the own entry point',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/$1/index\\.ts$' },
    },
    {
      name: 'no-modules-without-a-noun',
      comment:
        'code lives in the module of its noun: no utils, helpers, common, types or interfaces',
      severity: 'error',
      from: { path: '^(src|strategies)/' },
      to: {
        path: ['/(utils?|helpers?|common|types|interfaces)/', '/(utils?|helpers?|common)\\.ts$'],
        pathNot: '(^|/)node_modules/',
      },
    },
    {
      name: 'page-scripts-stand-alone',
      comment:
        'scripts of report pages run in a browser: of ours they know the types of the data they are given, and nothing else',
      severity: 'error',
      from: { path: '^src/page/browser/' },
      to: {
        path: ['^src/', '^node:', effects],
        pathNot: ['^src/page/browser/', '^src/page/page-data\\.ts$'],
      },
    },
    {
      name: 'page-data-by-type',
      comment: 'scripts of report pages share types alone with the program',
      severity: 'error',
      from: { path: '^src/page/browser/' },
      to: { path: '^src/page/page-data\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-scripts-are-bundled',
      comment:
        'the program reads the bundle of the scripts of report pages, and imports none of them',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/page/browser/' },
      to: { path: '^src/page/browser/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment:
        'nothing imports it and it imports nothing: dead, or forgotten. Entry points may still be empty',
      severity: 'error',
      from: { orphan: true, pathNot: ['(^|/)index\\.ts$', '\\.d\\.ts$', '^src/cli/main\\.ts$'] },
      to: {},
    },
    {
      name: 'domain-packages',
      comment: 'domain is built on nothing but decimal.js',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: {
        dependencyTypes: [...packages, 'core', 'unknown', 'undetermined'],
        pathNot: '(^|/)node_modules/decimal\\.js/',
      },
    },
    {
      name: 'pure-core',
      comment: 'domain, risk, report and page have no effects, no streams and no logger',
      severity: 'error',
      from: { path: '^src/(domain|risk|report|page)/' },
      to: { path: [effects, '(^|/)node_modules/(rxjs|pino|undici)/'] },
    },
    {
      name: 'engine-without-effects',
      comment:
        "the engine and a life of a bot do no I/O themselves: ports are handed to them, the journal alone writes files; the machine's time asks for uptime",
      severity: 'error',
      from: { path: '^src/(engine|live)/', pathNot: '^src/engine/system-time[.]ts$' },
      to: { path: [effects, '(^|/)node_modules/(pino|undici)/'] },
    },
    {
      name: 'sqlite-in-journal',
      comment:
        'an optional package, loaded on use: only journals and the state of the exchange know it',
      severity: 'error',
      from: {
        path: '^(src|strategies)/',
        pathNot: '^src/(journal|local-exchange/state)/',
      },
      to: { path: '(^|/)node_modules/(@types/)?better-sqlite3/|^better-sqlite3$' },
    },
    {
      name: 'redis-in-queue',
      comment: 'optional packages, loaded on use: only queue speaks to Redis',
      severity: 'error',
      from: { path: '^(src|strategies)/', pathNot: '^src/queue/' },
      to: { path: '(^|/)node_modules/(bullmq|ioredis)/|^(bullmq|ioredis)$' },
    },
    {
      name: 'undici-in-client',
      comment: 'only client speaks HTTP to a venue',
      severity: 'error',
      from: { path: '^(src|strategies)/', pathNot: '^src/client/' },
      to: { path: '(^|/)node_modules/undici/|^undici(/|$)' },
    },
    {
      name: 'strategies-use-the-public-entry',
      comment: 'a strategy imports the package by its name and its own files, nothing else of ours',
      severity: 'error',
      from: { path: '^strategies/([^/]+)/' },
      to: {
        path: '^(src|strategies|test|dist)/',
        pathNot: ['^src/index\\.ts$', '^strategies/$1/'],
      },
    },
    {
      name: 'source-stands-alone',
      comment: 'src never imports tests, strategies or its own output',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|strategies|dist|backtest|config)/' },
    },
    {
      name: 'declared-packages-only',
      comment:
        'src imports what package.json lists under dependencies, or as an optional peer; scripts of report pages are bundled with what they import',
      severity: 'error',
      from: { path: '^(src|strategies)/', pathNot: '^src/page/browser/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.join(__dirname, 'tsconfig.json') },
    combinedDependencies: true,
    enhancedResolveOptions: {
      conditionNames: ['types', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
