import type {
  AccountBalances,
  Asset,
  DatedTiers,
  EpochMs,
  Fixed,
  FundingRateKnown,
  InstrumentId,
  InstrumentRules,
  Interval,
  MarginMode,
  PositionMode,
  ProductKind,
} from '../domain/index.js';
import type { DustPolicy, ProtectionConfig, TooLargePolicy } from '../risk/index.js';
import type { StopPolicy } from '../live/index.js';
import type { CommandKind, FeeChange, LatencyRange } from '../simulator/index.js';

/**
 * One bot as its YAML file describes it, fully parsed: amounts are exact, dates are instants, paths are absolute, defaults are
 * filled in. The command chooses the mode; nothing here says live or backtest.
 *
 * The shape of the YAML and the default of every key: docs/cli.md.
 */
export interface BotConfig {
  /** Version of the file's shape. */
  readonly version: 1;
  readonly name: string;
  readonly strategy: StrategyConfig;
  /** At least one; the order decides which candle comes first within one slice (DESIGN R1). */
  readonly instruments: readonly InstrumentConfig[];
  /** What equity is counted in: the file's key, else the one quote that all instruments share. */
  readonly equityCurrency: Asset;
  readonly risk: RiskConfig;
  readonly simulation: SimulationConfig | undefined;
  readonly venue: VenueConfig | undefined;
  readonly live: LiveConfig;
}

/** A bot that can be backtested: it says what to simulate. */
export interface BacktestConfig extends BotConfig {
  readonly simulation: SimulationConfig;
}

/** A bot that can trade at a venue, on paper or live: it says where, and what stands in where the venue does not say. */
export interface SessionConfig extends BacktestConfig {
  readonly venue: VenueConfig;
}

export interface StrategyConfig {
  /** Absolute path of the plugin. */
  readonly path: string;
  /** Name of the exported class, needed only where the plugin exports several. */
  readonly export: string | undefined;
  /** As written; the strategy's own declaration checks names, types and ranges. */
  readonly parameters: Readonly<Record<string, ParameterInput>>;
}

/** A parameter's value as YAML gives it. */
export type ParameterInput = string | number | boolean;

export type InstrumentConfig =
  SpotInstrumentConfig | MarginInstrumentConfig | FuturesInstrumentConfig;

interface InstrumentConfigCommon {
  readonly instrumentId: InstrumentId;
  readonly kind: ProductKind;
  /** The venue's own name, for example `BTCUSDT` or `E-BTC-USDT`. */
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** At least one, no duplicates, in the order of the file. */
  readonly intervals: readonly Interval[];
}

export interface SpotInstrumentConfig extends InstrumentConfigCommon {
  readonly kind: 'spot';
}

export interface MarginInstrumentConfig extends InstrumentConfigCommon {
  readonly kind: 'margin';
  readonly leverage: Fixed;
}

export interface FuturesInstrumentConfig extends InstrumentConfigCommon {
  readonly kind: 'futures';
  readonly contract: ContractKind;
  /** Face value of one contract, in base (linear) or quote (inverse). */
  readonly multiplier: Fixed;
  readonly leverage: Fixed;
  readonly marginMode: MarginMode;
}

export const CONTRACT_KINDS = ['linear', 'inverse'] as const;
export type ContractKind = (typeof CONTRACT_KINDS)[number];

export interface RiskConfig {
  /** How far from the last price a LIMIT that stands for a market order may fill: 0.05 is 5 % (DESIGN R7). */
  readonly marketBand: Fixed;
  /** What happens to an order above a maximum of the venue. */
  readonly tooLarge: { readonly entries: TooLargePolicy; readonly exits: TooLargePolicy };
  /** What happens to a remainder that could not be sold alone. */
  readonly dust: DustPolicy;
  /** What the operator is protected from; empty: nothing is on. */
  readonly protections: ProtectionConfig;
}

export interface SimulationConfig {
  /** Absolute path of the folder with stored candles. */
  readonly archive: string;
  /** First instant, inclusive; undefined: as far back as all instruments have data. */
  readonly from: EpochMs | undefined;
  /** Last instant, exclusive; undefined: as far as all instruments have data. */
  readonly to: EpochMs | undefined;
  /** What each account starts with; the venue keeps spot, margin and futures apart. */
  readonly balances: AccountBalances;
  readonly fees: FeeConfig;
  /** What replaces the rates of `fees` from its time on; the latest that concerns an instrument counts. */
  readonly feeChanges: readonly FeeChange[];
  /** Full spread between bid and ask, in basis points of the price. */
  readonly spreadBps: Fixed;
  readonly slippage: SlippageConfig;
  /** Share of a candle's volume that orders may take (0.1 is 10 %), or no limit. */
  readonly participation: Fixed | 'off';
  /** Whether a resting order fills when the path touches its limit without going one tick beyond. */
  readonly fillOnTouch: boolean;
  /** What becomes of the remaining quantity of a MARKET or IOC order. */
  readonly remainder: RemainderPolicy;
  readonly latency: LatencyConfig;
  /** From a candle's close to its arrival at the engine, in ms. */
  readonly dataDelayMs: number;
  /** Grid on which the engine learns what the venue did on its own, in ms (DESIGN R2). */
  readonly updatePollMs: number;
  /** Grid on which stops of each product sample the last price, in ms (DESIGN R9). */
  readonly stopPollMs: Readonly<Record<ProductKind, number>>;
  readonly path: PathMode;
  /** Longest stretch of missing candles that is accepted, in ms; undefined: any, and the report counts them. */
  readonly maxGapMs: number | undefined;
  /** Whether positions are closed at the last close, with taker costs. */
  readonly closeAtEnd: boolean;
  /** Start of the strategy's random numbers. */
  readonly seed: number;
  /** Venue rules where the archive has no dated ones. */
  readonly rules: ReadonlyMap<InstrumentId, InstrumentRules>;
  readonly futures: FuturesSimulationConfig;
  readonly margin: MarginSimulationConfig;
}

/** How the simulated venue treats contracts where the archive does not say. */
export interface FuturesSimulationConfig {
  readonly positionMode: PositionMode;
  /** Ratio per period where no rates are stored: "0.0001" is 0.01 %. */
  readonly fundingRate: Fixed;
  /** Time between two settlements, counted from 00:00 UTC, where no rates are stored. */
  readonly fundingIntervalMs: number;
  /** Which rate the venue shows, simulated or real (DESIGN R11). */
  readonly fundingRateKnown: FundingRateKnown;
  /** Fee rate of forced orders, as a ratio. */
  readonly maxFeeRate: Fixed;
  /** Dated tiers by contract, where the archive has none. */
  readonly tiers: ReadonlyMap<InstrumentId, readonly DatedTiers[]>;
}

export const POSITION_MODES = ['hedge', 'oneWay'] as const satisfies readonly PositionMode[];

/** How the simulated venue treats borrowed assets. */
export interface MarginSimulationConfig {
  /** Interest per hour as a ratio of what is owed. */
  readonly hourlyRate: Fixed;
}

/** From the decision to the arrival of a command, in ms: always the same, or drawn evenly from a range. */
export type LatencyConfig = Readonly<Record<CommandKind, LatencyRange>>;

export interface FeeConfig {
  /** Ratio of the notional: 0.001 is 0.1 %. */
  readonly maker: Fixed;
  /** Ratio of the notional: 0.001 is 0.1 %. */
  readonly taker: Fixed;
  /** `received`: a buy pays in base, a sell in quote; `quote`: always in quote (DESIGN R8). */
  readonly paidIn: FeeAssetPolicy;
}

export const FEE_ASSET_POLICIES = ['received', 'quote'] as const;
export type FeeAssetPolicy = (typeof FEE_ASSET_POLICIES)[number];

/** `fixed`: `bps` basis points of the price; `squareRoot`: coefficient × √(quantity ÷ candle volume), a ratio of the price. */
export type SlippageConfig =
  | { readonly model: 'fixed'; readonly bps: Fixed }
  | { readonly model: 'squareRoot'; readonly coefficient: Fixed };

export const REMAINDER_POLICIES = ['cancel', 'resend'] as const;
export type RemainderPolicy = (typeof REMAINDER_POLICIES)[number];

/** Order in which a candle visits its extremes (DESIGN R3). */
export const PATH_MODES = ['nearest', 'high-first', 'low-first', 'finer'] as const;
export type PathMode = (typeof PATH_MODES)[number];

/** Where and as whom a paper or live bot trades. Secrets are named here, never held. */
export interface VenueConfig {
  /** https, or http to loopback. */
  readonly spotUrl: string | undefined;
  /** https, or http to loopback. */
  readonly futuresUrl: string | undefined;
  readonly key: ConfiguredSecret | undefined;
  readonly secret: ConfiguredSecret | undefined;
}

/** Name of an environment variable, or absolute path of a file with mode 0600. */
export type ConfiguredSecret =
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

/** How a paper or live bot starts, watches itself and ends. */
export interface LiveConfig {
  /** Absolute path of a live bot's journal; `journalFile` names that of any mode. */
  readonly journal: string;
  readonly onStop: StopPolicy;
  /** What becomes of orders and positions at the venue that are not of this bot. */
  readonly externalOrders: ExternalOrderPolicy;
  /** Whether leverage and modes that the venue does not show are taken as configured. */
  readonly unverified: UnverifiedPolicy;
  /** Whether stops of contracts are handed to the venue (DESIGN R9). A session refuses `on`. */
  readonly venueStops: VenueStops;
  /** Whether margin is traded, though the venue shows no balance or debt of it (DESIGN R13). */
  readonly blindMargin: boolean;
  /** How long the candles of one close wait for the late ones, in ms. */
  readonly alignMs: number;
  /** What of the venue's accounts is the bot's. */
  readonly allocation: AccountBalances;
  /** How late the data of a stream may be before entries wait, in ms. */
  readonly staleAfterMs: number;
  /** How far this machine's clock may be from the venue's, in ms. */
  readonly maxClockOffsetMs: number;
  /** How late the process itself may be before entries wait, in ms. */
  readonly loopStallMs: number;
}

export const EXTERNAL_ORDER_POLICIES = ['refuse', 'ignore', 'claim'] as const;
export type ExternalOrderPolicy = (typeof EXTERNAL_ORDER_POLICIES)[number];

export const UNVERIFIED_POLICIES = ['refuse', 'accept'] as const;
export type UnverifiedPolicy = (typeof UNVERIFIED_POLICIES)[number];

export const VENUE_STOPS = ['off', 'on'] as const;
export type VenueStops = (typeof VENUE_STOPS)[number];
