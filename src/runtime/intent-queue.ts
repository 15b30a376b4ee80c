import type { OrderIntent } from '../domain/index.js';

/** An intent that waits for its turn within the event that raised it. */
interface PendingIntent {
  readonly intentId: number;
  readonly intent: OrderIntent;
}

/** Intents of one event, judged one by one in the order in which they were raised; those of a strategy that may not trade are counted. */
export class IntentQueue {
  /** Places are used again: most events raise one intent, and a new list each time would be most of what they allocate. */
  readonly #pending: PendingIntent[] = [];
  #pendingCount = 0;
  #lastIntentId: number;
  #accepted = 0;
  #dropped = 0;

  /** Numbers go on after `lastIntentId`. */
  constructor(lastIntentId: number) {
    this.#lastIntentId = lastIntentId;
  }

  get lastId(): number {
    return this.#lastIntentId;
  }

  /** Intents that were or will be judged, and those dropped because the strategy was not warm. */
  get counts(): { readonly judged: number; readonly dropped: number } {
    return { judged: this.#accepted, dropped: this.#dropped };
  }

  /** Whether any intent waits to be judged. */
  get isPending(): boolean {
    return this.#pendingCount > 0;
  }

  nextId(): number {
    this.#lastIntentId += 1;
    return this.#lastIntentId;
  }

  /** Returns the intent's number. */
  add(intent: OrderIntent): number {
    const intentId = this.nextId();
    this.#accepted += 1;
    this.#pending[this.#pendingCount] = { intentId, intent };
    this.#pendingCount += 1;
    return intentId;
  }

  /** Returns the number the intent would have had. */
  drop(): number {
    this.#dropped += 1;
    return this.nextId();
  }

  /** Judges until nothing is left; judging may raise more. Calls `onLoop` when there are more than `limit`. */
  judge(
    limit: number,
    handle: (intentId: number, intent: OrderIntent) => void,
    onLoop: () => never,
  ): void {
    for (let judged = 0; judged < this.#pendingCount; judged += 1) {
      if (judged >= limit) onLoop();
      const { intentId, intent } = this.#pending[judged] as PendingIntent;
      handle(intentId, intent);
    }
    this.#pendingCount = 0;
  }
}
