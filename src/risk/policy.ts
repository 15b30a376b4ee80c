import type { EpochMs, FeeRates, Fixed, InstrumentId, LeverageTier } from '../domain/index.js';

/** How to handle an order above a maximum of the venue. */
export const TOO_LARGE_POLICIES = ['refuse', 'clamp', 'split'] as const;
export type TooLargePolicy = (typeof TOO_LARGE_POLICIES)[number];

/**
 * How to handle a remainder of a step or more that could not be sold alone: `sweep` adds it to the exit, `leave` leaves it, `warn` leaves it and
 * reports it in the verdict.
 */
export const DUST_POLICIES = ['sweep', 'leave', 'warn'] as const;
type DustPolicy = (typeof DUST_POLICIES)[number];

/** The operator's choices, fixed for a run. */
export interface RiskPolicy {
  /** How far from the last price a LIMIT order may fill that replaces a market order: 0.05 is 5 % (DESIGN R7). */
  readonly marketBand: Fixed;
  readonly tooLarge: { readonly entries: TooLargePolicy; readonly exits: TooLargePolicy };
  readonly dust: DustPolicy;
  readonly fees: (instrumentId: InstrumentId, now: EpochMs) => FeeRates;
  /** The venue's leverage tiers of a contract, smallest first. @defaultValue not known, and not checked */
  readonly tiers?: (instrumentId: InstrumentId, now: EpochMs) => readonly LeverageTier[];
  /**
   * Immediate loss at the opening of a futures position, beside the fee: half spread and slippage as a ratio of the notional. Spot needs none,
   * because a MARKET BUY spends exactly its quote amount.
   * @defaultValue 0
   */
  readonly costReserve?: Fixed;
  /**
   * How far beyond the last price, or beyond the level of a stop, an order trades that takes volume: half spread and slippage as a ratio of the
   * price. Sizes by risk include it.
   * @defaultValue 0
   */
  readonly takerCost?: Fixed;
}
