import { InvariantError, type EpochMs, type HaltReason } from '../../domain/index.js';
import type { BotState } from './bot-control.js';

/** Prefix of the names of conditions of frozen positions: the venue refuses to close them. */
export const FROZEN = 'frozen ';

/** Prefix of the names of conditions of streams that miss candles which their indicators need. */
export const WARMING = 'warming ';

/** Phase of a bot. People see `active` as running, paused, degraded or halted. */
export type LifePhase = 'starting' | 'warming' | 'active' | 'halting' | 'stopped';

/** The phases that may follow each phase. A bot that was cut off for long warms up again. */
export const LIFE_TRANSITIONS: Readonly<Record<LifePhase, readonly LifePhase[]>> = {
  starting: ['warming', 'halting', 'stopped'],
  warming: ['active', 'halting', 'stopped'],
  active: ['warming', 'halting', 'stopped'],
  halting: ['stopped'],
  stopped: [],
};

/** A named cause. Two stale streams have two names, so both must recover. */
export interface LifeReason {
  /** Unique within its kind, for example `stream candles spot:BTCUSDT 1h`. */
  readonly name: string;
  /** One line for people. */
  readonly text: string;
  readonly since: EpochMs;
}

/** A bot's life at an instant. */
export interface BotLife {
  readonly phase: LifePhase;
  /** Derived from phase and reasons. */
  readonly state: BotState;
  /** Start of the state. */
  readonly since: EpochMs;
  readonly isPaused: boolean;
  /** Halts of entries. Each ends by itself, or when the operator resumes. */
  readonly halts: readonly LifeReason[];
  /** What is stale or unknown. Each condition stays until it is resolved. */
  readonly conditions: readonly LifeReason[];
}

/** Something that changes a bot's life. */
export type LifeEvent = { readonly time: EpochMs } & (
  | { readonly kind: 'phase'; readonly phase: LifePhase }
  | { readonly kind: 'pause' }
  /** Ends the pause and every halt, except that of a failed strategy. Conditions stay. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'halt'; readonly name: string; readonly text: string }
  /** A halt is over by itself. */
  | { readonly kind: 'halt-over'; readonly name: string }
  | { readonly kind: 'degrade'; readonly name: string; readonly text: string }
  | { readonly kind: 'recover'; readonly name: string }
);

type WithoutTime<T> = T extends { readonly time: EpochMs } ? Omit<T, 'time'> : never;
/** A {@link LifeEvent} that happens now. */
export type LifeChange = WithoutTime<LifeEvent>;

/** The life of a new bot. */
export function beginLife(time: EpochMs): BotLife {
  return {
    phase: 'starting',
    state: 'starting',
    since: time,
    isPaused: false,
    halts: [],
    conditions: [],
  };
}

/**
 * Applies one event. Returns the same object if nothing changes, so that callers can compare by identity. An event after the end changes nothing: a
 * command of the operator may cross a stop.
 *
 * @throws {InvariantError} `E_LIFE_TRANSITION` for a phase that cannot follow.
 */
export function advanceLife(life: BotLife, event: LifeEvent): BotLife {
  if (event.kind === 'phase') return enterPhase(life, event.phase, event.time);
  if (life.phase === 'stopped') return life;
  switch (event.kind) {
    case 'pause':
      return life.isPaused ? life : settle(life, { isPaused: true }, event.time);
    case 'resume':
      if (!life.isPaused && life.halts.every(isFailure)) return life;
      return settle(life, { isPaused: false, halts: life.halts.filter(isFailure) }, event.time);
    case 'halt':
      return replaceReasons(life, 'halts', withReason(life.halts, event), event.time);
    case 'halt-over':
      return replaceReasons(life, 'halts', without(life.halts, event.name), event.time);
    case 'degrade':
      return replaceReasons(life, 'conditions', withReason(life.conditions, event), event.time);
    case 'recover':
      return replaceReasons(life, 'conditions', without(life.conditions, event.name), event.time);
  }
}

/** Why the bot is not running normally, the most serious reason first; empty once it has stopped. */
export function listReasons({ halts, conditions, isPaused }: BotLife): readonly string[] {
  const texts = [...halts, ...conditions].map(({ text }) => text);
  return isPaused ? [...texts, 'paused by the operator'] : texts;
}

function enterPhase(life: BotLife, phase: LifePhase, time: EpochMs): BotLife {
  if (phase === life.phase) return life;
  if (!LIFE_TRANSITIONS[life.phase].includes(phase)) {
    throw new InvariantError('E_LIFE_TRANSITION', `a bot cannot go from ${life.phase} to ${phase}`);
  }
  const ended = phase === 'stopped' ? { isPaused: false, halts: [], conditions: [] } : {};
  return settle(life, { ...ended, phase }, time);
}

function replaceReasons(
  life: BotLife,
  kind: 'halts' | 'conditions',
  reasons: readonly LifeReason[],
  time: EpochMs,
): BotLife {
  return reasons === life[kind] ? life : settle(life, { [kind]: reasons }, time);
}

/** Adds a reason. A known reason keeps its place and its time, and takes the new text. */
function withReason(
  reasons: readonly LifeReason[],
  { name, text, time }: { readonly name: string; readonly text: string; readonly time: EpochMs },
): readonly LifeReason[] {
  const known = reasons.find((reason) => reason.name === name);
  if (known === undefined) return [...reasons, { name, text, since: time }];
  if (known.text === text) return reasons;
  return reasons.map((reason) => (reason === known ? { ...known, text } : reason));
}

function without(reasons: readonly LifeReason[], name: string): readonly LifeReason[] {
  const rest = reasons.filter((reason) => reason.name !== name);
  return rest.length === reasons.length ? reasons : rest;
}

function settle(life: BotLife, change: Partial<BotLife>, time: EpochMs): BotLife {
  const next = { ...life, ...change };
  const state = stateOf(next);
  return { ...next, state, since: state === life.state ? life.since : time };
}

const STRATEGY_FAILED = 'strategy-failed' satisfies HaltReason & BotState;

function isFailure({ name }: LifeReason): boolean {
  return name === STRATEGY_FAILED;
}

/** The most serious state that applies: first halts, which the operator ends, then conditions, then the pause. */
function stateOf({ phase, halts, conditions, isPaused }: BotLife): BotState {
  if (phase !== 'active') return phase;
  if (halts.some(isFailure)) return STRATEGY_FAILED;
  if (halts.length > 0) return 'halted';
  if (conditions.some(({ name }) => name.startsWith(FROZEN))) return 'frozen';
  if (conditions.some(({ name }) => !name.startsWith(WARMING))) return 'degraded';
  if (conditions.length > 0) return 'warming';
  return isPaused ? 'paused' : 'running';
}
