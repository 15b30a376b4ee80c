import type { ClientOrderId, EpochMs } from '../../domain/index.js';
import { isOrderUpdate, type OrderUpdate, type VenueUpdate } from '../../venue/index.js';

/**
 * Updates of the venue that the bot does not know yet (DESIGN R2). The answer to a command is known at once, with everything that its order did
 * before. An answer with a fill also brings the earlier fills of its instrument. All other updates are known at the next poll.
 *
 * An answer covers the order that was asked about. It does not cover the other effects of the command: a liquidation, or the end of other orders. A
 * liquidation before its fill is one of the earlier fills.
 */
export class VenueNews {
  readonly #pollMs: number;
  /** Polls up to and including this time are over. */
  #polledUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** Updates that the bot may receive, in the order in which they became known. Updates of one order are in the order in which they happened. */
  readonly #known: VenueUpdate[] = [];
  /** What the venue did by itself, in order. `#knownAt` holds the time at which each update is known. */
  readonly #pending: VenueUpdate[] = [];
  readonly #knownAt: EpochMs[] = [];
  /** The order of the command that is being carried out. */
  #asked: ClientOrderId | undefined;
  /** Whether the answer includes what the order did before. */
  #tellsEarlier = true;
  #isAnswered = false;
  /** Orders that wait at the venue for their answer, and whether the answer is being given. */
  readonly #unanswered = new Map<ClientOrderId, boolean>();
  /** Orders of triggers of which the bot has learned nothing but answers to its commands. */
  readonly #conditions = new Set<ClientOrderId>();

  constructor(pollMs: number) {
    this.#pollMs = pollMs;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0 && this.#known.length === 0;
  }

  /** When the next update is known; Infinity if there is none. */
  nextTime(): EpochMs {
    return this.#known[0]?.eventTime ?? this.#knownAt[0] ?? Number.POSITIVE_INFINITY;
  }

  // Questions.

  /**
   * Begins to carry out a command about an order. Until {@link endArrival}, updates of this order are the answer. `placesCondition`: the order is sent
   * later, when its trigger fires.
   */
  ask(
    clientOrderId: ClientOrderId,
    {
      tellsEarlier = true,
      placesCondition = false,
    }: { readonly tellsEarlier?: boolean; readonly placesCondition?: boolean } = {},
  ): void {
    if (placesCondition) this.#conditions.add(clientOrderId);
    this.#asked = clientOrderId;
    this.#tellsEarlier = tellsEarlier;
    this.#isAnswered = false;
  }

  /** Ends the command of {@link ask}. If nothing has happened to the order, it waits at the venue and its answer comes later. */
  endArrival(): void {
    if (!this.#isAnswered && this.#asked !== undefined) this.#unanswered.set(this.#asked, false);
    this.endAnswers();
  }

  /** Ends the answers of this moment. Later updates of these orders count as acts of the venue itself. */
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

  // Events.

  /** Records an update at its `eventTime`. Times never fall. */
  note(update: VenueUpdate): void {
    if (isOrderUpdate(update) && this.#isAnswer(update.clientOrderId)) {
      if (update.kind === 'ended') this.#conditions.delete(update.clientOrderId);
      this.noteKnown(update);
      return;
    }
    if (this.#isNeverShown(update)) return;
    const poll = Math.ceil(update.eventTime / this.#pollMs) * this.#pollMs;
    this.#pending.push(update);
    this.#knownAt.push(poll <= this.#polledUntil ? poll + this.#pollMs : poll);
  }

  /** Whether an update is the end of a trigger's order that found nothing to close or no volume: no poll of a venue shows that. */
  #isNeverShown(update: VenueUpdate): boolean {
    if (!isOrderUpdate(update) || !this.#conditions.delete(update.clientOrderId)) return false;
    return update.kind === 'ended';
  }

  /** Records an update that is known at once. */
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

  // Known updates.

  /** Ends the poll of this instant. Later updates are known at a later poll. */
  endPoll(time: EpochMs): void {
    this.#polledUntil = time;
  }

  /** Takes the next update that is known by `time`; undefined if there is none. */
  take(time: EpochMs): VenueUpdate | undefined {
    if (this.#pending.length > 0) this.#learnUntil(time);
    return this.#known.shift();
  }

  /** Drops all updates that are known by `time`: the bot has received them in another way. */
  forgetKnown(time: EpochMs): void {
    this.#learnUntil(time);
    this.#known.length = 0;
  }

  /** Drops an update that the bot has received in another way. */
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
   * Makes known the updates that come with an answer: earlier updates of the same order, and with a fill also the earlier fills of its instrument, by
   * other orders or by force. The cost of a position and the result of its closes depend on the order of its fills, so these fills cannot wait for
   * the next poll.
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
    // Nearly always the first. `shift` is fast even if ten thousand orders fill between two polls.
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
