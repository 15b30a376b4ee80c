import { StrategyError, formatUtc, type EpochMs } from '../../domain/index.js';
import type { Command, Engine } from '../../engine/index.js';
import { Clockwork, type SimulatedVenue } from '../../simulator/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { ReplayOptions } from './replay.js';

/** Most rounds of commands and answers at one instant (DESIGN R1). */
const MAX_ROUNDS = 100;

interface CommandArrivalsOptions extends Pick<ReplayOptions, 'latency' | 'updatePollMs'> {
  readonly engine: Pick<Engine, 'strategyName'>;
  readonly venue: Pick<SimulatedVenue, 'submit' | 'submitConditional' | 'cancel' | 'admitWaiting'>;
}

/** The venue's clockwork, driven: it carries out commands when they arrive, and gives the engine updates when they are known. */
export class CommandArrivals extends Clockwork<Command> {
  readonly #options: CommandArrivalsOptions;
  /** Gives the engine an update of the venue at this instant. */
  readonly #learn: (update: VenueUpdate) => void;
  /** Present instant. It is a field, because a float passed to a function would be allocated. */
  #now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: CommandArrivalsOptions, learn: (update: VenueUpdate) => void) {
    super(options);
    this.#options = options;
    this.#learn = learn;
  }

  send(commands: readonly Command[], time: EpochMs): void {
    for (const command of commands) this.travel.send(command, time);
  }

  /** Makes commands arrive at once from now on. */
  beginClosing(time: EpochMs): void {
    this.#now = time;
    this.travel.beginClosing(time);
  }

  /** Gives the engine the venue's updates that are known by `time`. Later updates become known at a later poll. */
  poll(time: EpochMs): void {
    this.#now = time;
    this.news.endPoll(time);
    this.#learnUntil(time);
  }

  /** Gives the engine all remaining updates of the venue. No poll follows. */
  learnRest(): void {
    this.news.endPoll(Number.POSITIVE_INFINITY);
    this.#learnUntil(Number.POSITIVE_INFINITY);
  }

  /** Lets orders that waited for a candle to open arrive. */
  admitWaiting(): void {
    this.#options.venue.admitWaiting(this.#now);
    this.news.endAnswers();
    this.#learnUntil(this.#now);
  }

  /** Carries out the commands that arrive by this instant, and those that follow from the answers, round by round. */
  arrive(): void {
    const { travel } = this;
    let left = travel.arrivedBy(this.#now);
    for (let round = 0; left > 0; round += 1) {
      if (round >= MAX_ROUNDS) this.#failOnLoop();
      for (; left > 0; left -= 1) {
        this.carryOutNext(this.#now);
        this.#learnUntil(this.#now);
      }
      left = travel.arrivedBy(this.#now);
    }
  }

  #learnUntil(time: EpochMs): void {
    const { news } = this;
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
