import type { EpochMs, Fixed, InstrumentId } from '../domain/index.js';
import type {
  FuturesAccountSnapshot,
  ProfitRecord,
  SpotAccountSnapshot,
  TriggerKind,
  HistoryOrder,
  VenueOrder,
  VenueOrderRequest,
  VenueTrade,
  VenueTrigger,
} from '../venue/index.js';
import type { ExchangeRefusal } from './refusal.js';

/** Names one order: by the exchange's id, else, where that is 0, by the latest with the client's. */
export interface OrderKey {
  readonly instrumentId: InstrumentId;
  readonly orderId: string;
  readonly clientOrderId: string | undefined;
}

/** An order that waits for a touch of the last price. */
export interface Condition {
  readonly order: VenueOrderRequest;
  readonly trigger: TriggerKind;
  readonly triggerPrice: Fixed;
}

/** What a fault makes of a command; kept in the journal with it, so that a replay does the same. */
export interface CommandEffects {
  /** The order fills before its cancel arrives. */
  readonly fillsFirst?: boolean | undefined;
  /** Executions an order's fills are told in. */
  readonly pieces?: number | undefined;
  /** Market milliseconds for which an accepted order is not shown. */
  readonly hiddenMs?: number | undefined;
}

/**
 * One account of the exchange. Accounts do not meet: what one of them takes, no other lacks.
 *
 * Times are market time and do not fall. What happens between two calls happens at its own instant, whoever asks first.
 */
export interface ExchangeAccount {
  readonly userId: string;
  /** An order arrives. A refused one leaves nothing behind. */
  place(
    request: VenueOrderRequest,
    time: EpochMs,
    effects: CommandEffects,
  ): VenueOrder | ExchangeRefusal;
  /** Checks an order as {@link place} would, and does nothing. */
  test(request: VenueOrderRequest, time: EpochMs): ExchangeRefusal | undefined;
  /** A condition arrives; the answer is its trigger id. */
  placeCondition(condition: Condition, time: EpochMs): string | ExchangeRefusal;
  /** Conditions that wait, oldest first. */
  triggers(instrumentId: InstrumentId, time: EpochMs): readonly VenueTrigger[];
  /** Takes a condition away that waits; undefined when that is done. */
  cancelTrigger(
    instrumentId: InstrumentId,
    triggerId: string,
    time: EpochMs,
  ): ExchangeRefusal | undefined;
  cancel(key: OrderKey, time: EpochMs, effects: CommandEffects): VenueOrder | ExchangeRefusal;
  order(key: OrderKey, time: EpochMs): VenueOrder | undefined;
  /** Oldest first. */
  openOrders(instrumentId: InstrumentId, time: EpochMs): readonly VenueOrder[];
  /** Every order, ended ones too, in rising ids. */
  orders(instrumentId: InstrumentId, time: EpochMs): readonly HistoryOrder[];
  /** Executions in rising ids. */
  trades(instrumentId: InstrumentId, time: EpochMs): readonly VenueTrade[];
  /** Results of closed positions in rising ids. */
  profits(instrumentId: InstrumentId, time: EpochMs): readonly ProfitRecord[];
  /** What orders may still take of the candle that is open, nothing where none is; undefined without limit. A pair trades on margin, too. */
  volumeLeft(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined;
  spot(time: EpochMs): SpotAccountSnapshot;
  futures(time: EpochMs): FuturesAccountSnapshot;
  /** When something happens next by itself: a candle opens or closes, an order fills, something is due. `time` where what opens then has not. */
  nextTime(time: EpochMs): EpochMs;
  /** When the bot learns next of something that happened by itself, later than `time`; Infinity where nothing did. */
  nextPoll(time: EpochMs): EpochMs;
}
