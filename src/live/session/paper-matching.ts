import type { AccountBalances, EpochMs, Fixed, InstrumentId } from '../../domain/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import type { Command, EngineEvent } from '../../engine/index.js';

/** Data of one settlement of funding. */
export interface PaidFunding {
  /** Ratio for the period: longs pay when positive. */
  readonly rate: Fixed;
  readonly markPrice: Fixed;
}

/** A difference between the simulated venue and a journal: `expected` from the journal, `received` from the venue. */
export interface PaperDifference {
  readonly expected: string;
  readonly received: string;
}

/**
 * The simulated venue of a paper session. Its only input are the engine's events and commands, in the order of the journal. So a replay of the
 * journal rebuilds the venue of the session that wrote it.
 */
export interface PaperMatching {
  /**
   * Takes an event with its commands. News of the venue itself must equal the venue's next news: if a journal says otherwise, returns the difference.
   */
  take(event: EngineEvent, commands: readonly Command[]): PaperDifference | undefined;
  /** News that is due by `time` and was not given out yet, in the order in which it became known. */
  news(time: EpochMs): readonly VenueUpdate[];
  /** Time of the next news; Infinity if there is none. */
  nextNews(): EpochMs;
  /** Time at which the venue needs any event, because a command arrives then or something is due; Infinity if never. */
  nextDue(): EpochMs;
  /** Whether all news was given out. */
  readonly isTold: boolean;
  /** Whether the next price of an instrument matters even if unchanged: an order or a mark waits for it. */
  awaitsPrice(instrumentId: InstrumentId): boolean;
  /** Number of funding settlements by `time` that apply to a held contract and were not posted yet. */
  fundingsDue(instrumentId: InstrumentId, time: EpochMs): number;
  /** Posts one settlement for a held contract, and returns the first news of it. At least one side must be held. */
  settleFunding(instrumentId: InstrumentId, paid: PaidFunding, time: EpochMs): VenueUpdate;
  /** Whether a side of a contract is held. */
  holds(instrumentId: InstrumentId): boolean;
  /** Balances of each account by the venue's books. */
  balances(): AccountBalances;
}
