import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The kinds of cases in turn, with their weights in one round. Ends of processes first: at any time, between an entry's fill and its stop, between a cancel and
 * the new order, of both processes at once, of the guard process during its takeover, of the bot when it takes over again.
 */
const ROUND = [
  ...['kill', 'kill-fill', 'cut', 'kill-cancel', 'both', 'exchange', 'takeover', 'hand-back'],
  ...['stop', 'kill', 'kill-fill', 'fault', 'kill-cancel', 'both', 'exchange', 'cut'],
  ...['takeover', 'hand-back', 'suspend', 'kill', 'fault', 'plugin', 'both', 'exchange', 'stop'],
  ...['cut', 'kill', 'rules', 'fault'],
] as const;
export type CaseKind = (typeof ROUND)[number];
export const KINDS: readonly CaseKind[] = [...new Set<CaseKind>(ROUND)];

/** Kinds in which the price may cross the stop while no process watches it, or another one does. */
const CROSSED: ReadonlySet<CaseKind> = new Set([
  ...(['kill', 'both', 'takeover', 'hand-back', 'stop', 'suspend', 'exchange', 'cut'] as const),
]);

export interface Case {
  readonly number: number;
  readonly kind: CaseKind;
  /** The number of earlier cases of this kind. Kinds with several variants use it to try each in turn. */
  readonly nth: number;
  /** Whether the stop is so near that the price crosses it. Such a case ends when the position is closed. */
  readonly isNear: boolean;
}

/** The result of a case. */
export interface Outcome {
  /** Name in the figures: the kind, with the drawn variant. */
  readonly cause: string;
  /** Time from when the stop was not watched, or could not be, to the next answered price. Undefined if the position was closed before. */
  readonly nakedMs: number | undefined;
  /** The promised maximum of `nakedMs`. Undefined without a promise. */
  readonly mostMs: number | undefined;
  /** The longest time that the price was visibly beyond the stop, up to the answer to the exit. */
  readonly closedMs?: number | undefined;
}

/** One line of the file of results. */
export interface Line extends Partial<Outcome> {
  readonly build: string;
  readonly seed: number;
  readonly case: number;
  /** Undefined for the end of a rig. */
  readonly kind?: CaseKind | undefined;
  readonly failed?: string | undefined;
}

/** The first `count` cases. A number always gives the same case, independent of `count` and of the worker. */
export function planCases(count: number): readonly Case[] {
  const counts = new Map<CaseKind, number>();
  return Array.from({ length: count }, (_, number) => {
    const kind = ROUND[number % ROUND.length] as CaseKind;
    const nth = counts.get(kind) ?? 0;
    counts.set(kind, nth + 1);
    // Every third case, shifted by one in each round.
    const isNear = CROSSED.has(kind) && (number + Math.floor(number / ROUND.length)) % 3 === 0;
    return { number, kind, nth, isNear };
  });
}

/** Lines of a file of results that still count: those of this build and seed. */
export function readLines(file: string | undefined, build: string, seed: number): readonly Line[] {
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.build === build && line.seed === seed);
}

/** The tested version: a hash of the sources and of the lock file. */
export function hashBuild(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const hash = createHash('sha256');
  for (const file of files.filter((name) => name.endsWith('.ts')).toSorted())
    hash.update(file).update(readFileSync(path.join(root, 'src', file)));
  return hash
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
}

export type Draw = (most: number) => number;

/** Draws uniformly from 0 to below `most`, from a seed (mulberry32). */
export function drawing(from: number): Draw {
  let state = from | 0;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most;
  };
}

export function drawOf<T>(draw: Draw, choices: readonly T[]): T {
  return choices[Math.floor(draw(choices.length))] as T;
}

/** The choices in turn. */
export function turnOf<T>(nth: number, choices: readonly T[]): T {
  return choices[nth % choices.length] as T;
}
