import type { EpochMs, Halt, HaltReason } from '../domain/index.js';
import {
  advanceLife,
  beginLife,
  listReasons,
  type BotLife,
  type LifeChange,
  type LifePhase,
  type LifeReason,
} from './bot-life.js';
import type { BotStatus } from './bot-control.js';
import { healthNews, type HealthNews } from './health-news.js';
import type { BotLog } from './bot-log.js';

export interface LifeKeeperOptions {
  readonly log: Pick<BotLog, 'stateChanged' | 'warning'>;
  /** The venue's time. */
  readonly now: () => EpochMs;
  /** Something has become stale or unknown, or all is known again. */
  readonly onHealth: (news: HealthNews) => void;
}

/** What only the operator can judge: what others did, what came after an end, candles that nobody has, and rules that have changed. */
const OPERATORS_CONCERN = ['foreign ', 'late ', 'hole ', 'rules '];

/** A bot's life as it goes on: what changes it is logged, and whoever decides about entries is told. */
export class LifeKeeper {
  readonly #options: LifeKeeperOptions;
  #life: BotLife;
  /** Halts of the engine that the life knows. */
  #halts: ReadonlySet<HaltReason> = new Set();

  constructor(options: LifeKeeperOptions) {
    this.#options = options;
    this.#life = beginLife(options.now());
  }

  get phase(): LifePhase {
    return this.#life.phase;
  }

  get isOver(): boolean {
    return this.phase === 'halting' || this.phase === 'stopped';
  }

  get conditions(): readonly LifeReason[] {
    return this.#life.conditions;
  }

  /** Whether a condition is there. */
  stands(condition: string): boolean {
    return this.conditions.some(({ name }) => name === condition);
  }

  get status(): Pick<BotStatus, 'state' | 'since' | 'reasons'> {
    const { state, since } = this.#life;
    return { state, since, reasons: listReasons(this.#life) };
  }

  enter(phase: LifePhase): void {
    this.change({ kind: 'phase', phase });
  }

  /** A condition begins, or tells news of itself, or ends (`text` undefined). */
  condition(name: string, text: string | undefined): void {
    if (text === undefined) this.change({ kind: 'recover', name });
    else this.change({ kind: 'degrade', name, text });
  }

  /** The operator has seen what was found, and lets the bot enter again. */
  resume(): void {
    this.change({ kind: 'resume' });
    for (const { name } of this.conditions)
      if (OPERATORS_CONCERN.some((kind) => name.startsWith(kind))) this.condition(name, undefined);
  }

  /** Halts begin and end inside the engine. */
  followHalts(halts: readonly Halt[], time: EpochMs): void {
    const now = halts.filter(({ until }) => until === undefined || until > time);
    const names = new Set(now.map(({ reason }) => reason));
    for (const { reason, text } of now)
      if (!this.#halts.has(reason)) this.change({ kind: 'halt', name: reason, text });
    for (const name of this.#halts) if (!names.has(name)) this.change({ kind: 'halt-over', name });
    this.#halts = names;
  }

  change(change: LifeChange): void {
    const { log, now: clock } = this.#options;
    const before = this.#life;
    const now = clock();
    const after = advanceLife(before, { ...change, time: now });
    if (after === before) return;
    this.#life = after;
    // An end resolves nothing: what comes in while the session stops is to lead to no entry.
    if (after.conditions !== before.conditions && after.phase !== 'stopped')
      for (const news of healthNews(before, after)) this.#options.onHealth(news);
    if (after.state === before.state) {
      // Where the state says it already, the owner is told of what has come to it.
      for (const { text } of newReasons(before, after)) log.warning({ time: now, text });
      return;
    }
    const reasons = listReasons(after);
    log.stateChanged({ time: now, from: before.state, to: after.state, reasons });
  }
}

/** Conditions of a bot that already has others. */
function newReasons(before: BotLife, after: BotLife): readonly LifeReason[] {
  const known = new Set(before.conditions.map(({ name }) => name));
  return after.state === 'degraded' || after.state === 'frozen' || after.state === 'halted'
    ? after.conditions.filter(({ name }) => !known.has(name))
    : [];
}
