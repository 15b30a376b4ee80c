import type { EpochMs, OrderIntent, Refusal } from '../../domain/index.js';
import type { PlainIntent } from '../../strategy/index.js';
import type { RecordedIntent } from '../journal.js';
import { FollowUp } from './follow-up.js';

const NOTHING: RecordedIntent[] = [];

/** Most intents that one event may cause; beyond it a strategy is in a loop. */
export const MOST_INTENTS = 1_000;
export const NO_INTENT = 0;

/** Intents of one event, judged one by one in the order in which they were raised; intents of a strategy that may not trade are only counted. */
export class IntentQueue {
  /** Reused for each event: most events raise one intent, and a new list each time would be most of their allocation. */
  readonly #intents: OrderIntent[] = [];
  /** Ids of the pending intents, at the same indexes. */
  readonly #pendingIds: number[] = [];
  /** Problems in their form, at the same indexes; undefined for a valid form. */
  readonly #problems: (Refusal | undefined)[] = [];
  /** Number of intents that wait to be judged, or have been judged since the last time that none was left. */
  pending = 0;
  /** How many pending intents have been judged, or are being judged. */
  #judged = 0;
  /** Number of intents that were judged when they were raised, and the most that this may be by the end of the event. */
  #passed = 0;
  #mostPassed = MOST_INTENTS;
  /** A plain intent in the first instrument that is known to change nothing until the event ends. Set only while no ids are reserved. */
  unchanging: PlainIntent | typeof NO_INTENT = NO_INTENT;
  #lastIntentId: number;
  #added = 0;
  #dropped = 0;
  readonly #isRecorded: boolean;
  readonly #followUp: FollowUp;
  #recorded: RecordedIntent[] = NOTHING;
  /** Ids that are not given out; usually there are none. */
  #reserved: ReadonlySet<number> | undefined;

  /**
   * Ids continue after `lastIntentId`. `isRecorded`: whether intents are kept for a journal. `followUp` is set with each intent that waits to be
   * judged.
   */
  constructor(lastIntentId: number, isRecorded = false, followUp = new FollowUp()) {
    this.#lastIntentId = lastIntentId;
    this.#isRecorded = isRecorded;
    this.#followUp = followUp;
  }

  /** Begins an event, with an empty record. */
  begin(): void {
    if (this.#recorded !== NOTHING) this.#recorded = NOTHING;
    this.#mostPassed = this.#passed + MOST_INTENTS;
  }

  /** Intents that were judged or dropped in this event. */
  get recorded(): readonly RecordedIntent[] {
    return this.#recorded;
  }

  /** Keeps an intent that is judged for the journal; undefined stands for a dropped intent. */
  record(intentId: number, time: EpochMs, intent: OrderIntent | undefined): void {
    if (!this.#isRecorded) return;
    const entry = { intentId, time, intent };
    // Most events raise no intent, so the list is created with the first.
    if (this.#recorded === NOTHING) this.#recorded = [entry];
    else this.#recorded.push(entry);
  }

  /** Whether ids may be skipped. */
  get hasReserved(): boolean {
    return this.#reserved !== undefined;
  }

  /** Keeps ids from being given out: those of intents that come with an id of their own. */
  reserve(intentIds: ReadonlySet<number>): void {
    this.#reserved = intentIds;
  }

  /** Number of intents that were or will be judged one by one, and not {@link pass}ed. */
  kept = 0;

  /** Marks all ids up to this one as given out. */
  reach(intentId: number): void {
    this.#lastIntentId = Math.max(this.#lastIntentId, intentId);
  }

  /** Adds an intent that already has its id. `problem`: as in {@link add}. */
  restore(intentId: number, intent: OrderIntent, problem?: Refusal): void {
    this.#intents[this.pending] = intent;
    this.#pendingIds[this.pending] = intentId;
    this.#problems[this.pending] = problem;
    this.pending += 1;
    this.kept += 1;
    this.#followUp.isNeeded = true;
  }

  get lastId(): number {
    return this.#lastIntentId;
  }

  /** Intents that were or will be judged, and those dropped because the strategy was not warm. */
  get counts(): { readonly judged: number; readonly dropped: number } {
    return { judged: this.#passed + this.#added, dropped: this.#dropped };
  }

  /** Whether an intent waits to be judged; an intent that is being judged no longer waits. */
  awaits(intentId: number): boolean {
    for (let at = this.#judged; at < this.pending; at += 1)
      if (this.#pendingIds[at] === intentId) return true;
    return false;
  }

  /** Number of intents of this event that were judged when they were raised. */
  get passed(): number {
    return this.#passed + MOST_INTENTS - this.#mostPassed;
  }

  nextId(): number {
    let intentId = this.#lastIntentId + 1;
    if (this.#reserved !== undefined) while (this.#reserved.has(intentId)) intentId += 1;
    this.#lastIntentId = intentId;
    return intentId;
  }

  /** Adds an intent to be judged. `problem`: a problem of its form, for which it will be refused. Returns the intent's id. */
  add(intent: OrderIntent, problem?: Refusal): number {
    const intentId = this.nextId();
    this.#added += 1;
    this.restore(intentId, intent, problem);
    return intentId;
  }

  /**
   * Counts an intent that is not kept, because it would be judged next and change nothing. Keeping it, even only until the end of its event,
   * costs several times as much. Returns the intent's id.
   */
  pass(): number {
    this.#passed += 1;
    return this.nextId();
  }

  /** Passes an intent without creating it, if it is {@link unchanging}; undefined if it has to be created. */
  passAgain(intent: PlainIntent): number | undefined {
    if (intent !== this.unchanging || this.#passed >= this.#mostPassed) return undefined;
    this.#passed += 1;
    this.#lastIntentId += 1;
    return this.#lastIntentId;
  }

  /** Counts a dropped intent. Returns the id that it would have had. */
  drop(): number {
    this.#dropped += 1;
    return this.nextId();
  }

  /** Drops intents that wait to be judged, because the strategy has failed in the same event. */
  dropPending(now: EpochMs): void {
    for (let at = this.#judged; at < this.pending; at += 1) {
      this.#added -= 1;
      this.#dropped += 1;
      this.record(this.#pendingIds[at] as number, now, undefined);
    }
    this.pending = this.#judged;
  }

  /** Judges until no intent is left; judging may raise more. With more than `limit` intents, passed ones included, calls `onLoop` and drops the rest. */
  judge(
    limit: number,
    handle: (intentId: number, intent: OrderIntent, problem: Refusal | undefined) => void,
    onLoop: () => void,
  ): void {
    while (this.#judged < this.pending) {
      const at = this.#judged;
      if (this.passed + at >= limit) {
        onLoop();
        break;
      }
      this.#judged += 1;
      handle(this.#pendingIds[at] as number, this.#intents[at] as OrderIntent, this.#problems[at]);
    }
    this.#judged = 0;
    this.pending = 0;
    this.#mostPassed = this.#passed + MOST_INTENTS;
  }
}
