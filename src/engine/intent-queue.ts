import type { EpochMs, OrderIntent } from '../domain/index.js';
import type { PlainIntent } from '../strategy/index.js';
import { FollowUp } from './follow-up.js';
import type { RecordedIntent } from './journal.js';

const NOTHING: RecordedIntent[] = [];

/** Most intents that one event may cause; beyond it a strategy is in a loop. */
export const MOST_INTENTS = 1_000;
export const NO_INTENT = 0;

/** Intents of one event, judged one by one in the order in which they were raised; those of a strategy that may not trade are counted. */
export class IntentQueue {
  /** Places are used again: most events raise one intent, and a new list each time would be most of what they allocate. */
  readonly #pending: OrderIntent[] = [];
  /** Their numbers, side by side with them. */
  readonly #pendingIds: number[] = [];
  #pendingCount = 0;
  /** So many of them have been judged, or are being. */
  #judged = 0;
  /** Judged where they were raised, and how many there may be by the end of the event. */
  #passed = 0;
  #mostPassed = MOST_INTENTS;
  /** What is known to change nothing until the event ends, in the first instrument and with numbers that follow one another. */
  unchanging: PlainIntent | typeof NO_INTENT = NO_INTENT;
  #lastIntentId: number;
  #added = 0;
  #dropped = 0;
  readonly #isRecorded: boolean;
  readonly #followUp: FollowUp;
  #recorded: RecordedIntent[] = NOTHING;
  /** Numbers that are not given out again; mostly there are none. */
  #reserved: ReadonlySet<number> | undefined;

  /**
   * Numbers go on after `lastIntentId`. `isRecorded`: whether what was wanted is kept for a journal. `followUp` is called with each intent that
   * waits to be judged.
   */
  constructor(lastIntentId: number, isRecorded = false, followUp = new FollowUp()) {
    this.#lastIntentId = lastIntentId;
    this.#isRecorded = isRecorded;
    this.#followUp = followUp;
  }

  /** Begins an event: nothing is recorded of it yet. */
  begin(): void {
    if (this.#recorded !== NOTHING) this.#recorded = NOTHING;
    this.#mostPassed = this.#passed + MOST_INTENTS;
  }

  /** What was judged, or dropped, in this event. */
  get recorded(): readonly RecordedIntent[] {
    return this.#recorded;
  }

  /** Keeps an intent that is judged, or that was dropped, for the journal. */
  record(intentId: number, time: EpochMs, intent: OrderIntent | undefined): void {
    if (!this.#isRecorded) return;
    const entry = { intentId, time, intent };
    // Most events lead to nothing: the list is made with the first.
    if (this.#recorded === NOTHING) this.#recorded = [entry];
    else this.#recorded.push(entry);
  }

  /** Whether numbers may be skipped. */
  get hasReserved(): boolean {
    return this.#reserved !== undefined;
  }

  /** Keeps numbers from being given out: those that intents have which come with them. */
  reserve(intentIds: ReadonlySet<number>): void {
    this.#reserved = intentIds;
  }

  /** Intents that were or will be judged one by one, and not {@link pass}ed. */
  kept = 0;

  /** All up to this number have been given out. */
  reach(intentId: number): void {
    this.#lastIntentId = Math.max(this.#lastIntentId, intentId);
  }

  /** Adds an intent that has its number. */
  restore(intentId: number, intent: OrderIntent): void {
    this.#pending[this.#pendingCount] = intent;
    this.#pendingIds[this.#pendingCount] = intentId;
    this.#pendingCount += 1;
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

  /** Whether any intent waits to be judged. */
  get isPending(): boolean {
    return this.#pendingCount > 0;
  }

  /** Whether an intent waits to be judged; that which is being judged waits no longer. */
  awaits(intentId: number): boolean {
    for (let at = this.#judged; at < this.#pendingCount; at += 1)
      if (this.#pendingIds[at] === intentId) return true;
    return false;
  }

  /** Intents of this event that were judged where they were raised. */
  get passed(): number {
    return this.#passed + MOST_INTENTS - this.#mostPassed;
  }

  nextId(): number {
    let intentId = this.#lastIntentId + 1;
    if (this.#reserved !== undefined) while (this.#reserved.has(intentId)) intentId += 1;
    this.#lastIntentId = intentId;
    return intentId;
  }

  /** Returns the intent's number. */
  add(intent: OrderIntent): number {
    const intentId = this.nextId();
    this.#added += 1;
    this.restore(intentId, intent);
    return intentId;
  }

  /**
   * Counts an intent that is not kept, because it would be judged next and change nothing: what is kept, if only until the end of its
   * event, costs several times as much. Returns the intent's number.
   */
  pass(): number {
    this.#passed += 1;
    return this.nextId();
  }

  /** Passes an intent that was never made, where it is {@link unchanging}; undefined where it has to be made. */
  passAgain(intent: PlainIntent): number | undefined {
    if (intent !== this.unchanging || this.#passed >= this.#mostPassed) return undefined;
    this.#passed += 1;
    this.#lastIntentId += 1;
    return this.#lastIntentId;
  }

  /** Returns the number the intent would have had. */
  drop(): number {
    this.#dropped += 1;
    return this.nextId();
  }

  /** Drops what waits to be judged: whoever wanted it has failed before it was done wanting. */
  dropPending(now: EpochMs): void {
    for (let at = this.#judged; at < this.#pendingCount; at += 1) {
      this.#added -= 1;
      this.#dropped += 1;
      this.record(this.#pendingIds[at] as number, now, undefined);
    }
    this.#pendingCount = this.#judged;
  }

  /** Judges until nothing is left; judging may raise more. Calls `onLoop`, which drops the rest, when there are more than `limit`, with those that passed. */
  judge(
    limit: number,
    handle: (intentId: number, intent: OrderIntent) => void,
    onLoop: () => void,
  ): void {
    while (this.#judged < this.#pendingCount) {
      const at = this.#judged;
      if (this.passed + at >= limit) {
        onLoop();
        break;
      }
      this.#judged += 1;
      handle(this.#pendingIds[at] as number, this.#pending[at] as OrderIntent);
    }
    this.#judged = 0;
    this.#pendingCount = 0;
    this.#mostPassed = this.#passed + MOST_INTENTS;
  }
}
