import type { EpochMs } from '../../domain/index.js';
import type { LatencyModel } from '../models/latency.js';
import type { SimulatedVenue } from '../simulated-venue.js';
import { CommandTravel } from './command-travel.js';
import type { VenueCommand } from './venue-command.js';
import { VenueNews } from './venue-news.js';

interface ClockworkOptions {
  readonly venue: Pick<SimulatedVenue, 'submit' | 'submitConditional' | 'cancel'>;
  readonly latency: LatencyModel;
  /** Interval of the polls that show what the venue did by itself, in ms (DESIGN R2). */
  readonly updatePollMs: number;
}

/** The timing between a bot and a simulated venue: when commands arrive there, and when the bot learns what happened there. */
export class Clockwork<C extends VenueCommand> {
  readonly travel: CommandTravel<C>;
  readonly news: VenueNews;
  readonly #venue: ClockworkOptions['venue'];

  constructor({ venue, latency, updatePollMs }: ClockworkOptions) {
    this.#venue = venue;
    this.travel = new CommandTravel(latency);
    this.news = new VenueNews(updatePollMs);
  }

  /** Whether no command is on its way and no update waits for the bot. */
  get isQuiet(): boolean {
    return this.travel.count === 0 && this.news.isEmpty;
  }

  /** When the next command arrives or the next update is known. Infinity if there is neither. */
  nextTime(): EpochMs {
    return Math.min(this.travel.nextArrival(), this.news.nextTime());
  }

  /** Carries out the command that arrives first; there must be one that has arrived by `time`. Its answer is known at that time. */
  carryOutNext(time: EpochMs): void {
    const command = this.travel.take();
    const { clientOrderId } = command.kind === 'submit' ? command.order : command;
    const isCondition = command.kind === 'cancel' && command.isCondition === true;
    // The end of a condition says nothing about the order that the condition sent.
    const placesCondition = command.kind === 'submit' && command.condition !== undefined;
    this.news.ask(clientOrderId, { tellsEarlier: !isCondition, placesCondition });
    if (command.kind === 'cancel') this.#venue.cancel(clientOrderId, time, isCondition);
    else if (command.condition === undefined) this.#venue.submit(command.order, time);
    else this.#venue.submitConditional({ ...command.condition, order: command.order }, time);
    this.news.endArrival();
  }
}
