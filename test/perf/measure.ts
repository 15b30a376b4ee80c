/**
 * Measures and prints the figures of every benchmark. Cases run in turn, round by round, so that other load on the machine meets all of them. Each
 * case has its median, its spread, and the ratio to its reference. The ratio is taken within each round, because a round is close together in time.
 */
import { appendFileSync } from 'node:fs';

export interface Case {
  readonly name: string;
  readonly unit: string;
  /** Whether a larger figure is better (rates) or a smaller one (times, memory). */
  readonly better: 'more' | 'less';
  /** Name of the reference case, from the same call. */
  readonly reference?: string | undefined;
  /** Measures once. Returns the figure in the unit. */
  readonly run: () => number | Promise<number>;
}

/** The result of a case, in the form that `npm run bench -- --json` writes. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly rounds: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Name of the reference case, and the median of the ratios to it. */
  readonly reference?: string;
  readonly ratio?: number;
}

export interface MeasureOptions {
  /** @defaultValue 5; the environment's ROUNDS goes before it */
  readonly rounds?: number;
  /** Rounds before the counted rounds, for the compiler to warm up. @defaultValue 1 */
  readonly warmups?: number;
  /** No further round begins after this time, but two rounds are always counted. @defaultValue no end */
  readonly seconds?: number;
}

/** File for the figures, one JSON object per line; set by `.ci/bench.mjs`. Undefined: they go to the terminal only. */
const FIGURES_FILE = process.env['BENCH_FIGURES'];
/** Only cases whose name contains this text run, with their references. Empty: all cases run. */
const CHOSEN = process.env['CASE'] ?? '';

/** The smallest number of counted rounds, however long they take. */
const LEAST_ROUNDS = 2;

/** Measures cases in turn and prints the figures. */
export async function measure(
  cases: readonly Case[],
  { rounds = 5, warmups = 1, seconds = Number.POSITIVE_INFINITY }: MeasureOptions = {},
): Promise<readonly Figure[]> {
  const chosen = chooseCases(cases);
  const counted = Number(process.env['ROUNDS'] ?? rounds);
  const values = new Map<string, number[]>(chosen.map(({ name }) => [name, []]));
  const end = performance.now() + seconds * 1_000;
  for (let round = -warmups; round < counted; round += 1) {
    if (performance.now() > end) {
      // Slow work needs less warm-up and fewer rounds.
      if (round >= LEAST_ROUNDS) break;
      round = Math.max(round, 0);
    }
    for (const { name, run } of chosen) {
      const value = await run();
      if (round >= 0) values.get(name)?.push(value);
    }
  }
  const figures = chosen.map((one) => summarize(one, values));
  for (const figure of figures) tell(figure);
  return figures;
}

function chooseCases(cases: readonly Case[]): readonly Case[] {
  const named = cases.filter(({ name }) => name.includes(CHOSEN));
  const references = new Set(named.map(({ reference }) => reference));
  return cases.filter((one) => named.includes(one) || references.has(one.name));
}

function summarize(
  { name, unit, better, reference }: Case,
  values: ReadonlyMap<string, readonly number[]>,
): Figure {
  const own = values.get(name) ?? [];
  const beside = reference === undefined ? undefined : values.get(reference);
  const ratios = own.map((value, round) => value / (beside?.[round] ?? Number.NaN));
  return {
    name,
    unit,
    better,
    rounds: own.length,
    median: median(own),
    low: Math.min(...own),
    high: Math.max(...own),
    ...(reference !== undefined && { reference, ratio: median(ratios) }),
  };
}

function tell(figure: Figure): void {
  const { name, unit, median: middle, low, high, rounds, reference, ratio } = figure;
  const spread = rounds > 1 ? ` (${digits(low)}–${digits(high)})` : '';
  const beside =
    reference === undefined || ratio === undefined ? '' : `; ${digits(ratio)} × ${reference}`;
  console.log(`${name.padEnd(44)} ${digits(middle).padStart(9)} ${unit}${spread}${beside}`);
  if (FIGURES_FILE !== undefined) appendFileSync(FIGURES_FILE, `${JSON.stringify(figure)}\n`);
}

/** Three significant digits, and all digits before the point. */
function digits(value: number): string {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(decimals, 6) });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Millions per second, if `work` handles `count` items. */
export async function millionsPerSecond(count: number, work: () => unknown): Promise<number> {
  return count / 1_000 / (await milliseconds(work));
}

/** Nanoseconds per call of synchronous work. */
export function nanosecondsEach(calls: number, work: () => void): number {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) work();
  return ((performance.now() - start) * 1e6) / calls;
}
