import type { ClientOrderId, EpochMs } from '../../domain/index.js';
import { isOrderUpdate, type OrderUpdate, type VenueUpdate } from '../../venue/index.js';

/**
 * What happened at the venue and who trades there does not know yet (DESIGN R2). The answer to a command is known at once, with all that its
 * order did before, and with a fill the earlier ones of its instrument; what else the venue did by itself is known at the next poll.
 *
 * An answer tells of the order that was asked about, and not of what else came of it: a liquidation, or an end of other orders. A liquidation before
 * its fill is one of the earlier fills.
 */
export class VenueNews {
  readonly #pollMs: number;
  /** Polls up to then are over. */
  #polledUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** What can be told, in the order in which it came to be known; of one order, in which it happened. */
  readonly #known: VenueUpdate[] = [];
  /** What the venue did by itself, in order, and beside it when each is known. */
  readonly #pending: VenueUpdate[] = [];
  readonly #knownAt: EpochMs[] = [];
  /** The order about which the venue is being asked. */
  #asked: ClientOrderId | undefined;
  /** Whether the answer says what its order did before. */
  #tellsEarlier = true;
  #isAnswered = false;
  /** Orders that wait at the venue for their answer, and whether it is being given. */
  readonly #unanswered = new Map<ClientOrderId, boolean>();

  constructor(pollMs: number) {
    this.#pollMs = pollMs;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0 && this.#known.length === 0;
  }

  /** When something is known next; Infinity when there is nothing to tell. */
  nextTime(): EpochMs {
    return this.#known[0]?.eventTime ?? this.#knownAt[0] ?? Number.POSITIVE_INFINITY;
  }

  // Questions.

  /** A command about an order is carried out: what happens to that order meanwhile is the answer. */
  ask(
    clientOrderId: ClientOrderId,
    { tellsEarlier = true }: { readonly tellsEarlier?: boolean } = {},
  ): void {
    this.#asked = clientOrderId;
    this.#tellsEarlier = tellsEarlier;
    this.#isAnswered = false;
  }

  /** It has been carried out. An order to which nothing has happened waits at the venue: its answer comes later. */
  endArrival(): void {
    if (!this.#isAnswered && this.#asked !== undefined) this.#unanswered.set(this.#asked, false);
    this.endAnswers();
  }

  /** What was answered just now is answered: what happens to these orders from now on the venue does by itself. */
  endAnswers(): void {
    this.#asked = undefined;
    if (this.#unanswered.size === 0) return;
    for (const [clientOrderId, isAnswered] of this.#unanswered)
      if (isAnswered) this.#unanswered.delete(clientOrderId);
  }

  #isAnswer(clientOrderId: ClientOrderId): boolean {
    const isWaitedFor = this.#unanswered.size > 0 && this.#unanswered.has(clientOrderId);
    if (isWaitedFor) this.#unanswered.set(clientOrderId, true);
    if (clientOrderId !== this.#asked) return isWaitedFor;
    this.#isAnswered = true;
    return true;
  }

  // What happens.

  /** Something happened, at its `eventTime`. Times never fall. */
  note(update: VenueUpdate): void {
    if (isOrderUpdate(update) && this.#isAnswer(update.clientOrderId)) {
      this.noteKnown(update);
      return;
    }
    const poll = Math.ceil(update.eventTime / this.#pollMs) * this.#pollMs;
    this.#pending.push(update);
    this.#knownAt.push(poll <= this.#polledUntil ? poll + this.#pollMs : poll);
  }

  /** Something happened that is known at once. */
  noteKnown(update: VenueUpdate): void {
    if (this.#pending.length > 0) {
      this.#learnUntil(update.eventTime);
      if (isOrderUpdate(update) && this.#isTold(update)) this.#learnBefore(update);
    }
    this.#known.push(update);
  }

  #isTold({ clientOrderId }: OrderUpdate): boolean {
    return this.#tellsEarlier || clientOrderId !== this.#asked;
  }

  // What is known.

  /** The poll of this instant is over: what happens from now on is known at a later one. */
  endPoll(time: EpochMs): void {
    this.#polledUntil = time;
  }

  /** Takes the next of what is known by `time`. */
  take(time: EpochMs): VenueUpdate | undefined {
    this.#learnUntil(time);
    return this.#known.shift();
  }

  /** What is known by `time` has been told otherwise. */
  forgetKnown(time: EpochMs): void {
    this.#learnUntil(time);
    this.#known.length = 0;
  }

  /** An update has been told otherwise. */
  forget(update: VenueUpdate): void {
    const place = this.#known.indexOf(update);
    if (place >= 0) this.#known.splice(place, 1);
    const pending = this.#pending.indexOf(update);
    if (pending >= 0) this.#takePending(pending);
  }

  #learnUntil(time: EpochMs): void {
    while (this.#knownAt.length > 0 && (this.#knownAt[0] ?? 0) <= time) this.#learn(0);
  }

  /**
   * An answer says what its order has filled until then, and a fill what was filled of its instrument before, by other orders or by force: what a position has cost, and
   * what its closes bring, depends on the order of its fills. What the next poll would have told of them is known now.
   */
  #learnBefore(answer: OrderUpdate): void {
    const isOwn = (update: VenueUpdate): boolean =>
      isOrderUpdate(update) && update.clientOrderId === answer.clientOrderId;
    const fill =
      answer.kind === 'fill'
        ? answer
        : this.#pending.findLast((update) => update.kind === 'fill' && isOwn(update));
    let isBefore = fill !== undefined;
    for (let place = 0; place < this.#pending.length;) {
      const update = this.#pending[place] as VenueUpdate;
      if (update === fill) isBefore = false;
      if (isOwn(update) || (isBefore && areFillsOfOne(update, fill))) this.#learn(place);
      else place += 1;
    }
  }

  #learn(place: number): void {
    const update = this.#takePending(place);
    if (update !== undefined) this.#known.push(update);
  }

  #takePending(place: number): VenueUpdate | undefined {
    // Nearly always the first: ten thousand orders may fill between two polls.
    if (place > 0) {
      this.#knownAt.splice(place, 1);
      return this.#pending.splice(place, 1)[0];
    }
    this.#knownAt.shift();
    return this.#pending.shift();
  }
}

function areFillsOfOne(one: VenueUpdate, other: VenueUpdate | undefined): boolean {
  return (
    (one.kind === 'fill' || one.kind === 'forced-fill') &&
    other?.kind === 'fill' &&
    one.fill.instrumentId === other.fill.instrumentId
  );
}
