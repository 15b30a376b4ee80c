import type { EpochMs } from '../../domain/index.js';
import type { LatencyModel } from '../models/latency.js';
import type { SimulatedVenue } from '../simulated-venue.js';
import { CommandTravel } from './command-travel.js';
import type { VenueCommand } from './venue-command.js';
import { VenueNews } from './venue-news.js';

export interface ClockworkOptions {
  readonly venue: Pick<SimulatedVenue, 'submit' | 'submitConditional' | 'cancel'>;
  readonly latency: LatencyModel;
  /** Grid on which is known what the venue did by itself (DESIGN R2). */
  readonly updatePollMs: number;
}

/** What happens when between a bot and a simulated venue: when its commands arrive there, and when what happened there is known. */
export class Clockwork<C extends VenueCommand> {
  readonly travel: CommandTravel<C>;
  readonly news: VenueNews;
  readonly #venue: ClockworkOptions['venue'];

  constructor({ venue, latency, updatePollMs }: ClockworkOptions) {
    this.#venue = venue;
    this.travel = new CommandTravel(latency);
    this.news = new VenueNews(updatePollMs);
  }

  /** Whether nothing is on its way, and nothing is waiting to be told. */
  get isQuiet(): boolean {
    return this.travel.isEmpty && this.news.isEmpty;
  }

  /** When the next command arrives, or something is known; Infinity where it is quiet. */
  nextTime(): EpochMs {
    return Math.min(this.travel.nextArrival(), this.news.nextTime());
  }

  /** The command that arrives first is carried out: there must be one that has arrived by `time`. Its answer is known then. */
  carryOutNext(time: EpochMs): void {
    const command = this.travel.take();
    const { clientOrderId } = command.kind === 'submit' ? command.order : command;
    const isCondition = command.kind === 'cancel' && command.isCondition === true;
    // That a condition waits no longer says nothing of the order that it has sent.
    this.news.ask(clientOrderId, { tellsEarlier: !isCondition });
    if (command.kind === 'cancel') this.#venue.cancel(clientOrderId, time, isCondition);
    else if (command.condition === undefined) this.#venue.submit(command.order, time);
    else this.#venue.submitConditional({ ...command.condition, order: command.order }, time);
    this.news.endArrival();
  }
}
