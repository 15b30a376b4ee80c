import type { Tree } from './planted-tree.js';

/** A defect, its file, the text of the file, and the report of the violation. */
export type Planted = readonly [defect: string, file: string, text: string, report: string];

/** A small tree that keeps every rule of the layers. */
export const CLEAN: Tree = {
  'src/domain/index.ts': "export { tick } from './tick.js';",
  'src/domain/tick.ts':
    "import { Decimal } from 'decimal.js';\nexport const tick = new Decimal('0.01');",
  'src/venue/index.ts': "export type { Port } from './port.js';",
  'src/venue/port.ts':
    "import type { tick } from '../domain/index.js';\nexport interface Port { tick: typeof tick }",
  'src/venue/wire/index.ts': "export { endpoint } from './endpoint.js';",
  'src/venue/wire/endpoint.ts':
    "import type { Port } from '../port.js';\nexport const endpoint: Port | undefined = undefined;",
  'src/strategy/index.ts': "export { Strategy } from './strategy.js';",
  'src/strategy/strategy.ts':
    "import { tick } from '../domain/index.js';\nexport class Strategy { tick = tick }",
  'src/archive/index.ts': "export { read } from './read.js';",
  'src/archive/read.ts':
    "import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync('x');",
  'src/feed/index.ts': "export { poll } from './poll.js';",
  'src/feed/poll.ts':
    "import type { Port } from '../venue/index.js';\nexport const poll = (port: Port) => port;",
  'src/client/index.ts': "export { get } from './get.js';",
  'src/client/get.ts':
    "import { request } from 'undici';\nimport { endpoint } from '../venue/wire/index.js';\nexport const get = () => [request, endpoint];",
  'src/simulator/index.ts': "export { simulate } from './simulate.js';",
  'src/simulator/simulate.ts':
    "import type { Port } from '../venue/index.js';\nexport const simulate = (port: Port) => port;",
  'src/engine/index.ts': "export { engine } from './engine.js';",
  'src/engine/engine.ts':
    "import { Strategy } from '../strategy/index.js';\nexport const engine = () => new Strategy();",
  'src/journal/index.ts': "export { rows } from './rows.js';",
  'src/journal/rows.ts':
    "import { readFileSync } from 'node:fs';\nimport { engine } from '../engine/index.js';\nexport const rows = () => [engine, readFileSync('x'), import('better-sqlite3')];",
  'src/live/index.ts': "export { live } from './bot.js';",
  'src/live/bot.ts':
    "import { engine } from '../engine/index.js';\nimport { rows } from '../journal/index.js';\nexport const live = () => [engine, rows];",
  'src/determinism/index.ts': "export { compare } from './compare.js';",
  'src/determinism/compare.ts':
    "import { engine } from '../engine/index.js';\nexport const compare = engine;",
  'src/page/index.ts': "export type { PageData } from './page-data.js';",
  'src/page/page-data.ts':
    'export interface PageData { readonly kind: string }\nexport const data = 1;',
  'src/page/browser/view.ts':
    "import type { PageData } from '../page-data.js';\nexport const view = (data: PageData) => data;",
  'src/cli/main.ts':
    "import '../client/index.js';\nimport '../simulator/index.js';\nimport '../live/index.js';\nimport '../determinism/index.js';\nimport '../archive/index.js';",
  'src/index.ts':
    "export { Strategy } from './strategy/index.js';\nexport { tick } from './domain/index.js';",
  'strategies/hold/hold.strategy.ts':
    "import { Strategy } from '../../src/index.js';\nexport class Hold extends Strategy {}",
};

/** One broken rule each. */
export const PLANTED: readonly Planted[] = [
  [
    'a script of report pages that imports the program',
    'src/page/browser/deep.tsx',
    "import { tick } from '../../domain/index.js';\nexport const deep = tick;",
    'page-scripts-stand-alone: src/page/browser/deep.tsx → src/domain/index.ts',
  ],
  [
    'a script of report pages that imports Node',
    'src/page/browser/node.tsx',
    "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;",
    'page-scripts-stand-alone: src/page/browser/node.tsx → fs',
  ],
  [
    'the program that imports a script of report pages',
    'src/page/write.ts',
    "import { view } from './browser/view.js';\nexport const write = view;",
    'page-scripts-are-bundled: src/page/write.ts → src/page/browser/view.ts',
  ],
  [
    'a script of report pages that runs what makes its data',
    'src/page/browser/run.tsx',
    "import { data } from '../page-data.js';\nexport const run = data;",
    'page-data-by-type: src/page/browser/run.tsx → src/page/page-data.ts',
  ],
  [
    'a deep import past an entry point',
    'src/feed/deep.ts',
    "import { read } from '../archive/read.js';\nexport const deep = read;",
    'feed-imports: src/feed/deep.ts → src/archive/read.ts',
  ],
  [
    'a type-only import past an entry point',
    'src/feed/type-only.ts',
    "import type { Port } from '../venue/port.js';\nexport type Feed = Port;",
    'feed-imports: src/feed/type-only.ts → src/venue/port.ts',
  ],
  [
    'a type imported in place past an entry point',
    'src/feed/type-in-place.ts',
    "export type Feed = import('../venue/port.js').Port;",
    'feed-imports: src/feed/type-in-place.ts → src/venue/port.ts',
  ],
  [
    'a dynamic import past an entry point',
    'src/feed/dynamic.ts',
    "export const later = () => import('../archive/read.js');",
    'feed-imports: src/feed/dynamic.ts → src/archive/read.ts',
  ],
  [
    'the engine knowing the simulator',
    'src/engine/shortcut.ts',
    "import { simulate } from '../simulator/index.js';\nexport const shortcut = simulate;",
    'engine-imports: src/engine/shortcut.ts → src/simulator/index.ts',
  ],
  [
    'the engine knowing the client, by its type only',
    'src/engine/client-type.ts',
    "import type { get } from '../client/index.js';\nexport type Get = typeof get;",
    'engine-imports: src/engine/client-type.ts → src/client/index.ts',
  ],
  [
    'the engine knowing its journal',
    'src/engine/recall.ts',
    "import { rows } from '../journal/index.js';\nexport const recall = rows;",
    'engine-imports: src/engine/recall.ts → src/journal/index.ts',
  ],
  [
    'the engine knowing polls',
    'src/engine/polls.ts',
    "import { poll } from '../feed/index.js';\nexport const polls = poll;",
    'engine-imports: src/engine/polls.ts → src/feed/index.ts',
  ],
  [
    'the journal knowing the life of a bot',
    'src/journal/life.ts',
    "import type { live } from '../live/index.js';\nexport type Life = typeof live;",
    'journal-imports: src/journal/life.ts → src/live/index.ts',
  ],
  [
    'the journal knowing the venue',
    'src/journal/orders.ts',
    "import type { Port } from '../venue/index.js';\nexport type Orders = Port;",
    'journal-imports: src/journal/orders.ts → src/venue/index.ts',
  ],
  [
    'a bot knowing the client',
    'src/live/direct.ts',
    "import { get } from '../client/index.js';\nexport const direct = get;",
    'live-imports: src/live/direct.ts → src/client/index.ts',
  ],
  [
    'a bot on paper knowing the simulator',
    'src/live/paper.ts',
    "import { simulate } from '../simulator/index.js';\nexport const paper = simulate;",
    'live-imports: src/live/paper.ts → src/simulator/index.ts',
  ],
  [
    'a bot reaching into the engine',
    'src/live/inside.ts',
    "import { engine } from '../engine/engine.js';\nexport const inside = engine;",
    'live-imports: src/live/inside.ts → src/engine/engine.ts',
  ],
  [
    'the search for chance knowing bots',
    'src/determinism/bots.ts',
    "import { live } from '../live/index.js';\nexport const bots = live;",
    'determinism-imports: src/determinism/bots.ts → src/live/index.ts',
  ],
  [
    'the client knowing the simulator',
    'src/client/fallback.ts',
    "import { simulate } from '../simulator/index.js';\nexport const fallback = simulate;",
    'client-imports: src/client/fallback.ts → src/simulator/index.ts',
  ],
  [
    'the simulator knowing the client',
    'src/simulator/borrowed.ts',
    "import { get } from '../client/index.js';\nexport const borrowed = get;",
    'simulator-imports: src/simulator/borrowed.ts → src/client/index.ts',
  ],
  [
    'wire shapes outside client and local exchange',
    'src/simulator/wire-words.ts',
    "import { endpoint } from '../venue/wire/index.js';\nexport const words = endpoint;",
    'simulator-imports: src/simulator/wire-words.ts → src/venue/wire/index.ts',
  ],
  [
    'undici outside the client',
    'src/research/post.ts',
    "import { request } from 'undici';\nexport const post = request;",
    'undici-in-client: src/research/post.ts → node_modules/undici',
  ],
  [
    'undici in the command line',
    'src/cli/ping.ts',
    "import { request } from 'undici';\nexport const ping = request;",
    'undici-in-client: src/cli/ping.ts → node_modules/undici',
  ],
  [
    'a file read by the engine',
    'src/engine/peek.ts',
    "import { readFileSync } from 'node:fs';\nexport const peek = () => readFileSync('x');",
    'engine-without-effects: src/engine/peek.ts → fs',
  ],
  [
    'a file written by a bot',
    'src/live/note.ts',
    "import { writeFileSync } from 'node:fs';\nexport const note = () => writeFileSync('x', '');",
    'engine-without-effects: src/live/note.ts → fs',
  ],
  [
    'a database outside the journal',
    'src/research/rows.ts',
    "export const rows = () => import('better-sqlite3');",
    'sqlite-in-journal: src/research/rows.ts → ',
  ],
  [
    'a package in the domain',
    'src/domain/stream.ts',
    "import { of } from 'rxjs';\nexport const one$ = of(1);",
    'domain-packages: src/domain/stream.ts → node_modules/rxjs',
  ],
  [
    'a module of Node in the domain',
    'src/domain/hash.ts',
    "import { createHash } from 'node:crypto';\nexport const hash = createHash;",
    'domain-packages: src/domain/hash.ts → crypto',
  ],
  [
    'a file read by risk',
    'src/risk/limits.ts',
    "import { readFileSync } from 'node:fs';\nexport const limits = () => readFileSync('limits');",
    'pure-core: src/risk/limits.ts → fs',
  ],
  [
    'a stream in the report',
    'src/report/stream.ts',
    "import { of } from 'rxjs';\nexport const one$ = of(1);",
    'pure-core: src/report/stream.ts → node_modules/rxjs',
  ],
  [
    'the public entry point reaching into the engine',
    'src/index.ts',
    "export { Strategy } from './strategy/index.js';\nexport { engine } from './engine/index.js';",
    'public-entry: src/index.ts → src/engine/index.ts',
  ],
  [
    'a strategy reaching behind the public entry point',
    'strategies/hold/hold.strategy.ts',
    "import { Strategy } from '../../src/strategy/strategy.js';\nexport class Hold extends Strategy {}",
    'strategies-use-the-public-entry: strategies/hold/hold.strategy.ts → src/strategy/strategy.ts',
  ],
  [
    'a strategy using another',
    'strategies/copy/copy.strategy.ts',
    "export { Hold as Copy } from '../hold/hold.strategy.js';",
    'strategies-use-the-public-entry: strategies/copy/copy.strategy.ts → strategies/hold/hold.strategy.ts',
  ],
  [
    'source that imports a strategy',
    'src/cli/demo.ts',
    "export { Hold } from '../../strategies/hold/hold.strategy.js';",
    'source-stands-alone: src/cli/demo.ts → strategies/hold/hold.strategy.ts',
  ],
  [
    'the own entry point used inside a module',
    'src/archive/circle.ts',
    "import type { read } from './index.js';\nexport type Read = typeof read;",
    'no-own-entry: src/archive/circle.ts → src/archive/index.ts',
  ],
  [
    'a folder for everything',
    'src/archive/write.ts',
    "import { pad } from './utils/pad.js';\nexport const write = pad;",
    'no-modules-without-a-noun: src/archive/write.ts → src/archive/utils/pad.ts',
  ],
  [
    'a module that is not in the table',
    'src/runtime/engine.ts',
    "import { tick } from '../domain/index.js';\nexport const engine = tick;",
    'known-modules: src/runtime/engine.ts → src/domain/index.ts',
  ],
  [
    'a cycle',
    'src/archive/egg.ts',
    "import { hen } from './hen.js';\nexport const egg = () => hen;",
    'no-circular: src/archive/egg.ts → src/archive/hen.ts',
  ],
  [
    'a file that nothing uses',
    'src/archive/orphan.ts',
    'export const orphan = 1;',
    'no-orphans: src/archive/orphan.ts',
  ],
  [
    'a development tool in the source',
    'src/archive/tested.ts',
    "import { parse } from 'lossless-json';\nexport const tested = parse;",
    'declared-packages-only: src/archive/tested.ts → node_modules/lossless-json',
  ],
  [
    'an import of nothing',
    'src/archive/broken.ts',
    "import { gone } from './gone.js';\nexport const broken = gone;",
    'resolvable: src/archive/broken.ts → ./gone.js',
  ],
];

/** Further files that planted files need. */
export const PROPS: Tree = {
  'src/archive/hen.ts': "import { egg } from './egg.js';\nexport const hen = () => egg;",
  'src/archive/utils/pad.ts': 'export const pad = 1;',
};
