/** A plugin and its imports by file name; the plugin is first. A line that must be reported ends with `// !CODE`. */
export type PluginFiles = Readonly<Record<string, string>>;

const plugin = (body: string, head = ''): string =>
  `import { CandleStrategy, int, sma } from 'evenkeel';\n${head}${head === '' ? '' : '\n'}export class Planted extends CandleStrategy({ period: int(2, 50, 5) }) {\n  readonly average = this.indicator(sma(this.parameters.period));\n${body}\n}\n`;

const onCandle = (statements: string): string =>
  `  override onCandle(candle): void {\n${statements}\n  }`;

const trade = (condition: string, mark: string): string =>
  onCandle(`    if (${condition}) this.enterLong({ equity: '0.5' }); // !${mark}
    else this.exit();`);

/** Strategies that can differ between two runs, each written in another way. */
export const CHEATERS: Readonly<Record<string, PluginFiles>> = {
  'the clock, plainly': {
    'plugin.ts': plugin(trade('Date.now() % 2 === 0', 'E_PLUGIN_CLOCK')),
  },
  'the clock under another name': {
    'plugin.ts': plugin(
      trade('now() % 2 === 0', 'E_PLUGIN_CLOCK'),
      'const now = Date.now; // !E_PLUGIN_CLOCK',
    ),
  },
  'the clock through globalThis and as any': {
    'plugin.ts': plugin(
      trade("(globalThis as any)['Date'].now() % 2 === 0", 'E_PLUGIN_CLOCK') +
        '\n  // Date.now() in a comment, "Date.now()" in a text\n  readonly text = "Date.now()";',
    ),
  },
  'the clock by Reflect.get and a key that is put together': {
    'plugin.ts': plugin(
      onCandle(`    const key = 'no' + 'w';
    const read = Reflect.get(Date, key); // !E_PLUGIN_CLOCK
    if (Date[\`n\${'o'}w\`]() % 2 === 0) this.exit(); // !E_PLUGIN_CLOCK
    else if (read() % 2 === 0) this.enterLong({ equity: '0.5' }); // !E_PLUGIN_CLOCK`),
    ),
  },
  'a date without arguments, in a class of its own': {
    'plugin.ts': plugin(
      trade('new Stamp().getSeconds() % 2 === 0', 'E_PLUGIN_CLOCK'),
      'class Stamp extends Date {}',
    ),
  },
  'chance, taken apart': {
    'plugin.ts': plugin(
      trade('random() < 0.5', 'E_PLUGIN_RANDOM'),
      'const { random, max } = Math; // !E_PLUGIN_RANDOM\nexport const most = max(1, 2);',
    ),
  },
  'chance of crypto in a helper': {
    'plugin.ts': plugin(
      onCandle("    if (coin()) this.enterLong({ equity: '0.5' });\n    else this.exit();"),
      "import { coin } from './tools/coin.js';",
    ),
    'tools/coin.ts': `import * as secret from 'crypto';

export const coin = (): boolean =>
  secret
    .randomBytes(1)[0]! < 128; // (the member begins a line before)
`.replace('  secret\n', '  secret // !E_PLUGIN_RANDOM\n'),
  },
  'an async method that awaits': {
    'plugin.ts': plugin(
      `  async decide(close: number): Promise<boolean> { // !E_PLUGIN_PROMISE
    const later = await close; // !E_PLUGIN_PROMISE
    return later > 0;
  }
${onCandle('    void this.decide(candle.close);')}`,
    ),
  },
  'a promise within a stream': {
    'plugin.ts': `import { Strategy, enterLong } from 'evenkeel';
import { from, map, mergeMap } from 'rxjs';

export class Planted extends Strategy({}) {
  override intents(market) {
    return market.candles$().pipe(
      mergeMap((candle) => from(Promise.resolve(candle))), // !E_PLUGIN_PROMISE
      map(() => enterLong({ equity: '0.5' })),
    );
  }
}
`,
  },
  'a counter of the module': {
    'plugin.ts': plugin(
      onCandle(`    count += 1;
    if (count % 7 === 0) this.enterLong({ equity: '0.5' });
    else this.exit();`),
      'let count = 0; // !E_PLUGIN_STATE',
    ),
  },
  'a map of a helper': {
    'plugin.ts': plugin(
      onCandle(`    if (SEEN.has(candle.close)) this.enterLong({ equity: '0.5' });
    remember(candle.close);`),
      "import { remember, SEEN } from './memory.js';",
    ),
    'memory.ts': `export const SEEN = new Map<number, boolean>(); // !E_PLUGIN_STATE
export function remember(close: number): void {
  SEEN.set(close, true);
}
`,
  },
  'closures that are made once': {
    'plugin.ts': plugin(
      onCandle("    if (next() + turn() > 9) this.enterLong({ equity: '0.5' });"),
      `const next = (() => {
  let calls = 0; // !E_PLUGIN_STATE
  return () => ++calls;
})();
function makeTurn(first: number) {
  let at = first; // !E_PLUGIN_STATE
  return () => (at = 1 - at);
}
const turn = makeTurn(0);`,
    ),
  },
  'a closure of another file that is made once': {
    'plugin.ts': plugin(
      onCandle("    if (next() > 9) this.enterLong({ equity: '0.5' });"),
      "import { counter } from './counter.js';\nconst next = counter(); // !E_PLUGIN_STATE",
    ),
    'counter.ts': `export const counter = () => {
  let calls = 0;
  return () => ++calls;
};
`,
  },
  'a file that is read when it is constructed': {
    'plugin.ts': plugin(
      `  readonly levels = readFileSync('levels.txt', 'utf8').split(','); // !E_PLUGIN_IO
${onCandle('    if (candle.close > Number(this.levels[0])) this.exit();')}`,
      "import { readFileSync } from 'node:fs';",
    ),
  },
  'a file and the environment during an event': {
    'plugin.ts': plugin(
      trade("fs.existsSync('go') && process.env['GO'] !== ''", 'E_PLUGIN_IO'),
      "import fs from 'fs';",
    ),
  },
  'timers of Node': {
    'plugin.ts': plugin(
      onCandle(`    setTimeout(() => this.exit(), 10); // !E_PLUGIN_TIMER
    process.nextTick(() => undefined); // !E_PLUGIN_TIMER
    const { queueMicrotask: soon } = globalThis; // !E_PLUGIN_TIMER
    soon(() => this.exit()); // !E_PLUGIN_TIMER`),
    ),
  },
  'static members, an instance and an indicator for all': {
    'plugin.ts': `import { CandleStrategy, sma } from 'evenkeel';

class Tally {
  #count = 0;
  add(): number {
    this.#count += 1;
    return this.#count;
  }
}
const tally = new Tally(); // !E_PLUGIN_STATE
const average = sma(5); // !E_PLUGIN_STATE
const log: number[] = []; // !E_PLUGIN_STATE

export class Planted extends CandleStrategy({}) {
  static trades = 0;
  readonly average = this.indicator(average);
  readonly log = log;
  override onCandle(candle): void {
    (this.constructor as any).trades += 1; // !E_PLUGIN_STATE
    this.log.push(candle.close);
    if (tally.add() % 3 === 0) this.enterLong({ equity: '0.5' });
  }
}
`,
  },
  'what hides it': {
    'plugin.ts': plugin(
      onCandle(`    if (eval('Date.' + 'now()') % 2 === 0) this.exit(); // !E_PLUGIN_HIDDEN
    const read = new Function('return Math.random()'); // !E_PLUGIN_HIDDEN
    (globalThis as any).count = read(); // !E_PLUGIN_STATE`),
    ),
  },
  'the clock where a format is given none, and of performance': {
    'plugin.ts': plugin(
      onCandle(`    const text = clock.format(); // !E_PLUGIN_CLOCK
    if (text.length + performance.now() > 9) this.exit(); // !E_PLUGIN_CLOCK`),
      "const clock = new Intl.DateTimeFormat('en', { timeZone: 'UTC' });",
    ),
  },
  CommonJS: {
    'plugin.js': `const { CandleStrategy } = require('evenkeel');
const { hrtime } = process; // !E_PLUGIN_IO
const http = require('node:http'); // !E_PLUGIN_IO
let seen; // !E_PLUGIN_STATE
exports.Planted = class Planted extends CandleStrategy({}) {
  onCandle(candle) {
    if (seen === undefined) seen = candle.close;
    if (candle.close > seen) this.enterLong({ equity: '0.5' });
  }
};
`,
  },
};
