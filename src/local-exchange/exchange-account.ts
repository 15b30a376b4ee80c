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

/** Identifies one order: by the exchange's id or, if that is 0, by the client's id, of which the latest order counts. */
export interface OrderKey {
  readonly instrumentId: InstrumentId;
  readonly orderId: string;
  readonly clientOrderId: string | undefined;
}

/** An order that waits until the last price touches a level. */
export interface Condition {
  readonly order: VenueOrderRequest;
  readonly trigger: TriggerKind;
  readonly triggerPrice: Fixed;
}

/** The effects of faults on a command. The journal keeps them with the command, so that a replay does the same. */
export interface CommandEffects {
  /** The order fills before its cancel arrives. */
  readonly fillsFirst?: boolean | undefined;
  /** Number of executions in which an order's fills are reported. */
  readonly pieces?: number | undefined;
  /** Market milliseconds for which an accepted order is not shown. */
  readonly hiddenMs?: number | undefined;
}

/**
 * One account of the exchange. Accounts do not affect each other: volume that one takes is still there for the others.
 *
 * Times are market time and never fall. An event between two calls happens at its own instant, whichever call comes first.
 */
export interface ExchangeAccount {
  readonly userId: string;
  /** An order arrives. A refused one leaves nothing behind. */
  place(
    request: VenueOrderRequest,
    time: EpochMs,
    effects: CommandEffects,
  ): VenueOrder | ExchangeRefusal;
  /** Checks an order as {@link place} would, without placing it. */
  test(request: VenueOrderRequest, time: EpochMs): ExchangeRefusal | undefined;
  /** A condition arrives. Returns its trigger id. */
  placeCondition(condition: Condition, time: EpochMs): string | ExchangeRefusal;
  /** Waiting conditions, oldest first. */
  triggers(instrumentId: InstrumentId, time: EpochMs): readonly VenueTrigger[];
  /** Cancels a waiting condition; undefined on success. */
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
  /**
   * Volume that orders may still take of the open candle: 0 if no candle is open, undefined without limit. For a pair, the smaller of spot and
   * margin.
   */
  volumeLeft(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined;
  spot(time: EpochMs): SpotAccountSnapshot;
  futures(time: EpochMs): FuturesAccountSnapshot;
  /**
   * When something happens next by itself: a candle opens or closes, an order fills, something is due. `time` itself if its candles have not opened
   * yet.
   */
  nextTime(time: EpochMs): EpochMs;
  /** When the bot next learns of something that happened by itself, later than `time`; Infinity if nothing did. */
  nextPoll(time: EpochMs): EpochMs;
}
