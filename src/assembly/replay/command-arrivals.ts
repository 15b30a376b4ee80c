import { StrategyError, formatUtc, type ClientOrderId, type EpochMs } from '../../domain/index.js';
import type { Command, Engine } from '../../engine/index.js';
import type { SimulatedVenue } from '../../simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';
import { CommandPacer } from './command-pacer.js';
import { CommandQueue } from './command-queue.js';
import type { ReplayOptions } from './replay.js';

/** Most rounds of commands and answers at one instant (DESIGN R1). */
const MAX_ROUNDS = 100;

export interface CommandArrivalsOptions extends Pick<ReplayOptions, 'latency' | 'updatePollMs'> {
  readonly engine: Pick<Engine, 'strategyName'>;
  readonly venue: Pick<SimulatedVenue, 'submit' | 'cancel' | 'admitWaiting'>;
}

/** What the venue did by itself, and when the engine learns of it. */
interface PendingUpdate {
  readonly update: VenueUpdate;
  readonly knownAt: EpochMs;
}

/**
 * What travels between engine and venue: commands arrive after their latency, answers to them are known at once, and what the venue did by
 * itself at the next poll (DESIGN R2).
 */
export class CommandArrivals {
  readonly #options: CommandArrivalsOptions;
  /** Tells the engine at this instant what the venue did. */
  readonly #learn: (update: VenueUpdate) => void;
  readonly #queue = new CommandQueue();
  readonly #pacer = new CommandPacer();
  /** What the venue did by itself and the engine does not know yet, in order. */
  readonly #pending: PendingUpdate[] = [];
  /** What the venue answers to what is being asked; the list serves again. */
  readonly #answers: VenueUpdate[] = [];
  /** The order about which the venue is being asked; all of them while those that waited are let in. */
  #asked: ClientOrderId | 'all' | undefined;
  /** This instant: a float that is handed to a function is allocated. */
  #now: EpochMs = Number.NEGATIVE_INFINITY;
  /** Polls up to then are over. */
  #polledUntil: EpochMs = Number.NEGATIVE_INFINITY;
  /** Whether positions are being closed at the end of the run. */
  #isClosing = false;

  constructor(options: CommandArrivalsOptions, learn: (update: VenueUpdate) => void) {
    this.#options = options;
    this.#learn = learn;
  }

  /** Commands that the venue's rate limits held back. */
  get delayed(): number {
    return this.#pacer.delayed;
  }

  /** Whether nothing is on its way, and nothing is waiting to be told. */
  get isQuiet(): boolean {
    return this.#queue.isEmpty && this.#pending.length === 0;
  }

  /** Whether no command counts toward a rate limit any more. */
  isRested(time: EpochMs): boolean {
    return this.#pacer.isRested(time);
  }

  /** When the next command arrives, or the engine learns what the venue did by itself; Infinity where it is quiet. */
  nextTime(): EpochMs {
    return Math.min(
      this.#queue.nextArrival(),
      this.#pending[0]?.knownAt ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Commands leave when the venue's rate limits take them, and then travel. */
  send(commands: readonly Command[], time: EpochMs): void {
    const { latency } = this.#options;
    for (const command of commands)
      this.#queue.send(
        command,
        this.#isClosing
          ? time
          : this.#pacer.departure(command, time) + latency.delayMs(command.kind),
      );
  }

  /** From now on commands arrive at once; of those on their way cancels do, for their orders would keep positions from being left. */
  beginClosing(time: EpochMs): void {
    this.#isClosing = true;
    this.#now = time;
    for (const command of this.#queue.takeAll())
      if (command.kind === 'cancel') this.#queue.send(command, time);
  }

  /** Takes one update of the venue. */
  receive(update: VenueUpdate): void {
    if (this.#asked !== undefined && this.#isAnswer(update)) {
      this.#answers.push(update);
      return;
    }
    const { updatePollMs } = this.#options;
    const poll = Math.ceil(update.eventTime / updatePollMs) * updatePollMs;
    const knownAt = poll <= this.#polledUntil ? poll + updatePollMs : poll;
    this.#pending.push({ update, knownAt });
  }

  /** An answer tells of the order that was asked about, and not of what else came of it: a liquidation, or an end of other orders. */
  #isAnswer(update: VenueUpdate): boolean {
    return isOrderUpdate(update) && (this.#asked === 'all' || update.clientOrderId === this.#asked);
  }

  /** The engine learns what is known of the venue by `time`; what happens there from now on is known at a later poll. */
  poll(time: EpochMs): void {
    this.#now = time;
    this.#polledUntil = time;
    while ((this.#pending[0]?.knownAt ?? Number.POSITIVE_INFINITY) <= time) {
      const known = this.#pending.shift();
      if (known !== undefined) this.#learn(known.update);
    }
  }

  /** The engine learns all that has happened at the venue. */
  learnRest(): void {
    for (const { update } of this.#pending.splice(0)) this.#learn(update);
  }

  /** Commands that waited for a candle to open arrive. */
  admitWaiting(): void {
    this.#asked = 'all';
    this.#options.venue.admitWaiting(this.#now);
    this.#learnAnswers();
  }

  /** What arrives by this instant arrives, and what the answers lead to, round by round. */
  arrive(): void {
    let left = this.#queue.arrivedBy(this.#now);
    for (let round = 0; left > 0; round += 1) {
      if (round >= MAX_ROUNDS) this.#failOnLoop();
      for (; left > 0; left -= 1) this.#carryOut(this.#queue.take());
      left = this.#queue.arrivedBy(this.#now);
    }
  }

  #carryOut(command: Command): void {
    const { venue } = this.#options;
    const { clientOrderId } = command.kind === 'submit' ? command.order : command;
    this.#asked = clientOrderId;
    if (command.kind === 'submit') venue.submit(command.order, this.#now);
    else venue.cancel(clientOrderId, this.#now);
    this.#learnAnswers();
  }

  /** Updates while something was asked are the answers to it: the engine learns them at once. */
  #learnAnswers(): void {
    const answers = this.#answers;
    this.#asked = undefined;
    for (const update of answers) {
      if (this.#pending.length > 0 && isOrderUpdate(update))
        this.#learnPending(update.clientOrderId);
      this.#learn(update);
    }
    // One by one: a list that is cut to nothing loses its memory.
    while (answers.length > 0) answers.pop();
  }

  /** An answer says what its order has filled until then: what the next poll would have told of it is known now. */
  #learnPending(clientOrderId: ClientOrderId): void {
    for (let index = 0; index < this.#pending.length;) {
      const update = this.#pending[index]?.update;
      if (update === undefined || !isOrderUpdate(update) || update.clientOrderId !== clientOrderId)
        index += 1;
      else {
        this.#pending.splice(index, 1);
        this.#learn(update);
      }
    }
  }

  #failOnLoop(): never {
    throw new StrategyError(
      'E_COMMAND_LOOP',
      `more than ${String(MAX_ROUNDS)} rounds of orders and answers at one instant`,
      {
        strategyId: this.#options.engine.strategyName,
        event: `arrivals at ${formatUtc(this.#now)}`,
      },
    );
  }
}
