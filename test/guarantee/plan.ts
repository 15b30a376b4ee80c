import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What is done to a bot, in turn: weights of one round. Ends of processes first: at any time, between an entry's fill and its stop, between a cancel and
 * what is sent anew, both processes at once, the guard process as it takes over, the bot as it takes back.
 */
const ROUND = [
  ...['kill', 'kill-fill', 'cut', 'kill-cancel', 'both', 'exchange', 'takeover', 'hand-back'],
  ...['stop', 'kill', 'kill-fill', 'fault', 'kill-cancel', 'both', 'exchange', 'cut'],
  ...['takeover', 'hand-back', 'suspend', 'kill', 'fault', 'plugin', 'both', 'exchange', 'stop'],
  ...['cut', 'kill', 'rules', 'fault'],
] as const;
export type CaseKind = (typeof ROUND)[number];
export const KINDS: readonly CaseKind[] = [...new Set<CaseKind>(ROUND)];

/** Kinds after which the price may go through the stop while nobody, or somebody else, watches. */
const CROSSED: ReadonlySet<CaseKind> = new Set([
  ...(['kill', 'both', 'takeover', 'hand-back', 'stop', 'suspend', 'exchange', 'cut'] as const),
]);

export interface Case {
  readonly number: number;
  readonly kind: CaseKind;
  /** How many cases of its kind come before it: what has so many sorts is done in each of them in turn. */
  readonly nth: number;
  /** Whether the stop is so near that the price goes through it: the case ends when the position is closed. */
  readonly isNear: boolean;
}

/** What became of a case. */
export interface Outcome {
  /** Cause in the figures: the kind, with what was drawn. */
  readonly cause: string;
  /** From when nothing watched the stop, or could, to the first price that was answered again; undefined where the position was closed before. */
  readonly nakedMs: number | undefined;
  /** What it may be at most; undefined where nothing is promised. */
  readonly mostMs: number | undefined;
  /** The longest time that the price was beyond the stop and could be seen, up to the answer to the order that closed the position. */
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

/** The cases of a seed. The same number is the same case, however many there are and whoever carries it out. */
export function planCases(count: number): readonly Case[] {
  const counts = new Map<CaseKind, number>();
  return Array.from({ length: count }, (_, number) => {
    const kind = ROUND[number % ROUND.length] as CaseKind;
    const nth = counts.get(kind) ?? 0;
    counts.set(kind, nth + 1);
    // Every third, and in the next round another one.
    const isNear = CROSSED.has(kind) && (number + Math.floor(number / ROUND.length)) % 3 === 0;
    return { number, kind, nth, isNear };
  });
}

/** What of a file of results counts still: lines of this build and seed. */
export function readLines(file: string | undefined, build: string, seed: number): readonly Line[] {
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.build === build && line.seed === seed);
}

/** What was tested: a hash of the sources and of the lock file. */
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

/** Uniform from 0 to before a most, from a seed (mulberry32). */
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

/** One of so many, in turn. */
export function turnOf<T>(nth: number, choices: readonly T[]): T {
  return choices[nth % choices.length] as T;
}
