import { StrategyError, formatUtc, type EpochMs } from '../../domain/index.js';
import type { Command, Engine } from '../../engine/index.js';
import { Clockwork, type SimulatedVenue } from '../../simulator/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { ReplayOptions } from './replay.js';

/** Most rounds of commands and answers at one instant (DESIGN R1). */
const MAX_ROUNDS = 100;

export interface CommandArrivalsOptions extends Pick<ReplayOptions, 'latency' | 'updatePollMs'> {
  readonly engine: Pick<Engine, 'strategyName'>;
  readonly venue: Pick<SimulatedVenue, 'submit' | 'submitConditional' | 'cancel' | 'admitWaiting'>;
}

/** Feeds the venue's clockwork: what arrives at an instant is carried out, and what is known at one the engine learns then. */
export class CommandArrivals {
  readonly #options: CommandArrivalsOptions;
  /** Tells the engine at this instant what the venue did. */
  readonly #learn: (update: VenueUpdate) => void;
  readonly #clockwork: Clockwork<Command>;
  /** This instant: a float that is handed to a function is allocated. */
  #now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: CommandArrivalsOptions, learn: (update: VenueUpdate) => void) {
    this.#options = options;
    this.#learn = learn;
    this.#clockwork = new Clockwork(options);
  }

  /** Commands that the venue's rate limits held back. */
  get delayed(): number {
    return this.#clockwork.travel.delayed;
  }

  /** Whether nothing is on its way, and nothing is waiting to be told. */
  get isQuiet(): boolean {
    return this.#clockwork.isQuiet;
  }

  /** Whether no command counts toward a rate limit any more. */
  isRested(time: EpochMs): boolean {
    return this.#clockwork.travel.isRested(time);
  }

  /** When the next command arrives, or the engine learns what the venue did by itself; Infinity where it is quiet. */
  nextTime(): EpochMs {
    return this.#clockwork.nextTime();
  }

  send(commands: readonly Command[], time: EpochMs): void {
    for (const command of commands) this.#clockwork.travel.send(command, time);
  }

  /** From now on commands arrive at once. */
  beginClosing(time: EpochMs): void {
    this.#now = time;
    this.#clockwork.travel.beginClosing(time);
  }

  /** Takes one update of the venue. */
  receive(update: VenueUpdate): void {
    this.#clockwork.news.note(update);
  }

  /** The engine learns what is known of the venue by `time`; what happens there from now on is known at a later poll. */
  poll(time: EpochMs): void {
    this.#now = time;
    this.#clockwork.news.endPoll(time);
    this.#learnUntil(time);
  }

  /** The engine learns all that has happened at the venue; no poll comes any more. */
  learnRest(): void {
    this.#clockwork.news.endPoll(Number.POSITIVE_INFINITY);
    this.#learnUntil(Number.POSITIVE_INFINITY);
  }

  /** Commands that waited for a candle to open arrive. */
  admitWaiting(): void {
    this.#options.venue.admitWaiting(this.#now);
    this.#clockwork.news.endAnswers();
    this.#learnUntil(this.#now);
  }

  /** What arrives by this instant arrives, and what the answers lead to, round by round. */
  arrive(): void {
    const { travel } = this.#clockwork;
    let left = travel.arrivedBy(this.#now);
    for (let round = 0; left > 0; round += 1) {
      if (round >= MAX_ROUNDS) this.#failOnLoop();
      for (; left > 0; left -= 1) {
        this.#clockwork.carryOutNext(this.#now);
        this.#learnUntil(this.#now);
      }
      left = travel.arrivedBy(this.#now);
    }
  }

  #learnUntil(time: EpochMs): void {
    const { news } = this.#clockwork;
    for (let known = news.take(time); known !== undefined; known = news.take(time))
      this.#learn(known);
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
