import type { Tree } from './planted-tree.js';

/** A defect, the file it is planted in, its line of code, and the lint rule that must report it. */
export type Defect = readonly [defect: string, file: string, code: string, rule: string];

const CLOCK = 'src/domain/clock.ts';
const CHANCE = 'src/simulator/chance.ts';
const STREAMS = 'src/feed/streams.ts';
const HOLD = 'strategies/hold/hold.strategy.ts';
const MEMO = 'src/simulator/memo.ts';
const STATE = 'evenkeel/no-module-state';
const LAWS = 'test/unit/laws.property.test.ts';

/** Defects of one line each, in the order of their files. */
export const DEFECTS: readonly Defect[] = [
  ['Date.now', CLOCK, 'export const now = Date.now();', 'no-restricted-properties'],
  ['new Date() of now', CLOCK, 'export const today = new Date();', 'no-restricted-syntax'],
  ['performance.now', CLOCK, 'export const tick = performance.now();', 'no-restricted-globals'],
  ['a timer', CLOCK, 'setTimeout(() => undefined, 1);', 'no-restricted-globals'],
  ['the environment', CLOCK, "export const key = process.env['KEY'];", 'no-restricted-properties'],
  [
    'the hidden import of a timer',
    CLOCK,
    "export { setTimeout } from 'node:timers/promises';",
    'no-restricted-imports',
  ],
  ['Math.random', CHANCE, 'export const dice = Math.random();', 'no-restricted-properties'],
  ['a random id', CHANCE, 'export const id = crypto.randomUUID();', 'no-restricted-syntax'],
  [
    'an imported random id',
    CHANCE,
    "export { randomUUID } from 'node:crypto';",
    'no-restricted-imports',
  ],
  [
    'a second Decimal',
    'src/risk/decimals.ts',
    "export { Decimal } from 'decimal.js';",
    'no-restricted-imports',
  ],
  ['an enum', 'src/risk/kinds.ts', 'export enum Kind { Spot }', 'no-restricted-syntax'],
  ['a default export', 'src/risk/kinds.ts', 'export default 1;', 'no-restricted-syntax'],
  ['console', 'src/risk/log.ts', "console.log('refused');", 'no-console'],
  ['any', 'src/risk/types.ts', 'export const a: any = 1;', '@typescript-eslint/no-explicit-any'],
  [
    'a non-null assertion',
    'src/risk/types.ts',
    'export const b = [1].at(0)!;',
    '@typescript-eslint/no-non-null-assertion',
  ],
  [
    'an export without its return type',
    'src/risk/types.ts',
    'export function c(d: number) { return d; }',
    '@typescript-eslint/explicit-module-boundary-types',
  ],
  [
    'a forgotten member',
    'src/risk/types.ts',
    "export function e(f: 'g' | 'h'): number { switch (f) { case 'g': return 1; } return 2; }",
    '@typescript-eslint/switch-exhaustiveness-check',
  ],
  [
    'a promise left alone',
    'src/risk/promises.ts',
    'Promise.resolve(1);',
    '@typescript-eslint/no-floating-promises',
  ],
  [
    'a scheduler of frames',
    STREAMS,
    "import { animationFrameScheduler, interval, map, shareReplay, takeUntil } from 'rxjs';",
    'no-restricted-imports',
  ],
  [
    'a stream left alone',
    STREAMS,
    'export const watch = () => interval(1, animationFrameScheduler); watch();',
    'rxjs-x/no-floating-observables',
  ],
  [
    'a bare shareReplay',
    STREAMS,
    'export const shared$ = interval(1).pipe(shareReplay(1));',
    'rxjs-x/no-sharereplay',
  ],
  [
    'an operator after takeUntil',
    STREAMS,
    'export const late$ = shared$.pipe(takeUntil(shared$), map(String));',
    'rxjs-x/no-unsafe-takeuntil',
  ],
  ['a stream without its sign', STREAMS, 'export const plain = late$;', 'rxjs-x/finnish'],
  [
    'a nested subscribe',
    STREAMS,
    'plain.subscribe({ next: () => { plain.subscribe({ error: () => undefined }); }, error: () => undefined });',
    'rxjs-x/no-nested-subscribe',
  ],
  [
    'an asynchronous observer',
    STREAMS,
    'plain.subscribe(async () => { await Promise.resolve(); });',
    'rxjs-x/no-async-subscribe',
  ],
  ['a variable of a module', MEMO, 'let latest = 0;', STATE],
  ['a variable that is exported', MEMO, 'export var before = ++latest;', STATE],
  ['a memo of a module', MEMO, 'const known = { value: 0n, cost: 0n };', STATE],
  ['a memo behind a type', MEMO, 'const memo: { cost: bigint } = { cost: 0n };', STATE],
  ['a map of a module', MEMO, 'const fees = new Map<string, bigint>();', STATE],
  [
    'a map that is made elsewhere',
    MEMO,
    'const made = ((): Map<string, number> => new Map())();',
    STATE,
  ],
  ['a weak map of a module', MEMO, 'const texts = new WeakMap<object, string>();', STATE],
  ['a list of a module', MEMO, 'const list: number[] = [];', STATE],
  ['a typed array of a module', MEMO, 'const rows = new Float64Array(8);', STATE],
  [
    'an array in what is constant',
    MEMO,
    'const page = { rows: new Float64Array(8) } as const;',
    STATE,
  ],
  ['an object with state', MEMO, 'const books = new Books();', STATE],
  [
    'a static member',
    MEMO,
    'class Books { static latest = 0; rows = [rows, page, books]; }',
    STATE,
  ],
  ['an expression that remembers where it was', MEMO, 'const digits = /[0-9]/g;', STATE],
  [
    'a write to a memo',
    MEMO,
    'export function cost(value: bigint): bigint { known.value = value; return known.value; }',
    STATE,
  ],
  ['a write into a list', MEMO, 'export function note(): void { list[0] = list.length; }', STATE],
  ['a list that grows', MEMO, 'export function grow(): void { list.push(Number(digits)); }', STATE],
  ['a map that grows', MEMO, "export function keep(): void { fees.set('a', memo.cost); }", STATE],
  ['a member that goes', MEMO, 'export function drop(): void { delete texts.a; }', STATE],
  [
    'what is assigned at once',
    MEMO,
    'export function all(): void { Object.assign(made, memo); }',
    STATE,
  ],
  [
    'a write to what another module has',
    'src/risk/reach.ts',
    "import { memory } from '../engine/memory.js'; export function reach(): void { memory.count += 1; }",
    STATE,
  ],
  ['a clock in a strategy', HOLD, 'export const now = Date.now();', 'no-restricted-properties'],
  [
    'a file in a strategy',
    HOLD,
    "export { readFileSync } from 'node:fs';",
    'no-restricted-imports',
  ],
  [
    'a promise in a strategy',
    HOLD,
    'export const later = async (): Promise<void> => { await Promise.resolve(); };',
    'no-restricted-syntax',
  ],
  [
    'a test that fast-check runs a hundred times',
    LAWS,
    "import { test } from '@fast-check/vitest'; test('adds', () => undefined);",
    'no-restricted-syntax',
  ],
];

/** Code that looks similar and is allowed. */
export const ALLOWED: Tree = {
  'src/domain/amounts/decimal.ts': "export { Decimal } from 'decimal.js';",
  'src/domain/dates.ts':
    "export const day = (): Date => new Date(Date.parse('2025-06-01') + Date.UTC(2025));",
  'src/report/tables.ts': `import { Decimal } from '../domain/amounts/decimal.js';
export const NAMES: ReadonlySet<string> = new Set(['a', 'b']);
export const RATES: ReadonlyMap<string, readonly number[]> = new Map([['a', [1, 2]]]);
export const LIMITS = { least: 1, steps: [1, 2], names: ['a'] } as const;
export const BANDS: readonly { readonly from: number }[] = [{ from: 1 }];
export const EMPTY = { times: new Float64Array(0) } as const;
export const NONE: { readonly names: ReadonlySet<string> } = { names: new Set() };
export const HALF = new Decimal('0.5');
export const TEXT = /^[a-z]+$/;
export const CHECK = { name: 'a', check: (value: number): boolean => value > 0 } as const;
export const sum = (values: readonly number[]): number => {
  const seen = new Map<number, number>();
  let total = 0;
  for (const value of values) seen.set(value, (total += value));
  return total + seen.size;
};
export class Tally {
  static readonly start = 0;
  readonly #rows: number[] = [];
  #last = 0;
  add(row: number): number {
    this.#rows.push(row);
    this.#last = row;
    return this.#last;
  }
}`,
  'src/engine/memory.ts': 'export const memory = { count: 0 };',
  'src/engine/system-clock.ts': 'export const now = (): number => Date.now() + performance.now();',
  'src/cli/main.ts': "console.log(process.env['KEY'], Date.now());",
  'strategies/calm/calm.strategy.ts':
    "import { asapScheduler, timer } from 'rxjs';\nexport const calm$ = timer(1, asapScheduler);",
  'test/unit/clock.test.ts': 'export const now = Date.now();',
};
