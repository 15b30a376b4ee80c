import {
  parseFixed,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type InstrumentId,
  type LeverageTier,
} from '../domain/index.js';

/** What becomes of an order above a maximum of the venue. */
export const TOO_LARGE_POLICIES = ['refuse', 'clamp', 'split'] as const;
export type TooLargePolicy = (typeof TOO_LARGE_POLICIES)[number];

/**
 * What becomes of a remainder of a step or more that could not be sold alone: `sweep` lets it join the exit, `leave` leaves it,
 * `warn` leaves it and says so in the verdict.
 */
export const DUST_POLICIES = ['sweep', 'leave', 'warn'] as const;
export type DustPolicy = (typeof DUST_POLICIES)[number];

/** The operator's choices, fixed for a run. */
export interface RiskPolicy {
  /** How far from the last price a LIMIT that stands for a market order may fill: 0.05 is 5 % (DESIGN R7). */
  readonly marketBand: Fixed;
  readonly tooLarge: { readonly entries: TooLargePolicy; readonly exits: TooLargePolicy };
  readonly dust: DustPolicy;
  readonly fees: (instrumentId: InstrumentId, now: EpochMs) => FeeRates;
  /** The venue's leverage tiers of a contract, smallest first. @defaultValue not known, and not checked */
  readonly tiers?: (instrumentId: InstrumentId, now: EpochMs) => readonly LeverageTier[];
  /**
   * What opening a futures position loses at once beside the fee: half spread and slippage as a ratio of the notional. Spot needs
   * none, because a MARKET BUY spends exactly its quote amount.
   * @defaultValue 0
   */
  readonly costReserve?: Fixed;
  /**
   * How far beyond last, or beyond the level of a stop, an order trades that takes what there is: half spread and slippage as a ratio of the price.
   * Sizes by risk count it.
   * @defaultValue 0
   */
  readonly takerCost?: Fixed;
}

/** What holds where the operator says nothing; fees come from the venue or the simulation. */
export const DEFAULT_RISK_POLICY = {
  marketBand: parseFixed('0.05'),
  tooLarge: { entries: 'refuse', exits: 'split' },
  dust: 'sweep',
} as const satisfies Omit<RiskPolicy, 'fees'>;
