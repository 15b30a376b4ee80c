import type { FillRecord, Fixed, ForcedCause, InstrumentId } from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import type { MarketHub } from '../market/market-hub.js';
import type { Financing } from '../portfolio/financing.js';
import type { SideLedger } from '../portfolio/side-ledger.js';
import type { OwnOrdersListener, OwnOrdersOptions } from './own-orders.js';
import type { VenueStopTerms } from './venue-stops/venue-stop.js';
import type { WorkingOrder } from './working/working-order.js';

/** Callbacks from the order manager to the engine, in the order in which things happen. */
export interface OrderManagerListener extends OwnOrdersListener {
  /** `step`: quantity step in force. `cause`: why the venue traded for us; undefined for fills of our orders. */
  filled(fill: FillRecord, step: Fixed, order: WorkingOrder, cause?: ForcedCause): void;
  /** The fee of another instrument's fill has taken the rest of a position. */
  closedByFee(instrumentId: InstrumentId, ledger: SideLedger): void;
  stopFired(instrumentId: InstrumentId): void;
  /** Funding or interest was booked. */
  financed(financings: readonly Financing[]): void;
  /** The venue changed the account without an order of ours. */
  accountChanged(update: AccountUpdate): void;
}

export interface OrderManagerOptions extends OwnOrdersOptions {
  readonly hub: MarketHub;
  /** What to do with the remaining quantity of a MARKET or IOC order. */
  readonly remainder: 'cancel' | 'resend';
  readonly listener: OrderManagerListener;
  /** Which stops are handed to the venue. @defaultValue none */
  readonly venueStops?: VenueStopTerms | undefined;
  nextIntentId(): number;
}
