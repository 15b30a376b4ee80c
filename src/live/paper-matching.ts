import type { AccountBalances, EpochMs, Fixed, InstrumentId } from '../domain/index.js';
import type { VenueUpdate } from '../venue/index.js';
import type { Command, EngineEvent } from '../engine/index.js';

/** What is read of a contract when its funding is settled. */
export interface PaidFunding {
  /** Ratio for the period: longs pay when positive. */
  readonly rate: Fixed;
  readonly markPrice: Fixed;
}

/** Where what a simulated venue says differs from what a journal says that it said. */
export interface PaperDifference {
  readonly expected: string;
  readonly received: string;
}

/**
 * The simulated venue of a session on paper. It is told what the engine takes in and what it wants, event by event in the order of the
 * journal, and nothing else: who tells it a journal has the venue of the session that wrote it.
 */
export interface PaperMatching {
  /**
   * Takes an event with the commands it led to. What tells of the venue itself must be news of it: returns how it is not, where the event
   * comes from a journal that says otherwise.
   */
  take(event: EngineEvent, commands: readonly Command[]): PaperDifference | undefined;
  /** What is to be told by `time` and was not given out yet, in the order in which it came to be known. */
  news(time: EpochMs): readonly VenueUpdate[];
  /** When the next of it is to be told; Infinity when nothing is. */
  nextNews(): EpochMs;
  /** When it has to be told the time, by any event: a command arrives then, or something is due. Infinity when it has not. */
  nextDue(): EpochMs;
  /** Whether everything that happened has been told. */
  readonly isTold: boolean;
  /** Whether the next price of an instrument matters though it is the same: an order or a mark waits for it. */
  awaitsPrice(instrumentId: InstrumentId): boolean;
  /** How many settlements of funding have passed by `time` on what is held of a contract, and were not posted. */
  fundingsDue(instrumentId: InstrumentId, time: EpochMs): number;
  /** Posts one settlement on what is held of a contract, and gives out the first news of it; at least one side must be held. */
  settleFunding(instrumentId: InstrumentId, paid: PaidFunding, time: EpochMs): VenueUpdate;
  /** Whether anything is held of a contract. */
  holds(instrumentId: InstrumentId): boolean;
  /** What each account has, as the venue counts it. */
  balances(): AccountBalances;
}
