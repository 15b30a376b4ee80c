import type {
  Asset,
  Balance,
  Direction,
  EpochMs,
  Fixed,
  InstrumentId,
  MarginMode,
} from '../domain/index.js';

/** Balances of the spot account: every asset the venue lists, those at zero included. */
export interface SpotAccountSnapshot {
  readonly kind: 'spot';
  readonly balances: readonly Balance[];
}

/** The futures account: one entry per margin asset. */
export interface FuturesAccountSnapshot {
  readonly kind: 'futures';
  readonly accounts: readonly MarginAssetAccount[];
}

export type AccountSnapshot = SpotAccountSnapshot | FuturesAccountSnapshot;

/** Money of one margin asset and the positions it carries. All amounts in that asset; rates are ratios. */
export interface MarginAssetAccount {
  readonly marginAsset: Asset;
  /** Free to open positions. */
  readonly available: Fixed;
  /** Held by working orders. */
  readonly locked: Fixed;
  readonly isolatedMargin: Fixed | undefined;
  readonly crossMargin: Fixed | undefined;
  readonly realizedProfit: Fixed | undefined;
  readonly unrealizedProfit: Fixed | undefined;
  readonly crossEquity: Fixed | undefined;
  readonly isolatedEquity: Fixed | undefined;
  readonly crossMarginRate: Fixed | undefined;
  readonly crossCost: Fixed | undefined;
  readonly accountMarginRate: Fixed | undefined;
  readonly positions: readonly VenuePosition[];
}

/**
 * A futures position as the venue reports it. Money in the margin asset, quantities in contracts, rates as ratios.
 *
 * A field that some deployment sends as null or leaves out may be undefined.
 */
export interface VenuePosition {
  readonly instrumentId: InstrumentId;
  readonly positionId: string;
  readonly direction: Direction;
  readonly marginMode: MarginMode;
  readonly quantity: Fixed;
  /** Contracts held by working orders that close it. */
  readonly pendingCloseQuantity: Fixed | undefined;
  readonly closedQuantity: Fixed | undefined;
  readonly openPrice: Fixed;
  readonly averagePrice: Fixed;
  readonly averageClosePrice: Fixed | undefined;
  /** The venue calls it `indexPrice`; it is the mark. Source: recomputed samples of the interface's family. */
  readonly markPrice: Fixed | undefined;
  readonly leverage: Fixed;
  readonly margin: Fixed;
  readonly realizedProfit: Fixed;
  readonly totalRealizedProfit: Fixed | undefined;
  readonly unrealizedProfit: Fixed;
  readonly unrealizedOpenProfit: Fixed | undefined;
  readonly closeProfit: Fixed | undefined;
  readonly sharedAmount: Fixed | undefined;
  /** Negative when paid. */
  readonly tradeFee: Fixed | undefined;
  /** Negative when paid. */
  readonly fundingFee: Fixed | undefined;
  /** Quantity × multiplier × mark. */
  readonly value: Fixed | undefined;
  readonly marginRate: Fixed | undefined;
  readonly returnRate: Fixed | undefined;
  readonly maintenanceRate: Fixed | undefined;
  readonly maxFeeRate: Fixed | undefined;
  /** Trust it for isolated positions only: cross samples are known to be wrong. */
  readonly liquidationPrice: Fixed | undefined;
  readonly frozen: 'no' | 'liquidation' | 'delivery' | undefined;
  /** False for the record that remains of an ended position. */
  readonly isValid: boolean;
  /** Undefined where the venue sends a local time whose zone is not known. */
  readonly createdTime: EpochMs | undefined;
  readonly updatedTime: EpochMs | undefined;
  readonly frozenTime: EpochMs | undefined;
  readonly contractId: string | undefined;
  readonly userId: string | undefined;
  readonly brokerId: string | undefined;
}
