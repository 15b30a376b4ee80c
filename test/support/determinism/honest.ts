import type { PluginFiles } from './cheaters.js';

const strategy = (body: string, head = ''): string =>
  `import { CandleStrategy, crossedAbove, ema, enterLong, exit, int, sma, Strategy, type Candle } from 'evenkeel';\n${head}\nexport class Honest extends CandleStrategy({ period: int(2, 50, 5) }) {\n${body}\n}\n`;

const rx = (stream: string, head = ''): string =>
  `import { enterLong, exit, Strategy, type Market } from 'evenkeel';\nimport { bufferCount, debounceTime, defer, distinctUntilChanged, filter, from, interval, map, merge, Observable, of, pairwise, pipe, scan, share, Subject, switchMap, take, timer, withLatestFrom } from 'rxjs';\n${head}\nexport class Honest extends Strategy({}) {\n  override readonly warmup = 3;\n  override intents(market: Market) {\n    ${stream}\n  }\n}\n`;

const on = (text: string): string =>
  `  override onCandle(candle: Candle): void {\n    ${text}\n  }`;
const one = (text: string): PluginFiles => ({ 'plugin.ts': text });

const up = "this.enterLong({ equity: '0.5' });";

/** Strategies that are the same in every run, in many ways of writing. */
export const HONEST: Readonly<Record<string, PluginFiles>> = {
  'indicators in fields': one(
    strategy(`  readonly fast = this.indicator(sma(5));\n  readonly slow = this.indicator(ema(9));
${on(`if (crossedAbove(this.fast, this.slow)) ${up} else this.exit();`)}`),
  ),
  'private fields that count': one(
    strategy(`  #count = 0;\n  #seen = new Map<number, number>();
${on(`this.#count += 1;\n    this.#seen.set(candle.close, this.#count);\n    if (this.#count % 5 === 0) ${up}`)}`),
  ),
  'a table that is never written': one(
    strategy(
      on(`if (candle.close > (LEVELS[this.now % 3] ?? 0)) ${up}`),
      'const LEVELS = [1, 2, 3];',
    ),
  ),
  'frozen constants': one(
    strategy(
      on(`if (candle.volume > LIMITS.least && NAMES.has('a')) ${up}`),
      "const LIMITS = Object.freeze({ least: 5 });\nconst NAMES: ReadonlySet<string> = Object.freeze(new Set(['a']));",
    ),
  ),
  'a table that is filled while it is loaded': one(
    strategy(
      on(`if ((SQUARES.get(3) ?? 0) > candle.close + CUBES.length + NAMES['a']!) ${up}`),
      `const SQUARES = new Map<number, number>();
for (let n = 0; n < 9; n += 1) SQUARES.set(n, n * n);
const CUBES: number[] = [];
[1, 2, 3].forEach((n) => { CUBES.push(n ** 3); });
const NAMES: Record<string, number> = {};
function fill(left: string[]): void {
  const [name, ...others] = left;
  if (name === undefined) return;
  NAMES[name] = left.length;
  fill(others);
}
fill(['a', 'b']);`,
    ),
  ),
  'a table of a function that is called once': one(
    strategy(
      on(`if (candle.close > WEIGHTS[2]! + SUM) ${up}`),
      `const WEIGHTS = (() => {
  const made: number[] = [];
  let total = 0;
  for (const n of [1, 2, 3]) { total += n; made.push(total); }
  return made.map((value) => value / total);
})();
const sumOf = (values: readonly number[]): number => {
  let sum = 0;
  const add = (value: number): void => { sum += value; };
  values.forEach(add);
  return sum;
};
const SUM = sumOf(WEIGHTS);`,
    ),
  ),
  'dates of candles': one(
    strategy(
      on(`const date = new Date(candle.closeTime);
    const start = Date.UTC(date.getUTCFullYear(), 0, 1);
    if (date.getUTCDay() === 1 && candle.openTime > start && candle.openTime > Date.parse('2020-01-01')) ${up}`),
    ),
  ),
  'formats with a date': one(
    strategy(
      on(`const day = FORMAT.format(candle.closeTime);
    const money = new Intl.NumberFormat('en').format(candle.close);
    const parts = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).formatToParts(new Date(candle.openTime));
    if (day.startsWith('1') && money.length + parts.length > 3) ${up}`),
      "const FORMAT = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric' });",
    ),
  ),
  'all of Math but one': one(
    strategy(
      on(
        `const round = Math[candle.close > 9 ? 'floor' : 'ceil'];\n    if (max(round(candle.close), Math.abs(candle.open)) > Math.PI * sqrt(2)) ${up}`,
      ),
      'const { max, sqrt } = Math;',
    ),
  ),
  'chance and time of the run': one(strategy(on(`if (this.random() < 0.5 && this.now > 0) ${up}`))),
  'a helper with functions': {
    'plugin.ts': strategy(
      on(`if (mean([candle.open, candle.close]) > stats.LIMIT) ${up}`),
      "import { mean } from './tools/mean.js';\nimport * as stats from './tools/stats.js';",
    ),
    'tools/mean.ts':
      'export function mean(values: readonly number[]): number {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum / values.length;\n}\n',
    'tools/stats.ts': "export * from './mean.js';\nexport const LIMIT = 3;\n",
  },
  'a class of a helper, one per strategy': {
    'plugin.ts': strategy(
      `  readonly #window = new Window(this.parameters.period);\n${on(`this.#window.push(candle.close);\n    if (this.#window.isFull) ${up}`)}`,
      "import { Window } from './window.js';",
    ),
    'window.ts':
      'export class Window {\n  #values: number[] = [];\n  constructor(readonly length: number) {}\n  push(value: number): void {\n    this.#values.push(value);\n    if (this.#values.length > this.length) this.#values.shift();\n  }\n  get isFull(): boolean {\n    return this.#values.length === this.length;\n  }\n}\n'.replace(
        'constructor(readonly length: number) {}',
        'readonly length: number;\n  constructor(length: number) {\n    this.length = length;\n  }',
      ),
  },
  'closures that each strategy makes': one(
    strategy(
      `  readonly #next = counter();\n  readonly #keep = [1, 2].map(() => counter());\n${on(`if (this.#next() + this.#keep[0]!() > 5) ${up}`)}`,
      'function counter(): () => number {\n  let calls = 0;\n  return () => ++calls;\n}',
    ),
  ),
  'names that shadow': one(
    strategy(
      `  now2(): number {\n    const Date = { now: (): number => this.now };\n    const performance = Date;\n    return Date.now() + performance.now();\n  }\n  fetch(): number { return 1; }\n${on(`const process = { env: { A: 1 } };\n    const crypto = { randomUUID: () => 'a' };\n    if (process.env.A + this.fetch() + crypto.randomUUID().length > this.now2()) ${up}`)}`,
    ),
  ),
  'words in texts and comments': one(
    strategy(
      on(`// Date.now(), Math.random(), setTimeout(() => {}), await fetch('x')
    /* process.env.HOME */
    this.log.info('Date.now() and Math.random()', { text: \`new Date() \${candle.close}\`, Date: 1, random: /Math.random/.source });`),
    ),
  ),
  'types of what is forbidden': one(
    strategy(
      `  #later: Promise<number> | undefined;\n  read(stats: Stats | ReadStream): typeof Date | undefined { return stats === undefined ? Date : undefined; }\n${on(`if (this.#later instanceof Promise || typeof process === 'undefined') ${up}`)}`,
      "import type { Stats } from 'node:fs';\nimport { type ReadStream } from 'node:fs';\nimport type * as http from 'node:http';\nexport type Agent = http.Agent;\ninterface Timed { at: Date; wait(): Promise<void> }\nexport type Kept = Timed;",
    ),
  ),
  'pure parts of Node': one(
    strategy(
      on(
        `if (createHash('sha256').update(String(candle.close)).digest('hex').startsWith('0') && sep !== '') ${up}`,
      ),
      "import { createHash } from 'node:crypto';\nimport { sep } from 'node:path';\nimport { strict as assert } from 'node:assert';\nassert.ok(sep !== '');",
    ),
  ),
  'static constants and methods': one(
    strategy(
      `  static readonly LEVELS = [1, 2, 3];\n  static #names = new Map([['a', 1]]);\n  static pick(index: number): number { return this.LEVELS[index] ?? Honest.#names.get('a') ?? 0; }\n${on(`if (candle.close > Honest.pick(1)) ${up}`)}`,
    ),
  ),
  'copies of a table': one(
    strategy(
      on(
        `const sorted = LEVELS.toSorted();\n    const copy = [...LEVELS];\n    copy.push(candle.close);\n    copy.sort();\n    const { a, ...others } = DEFAULTS;\n    const merged = Object.assign({}, DEFAULTS, { b: copy.length });\n    merged.a = 3;\n    if (sorted.length + a + merged.b + Object.keys(others).length > 3) ${up}`,
      ),
      'const LEVELS = [3, 1, 2];\nconst DEFAULTS = { a: 1, b: 2 };',
    ),
  ),
  'local variables with the name of one outside': one(
    strategy(
      on(`let count = 0;\n    for (const each of [1, 2]) count += each;\n    if (count > 2) ${up}`),
      'export const count = 5;',
    ),
  ),
  'a generator in a method': one(
    strategy(
      `  *#steps(): Generator<number> {\n    let at = 0;\n    while (at < 3) yield at++;\n  }\n${on(`const steps = [...this.#steps()];\n    if (steps.length > 2 && [...range(3)].length > 2) ${up}`)}`,
      'function* range(end: number): Generator<number> {\n  for (let at = 0; at < end; at += 1) yield at;\n}\nexport const THREE = [...range(3)];',
    ),
  ),
  'an enum, a default export and a base class': {
    'plugin.ts':
      "import { Base, Mode } from './base.js';\nexport default class Honest extends Base {\n  protected override readonly mode = Mode.Bold;\n}\n",
    'base.ts': `import { CandleStrategy, type Candle } from 'evenkeel';
export enum Mode { Calm, Bold }
export abstract class Base extends CandleStrategy({}) {
  protected abstract readonly mode: Mode;
  #last = 0;
  override onCandle(candle: Candle): void {
    if (this.mode === Mode.Bold && candle.close > this.#last) ${up}
    this.#last = candle.close;
  }
}
`,
  },
  'operators of RxJS': one(
    rx(`return market.candles$().pipe(
      map(({ close }) => close), pairwise(), filter(([before, now]) => now > before),
      scan((count) => count + 1, 0), map(() => enterLong({ equity: '0.5' })));`),
  ),
  'time operators of RxJS': one(
    rx(`return merge(
      market.candles$().pipe(debounceTime(60_000), map(() => enterLong({ equity: '0.5' }))),
      interval(3_600_000).pipe(take(5), map(() => exit())),
      timer(1_000).pipe(switchMap(() => of(exit()))));`),
  ),
  'operators of its own, made once': one(
    rx(
      `return market.candles$().pipe(rising, slow(), map(() => enterLong({ equity: '0.5' })));`,
      `const rising = pipe(map((candle: { close: number }) => candle.close), distinctUntilChanged());
const slow = <T>() => (source: Observable<T>): Observable<T> =>
  new Observable((subscriber) => {
    let passed = 0;
    return source.subscribe({ next: (value) => { if (++passed % 3 === 0) subscriber.next(value); } });
  });
const LATE = slow<number>();
export const later = (source: Observable<number>) => source.pipe(LATE);`,
    ),
  ),
  'a subject and defer within the strategy': one(
    rx(`const levels$ = new Subject<number>();
    const state = { count: 0 };
    return merge(
      defer(() => from([1, 2, 3])).pipe(filter(() => false), map(() => exit())),
      market.candles$().pipe(withLatestFrom(levels$), bufferCount(2), share(), map(() => {
        state.count += 1;
        levels$.next(state.count);
        return exit();
      })));`),
  ),
  'getters, setters and symbols': one(
    strategy(
      `  #level = 0;\n  get level(): number { return this.#level; }\n  set level(value: number) { this.#level = value; }\n  readonly [KEY] = 3;\n${on(`this.level = candle.close;\n    if (this.level > this[KEY]) ${up}`)}`,
      "const KEY = Symbol('key');",
    ),
  ),
  'a cache and weak references of each strategy': one(
    strategy(
      `  readonly #cache = new Map<number, number>();\n  readonly #notes = new WeakMap<object, number>();\n  #root(value: number): number {\n    const known = this.#cache.get(value);\n    if (known !== undefined) return known;\n    const root = Math.sqrt(value);\n    this.#cache.set(value, root);\n    return root;\n  }\n${on(`this.#notes.set(candle, 1);\n    if (this.#root(candle.close) > 5) ${up}`)}`,
    ),
  ),
  'functions of functions, and overloads': one(
    strategy(
      on(
        `if (above(3)(candle.close) && pick(candle, 'close') > 0 && twice(pick)(candle, 'open') > 1) ${up}`,
      ),
      `const above = (level: number) => (value: number): boolean => value > level;
export function pick(candle: Candle, key: 'open' | 'close'): number;
export function pick(candle: Candle, key: 'open' | 'close'): number { return candle[key]; }
const twice = <A extends unknown[]>(inner: (...args: A) => number) => (...args: A): number => inner(...args) * 2;
const atLoad = above(3);
export const yes = atLoad(5);`,
    ),
  ),
  'JavaScript with prototypes of its own': {
    'plugin.js': `const { CandleStrategy } = require('evenkeel');
function Level(value) {
  this.value = value;
}
Level.prototype.isBelow = function isBelow(price) {
  return this.value < price;
};
class Honest extends CandleStrategy({}) {
  constructor(...given) {
    super(...given);
    this.level = new Level(5);
    this.count = 0;
  }
  onCandle(candle) {
    this.count++;
    if (this.level.isBelow(candle.close)) this.enterLong({ equity: '0.5' });
  }
}
exports.Honest = Honest;
module.exports.name = 'honest';
`,
  },
  'shapes that are moved by name only': one(
    strategy(
      on(`const book = new Book();
    book.add(candle.close);
    const total = ADDER.add(candle.close, 2) + Object.entries(TABLE).reduce((sum, [, value]) => sum + value, 0);
    if (book.total > total) ${up}`),
      `const ADDER = { add: (a: number, b: number): number => a + b, set: (): void => undefined };
const TABLE = { a: 1, b: 2 } as const satisfies Record<string, number>;
class Book {
  total = 0;
  add(value: number): void { this.total += value; }
}`,
    ),
  ),
};
