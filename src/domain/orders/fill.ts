import type { Decimal } from '../amounts/decimal.js';
import { decimalFromFixed, type Fixed } from '../amounts/fixed.js';
import { priceFromFixed, type Price } from '../amounts/price.js';
import { quantityFromFixed, type Quantity } from '../amounts/quantity.js';
import type { Asset, InstrumentId } from '../instruments/instrument.js';
import type { EpochMs } from '../time.js';
import type { Direction, PositionAction, Side } from './intent.js';
import type { ClientOrderId } from './order.js';

export type Liquidity = 'maker' | 'taker';

/** One execution of ours, exact, as ledgers and journals hold it. */
export interface FillRecord {
  readonly clientOrderId: ClientOrderId;
  readonly instrumentId: InstrumentId;
  readonly side: Side;
  readonly action: PositionAction;
  /** Quote per base. */
  readonly price: Fixed;
  /** Base or contracts. */
  readonly quantity: Fixed;
  /** Paid when positive, in `feeAsset`. */
  readonly fee: Fixed;
  readonly feeAsset: Asset;
  readonly liquidity: Liquidity;
  /** When it happened at the venue. */
  readonly eventTime: EpochMs;
  /** The venue's id of the trade, if it gives one. */
  readonly venueTradeId?: string;
}

/** The side of the position that a fill opens or closes: buying opens a long and closes a short. */
export function directionOf({
  side,
  action,
}: {
  readonly side: Side;
  readonly action: PositionAction;
}): Direction {
  return (side === 'buy') === (action === 'open') ? 'long' : 'short';
}

export const FORCED_CAUSES = ['liquidation', 'netting', 'margin-call', 'external'] as const;
/**
 * Why the venue traded for us: the margin of a position ran out, own long and short were netted before that, or a margin account owed too
 * much (DESIGN R12, R13). `external`: another party traded, on a margin account that a live bot cannot read.
 */
export type ForcedCause = (typeof FORCED_CAUSES)[number];

/**
 * Why an order was sent: by an intent of the strategy, by a guard of the position, by a flatten of the operator or a halt, at the end of a
 * run with `closeAtEnd`, or by the venue itself.
 */
export const ORDER_CAUSES = [
  'signal',
  'stop-loss',
  'trailing-stop',
  'take-profit',
  'flatten',
  'end',
  ...FORCED_CAUSES,
] as const;
export type OrderCause = (typeof ORDER_CAUSES)[number];

/** One execution of ours as a strategy sees it. Decimals are made when they are read. */
export class Fill {
  readonly record: FillRecord;
  /** Why the venue traded for us; undefined for a fill of our own order. */
  readonly cause: ForcedCause | undefined;
  /** Label of its order, which comes from the strategy's intent. */
  readonly label: string | undefined;

  constructor(record: FillRecord, cause?: ForcedCause, label?: string) {
    this.record = record;
    this.cause = cause;
    this.label = label;
  }

  get clientOrderId(): ClientOrderId {
    return this.record.clientOrderId;
  }

  get instrumentId(): InstrumentId {
    return this.record.instrumentId;
  }

  get side(): Side {
    return this.record.side;
  }

  get action(): PositionAction {
    return this.record.action;
  }

  get direction(): Direction {
    return directionOf(this.record);
  }

  get price(): Price {
    return priceFromFixed(this.record.price);
  }

  get quantity(): Quantity {
    return quantityFromFixed(this.record.quantity);
  }

  get fee(): Decimal {
    return decimalFromFixed(this.record.fee);
  }

  get feeAsset(): Asset {
    return this.record.feeAsset;
  }

  get liquidity(): Liquidity {
    return this.record.liquidity;
  }

  get eventTime(): EpochMs {
    return this.record.eventTime;
  }
}
