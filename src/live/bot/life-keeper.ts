import type { EpochMs, Halt, HaltReason } from '../../domain/index.js';
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

interface LifeKeeperOptions {
  readonly log: Pick<BotLog, 'stateChanged' | 'warning'>;
  /** The venue's time. */
  readonly now: () => EpochMs;
  /** Called when something has become stale or unknown, or everything is known again. */
  readonly onHealth: (news: HealthNews) => void;
}

/** Prefixes of conditions that only the operator ends: actions of others, executions after an end, missing candles, changed rules. */
const OPERATORS_CONCERN = ['foreign ', 'late ', 'hole ', 'rules '];

/** Keeps a bot's life. Logs its changes, and reports changes of conditions to the engine. */
export class LifeKeeper {
  readonly #options: LifeKeeperOptions;
  #life: BotLife;
  /** Halts of the engine that the life already has. */
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

  /** Whether a condition exists. */
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

  /** Begins a condition, changes its text, or ends it (`text` undefined). */
  condition(name: string, text: string | undefined): void {
    if (text === undefined) this.change({ kind: 'recover', name });
    else this.change({ kind: 'degrade', name, text });
  }

  /** Resumes. Ends the pause, the halts, and the conditions that only the operator ends. */
  resume(): void {
    this.change({ kind: 'resume' });
    for (const { name } of this.conditions)
      if (OPERATORS_CONCERN.some((kind) => name.startsWith(kind))) this.condition(name, undefined);
  }

  /** Takes over the halts that begin and end inside the engine. */
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
    // The end resolves no condition: events that arrive while the session stops must not lead to entries.
    if (after.conditions !== before.conditions && after.phase !== 'stopped')
      for (const news of healthNews(before, after)) this.#options.onHealth(news);
    if (after.state === before.state) {
      // The state stays the same, so the owner gets the new reasons as warnings.
      for (const { text } of newReasons(before, after)) log.warning({ time: now, text });
      return;
    }
    const reasons = listReasons(after);
    log.stateChanged({ time: now, from: before.state, to: after.state, reasons });
  }
}

/** New conditions of a bot whose state does not change. */
function newReasons(before: BotLife, after: BotLife): readonly LifeReason[] {
  const known = new Set(before.conditions.map(({ name }) => name));
  return after.state === 'degraded' || after.state === 'frozen' || after.state === 'halted'
    ? after.conditions.filter(({ name }) => !known.has(name))
    : [];
}
