import type { EpochMs, FillRecord, Instrument, InstrumentId } from '../domain/index.js';
import type { VenueStop } from '../engine/index.js';
import type { EstimateFee, FillBook } from '../feed/index.js';
import type { AccountSource, OrderUpdate, VenueOrder, VenueTrade } from '../venue/index.js';
import type { ForcedFill, ForcedTrades, NotedFill } from './forced-trades.js';
import type { SentOrders } from './sent-orders.js';

/** What readings of orders and executions are made from, and who is told of what they find. */
export interface AccountReaderOptions {
  readonly source: AccountSource;
  readonly orders: SentOrders;
  readonly instruments: readonly Instrument[];
  /** Newest own trade that is known already, by instrument. */
  readonly lastTrades: ReadonlyMap<InstrumentId, string>;
  /** What was told of fills before. @defaultValue nothing */
  readonly fills?: FillBook | undefined;
  /** What an execution costs whose trade the venue does not serve. @defaultValue such an execution is waited for */
  readonly estimateFee?: EstimateFee | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** What was traded before is nobody's concern. @defaultValue everything is the bot's */
  readonly since?: EpochMs | undefined;
  /** Tells what the venue closed by itself from what others did. @defaultValue all of it is external */
  readonly forced?: Pick<ForcedTrades, 'judge' | 'mayConcern' | 'noteTold' | 'settle'> | undefined;
  /** Called before a fill is told that a poll has found. @defaultValue nobody waits for it */
  readonly beforePolled?: ((told: NotedFill) => void) | undefined;
  /** Triggers of the bot of an instrument whose order an execution may be. @defaultValue it has none */
  readonly mayHaveFired?: ((instrumentId: InstrumentId) => readonly VenueStop[]) | undefined;
  /** Takes what is new about the bot's orders, and what the venue did by itself, in order. */
  readonly onUpdate: (update: OrderUpdate | ForcedFill) => void;
  /** Takes executions of orders that are not the bot's. */
  readonly onExternal: (trades: readonly VenueTrade[]) => void;
  /** Takes orders the venue lists and the bot did not send; none when there are no more. */
  readonly onExternalOrders: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void;
  /** Takes orders of the bot that the venue lists although their end was told; none when there are no more. */
  readonly onUnended: (instrumentId: InstrumentId, orders: readonly VenueOrder[]) => void;
  /** Takes executions of orders of the bot whose end was told before: the engine cannot be told of them. */
  readonly onLate: (fills: readonly FillRecord[]) => void;
}
