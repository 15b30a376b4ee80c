/**
 * The rooms of `src` and what each may import: the one place where the layers are written down for a machine.
 * `npm run arch` enforces it; test/unit/architecture/layers.test.ts proves with planted violations that it sees.
 */
const path = require('node:path');

/** Rooms in order. A room imports only rooms above it, and of those only the ones named, through their doors. */
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
  runtime: ['domain', 'venue', 'strategy', 'risk', 'feed'],
  report: ['domain'],
  assembly: 'all above',
  research: ['domain', 'archive', 'report', 'strategy', 'assembly'],
  dashboard: ['domain', 'report', 'runtime'],
  cli: 'all above',
};

const names = Object.keys(may);
/** Rooms with a second door, for who needs but a part of them. */
const seconds = { venue: 'venue/wire', assembly: 'assembly/backtest' };
const doorsAbove = (room) =>
  names
    .slice(0, names.indexOf(room))
    .flatMap((above) => [above, ...(seconds[above] ? [seconds[above]] : [])]);
const doorsOf = (room) => (may[room] === 'all above' ? doorsAbove(room) : may[room]);
/** The plugin loader hands the public door to plugins; no other room has a use for it. */
const publicDoor = (room) => (room === 'assembly' ? ['^src/index\\.ts$'] : []);

const rooms = names.map((room) => ({
  name: `${room}-imports`,
  comment: `${room} may import the doors of: ${doorsOf(room).join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: [
      `^src/${room}/`,
      ...publicDoor(room),
      ...doorsOf(room).map((to) => `^src/${to}/index\\.ts$`),
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
    ...rooms,
    {
      name: 'public-door',
      comment:
        'src/index.ts is the public API for strategy authors: the doors of strategy and domain',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(strategy|domain)/index\\.ts$' },
    },
    {
      name: 'known-rooms',
      comment: 'a file in src belongs to a room of the table, or is the public door',
      severity: 'error',
      from: { path: '^src/', pathNot: [aRoom, '^src/index\\.ts$'] },
      to: {},
    },
    {
      name: 'no-own-door',
      comment: 'inside a room, import the file itself, never the own door',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/$1/index\\.ts$' },
    },
    {
      name: 'no-rooms-without-a-noun',
      comment: 'code lives in the room of its noun: no utils, helpers, common, types or interfaces',
      severity: 'error',
      from: { path: '^(src|strategies)/' },
      to: {
        path: ['/(utils?|helpers?|common|types|interfaces)/', '/(utils?|helpers?|common)\\.ts$'],
        pathNot: '(^|/)node_modules/',
      },
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
        'nothing imports it and it imports nothing: dead, or forgotten. Doors may still be empty',
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
      comment: 'domain, risk and report have no effects, no streams and no logger',
      severity: 'error',
      from: { path: '^src/(domain|risk|report)/' },
      to: { path: [effects, '(^|/)node_modules/(rxjs|pino|undici)/'] },
    },
    {
      name: 'engine-without-effects',
      comment: 'the engine does no I/O: of runtime, only the journal reads and writes files',
      severity: 'error',
      from: { path: '^src/runtime/', pathNot: '^src/runtime/journal/' },
      to: { path: [effects, '(^|/)node_modules/(pino|undici)/'] },
    },
    {
      name: 'sqlite-in-journal',
      comment:
        'an optional package, loaded on use: only journals and the state of the exchange know it',
      severity: 'error',
      from: {
        path: '^(src|strategies)/',
        pathNot: '^src/(runtime/journal|local-exchange/state)/',
      },
      to: { path: '(^|/)node_modules/(@types/)?better-sqlite3/|^better-sqlite3$' },
    },
    {
      name: 'undici-in-client',
      comment: 'only client speaks HTTP to a venue',
      severity: 'error',
      from: { path: '^(src|strategies)/', pathNot: '^src/client/' },
      to: { path: '(^|/)node_modules/undici/|^undici(/|$)' },
    },
    {
      name: 'strategies-use-the-public-door',
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
      comment: 'src imports what package.json lists under dependencies',
      severity: 'error',
      from: { path: '^(src|strategies)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
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
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
