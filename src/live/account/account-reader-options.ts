import type { EpochMs, FillRecord, Instrument, InstrumentId } from '../../domain/index.js';
import type { VenueStop } from '../../engine/index.js';
import type { EstimateFee, FillBook } from '../../feed/index.js';
import type { AccountSource, OrderUpdate, VenueOrder, VenueTrade } from '../../venue/index.js';
import type { ForcedFillUpdate, ForcedTrades, NotedFill } from '../margin/forced-trades.js';
import type { SentOrders } from '../session/sent-orders.js';

/** What to read of one instrument. Own orders that have left the list are asked for one by one. */
export interface AccountReading {
  readonly instrumentId: InstrumentId;
  readonly orders: boolean;
  /** Whether to read trades in any case. If false, they are read only if an order has filled more than was reported. */
  readonly trades: boolean;
}

/** Dependencies of the account reader: its sources, and the callbacks that take its results. */
export interface AccountReaderOptions {
  readonly source: AccountSource;
  readonly orders: SentOrders;
  readonly instruments: readonly Instrument[];
  /** Id of the newest own trade that is already known, by instrument. */
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  /** Fills that were already reported. @defaultValue an empty book */
  readonly fills?: FillBook | undefined;
  /** Estimates the fee of an execution whose trade the venue does not serve. @defaultValue the reader waits for the trade */
  readonly estimateFee?: EstimateFee | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Late and external executions before this time are ignored. @defaultValue all of them count */
  readonly since?: EpochMs | undefined;
  /** Separates closes that the venue made from closes by others. @defaultValue every unknown execution is external */
  readonly forced?:
    Pick<ForcedTrades, 'judge' | 'mayConcern' | 'wasForced' | 'noteTold' | 'settle'> | undefined;
  /** Called before a fill that a poll has found is reported. @defaultValue nothing is called */
  readonly beforePolled?: ((told: NotedFill) => void) | undefined;
  /** Triggers of the bot whose order may have made an unknown execution of the instrument. @defaultValue the bot has no triggers */
  readonly mayHaveFired?: ((instrumentId: InstrumentId) => readonly VenueStop[]) | undefined;
  /** Takes updates of the bot's orders, and fills that the venue made by itself, in order. */
  readonly onUpdate: (update: OrderUpdate | ForcedFillUpdate) => void;
  /** Takes executions of orders that are not the bot's. */
  readonly onExternal: (trades: readonly VenueTrade[]) => void;
  /** Takes working orders that the bot did not send. The list is empty when there are no more. */
  readonly onExternalOrders: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void;
  /** Takes orders of the bot that the venue still lists after their end was reported. The list is empty when there are no more. */
  readonly onUnended: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void;
  /** Takes executions of own orders whose end was already reported. The engine can no longer take such fills. */
  readonly onLate: (fills: readonly FillRecord[]) => void;
}
