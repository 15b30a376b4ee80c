import {
  contractValue,
  divideFloor,
  divideHalfEven,
  FIXED_ONE,
  floorToStep,
  isFinalStatus,
  isInverse,
  multiplyFixed,
  type ClientOrderId,
  type EpochMs,
  type FeeRates,
  type FillRecord,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type MarginMode,
  type OrderReason,
  type OrderStatus,
  type VenueOrderId,
} from '../../domain/index.js';
import {
  isOrderUpdate,
  type HistoryOrder,
  type OrderUpdate,
  type VenueOrderRequest,
  type VenueTrade,
  type VenueUpdate,
} from '../../venue/index.js';
import type { CommandEffects } from '../exchange-account.js';
import { TriggerRecords } from './trigger-records.js';

/** One order of the account, with its progress. */
export interface OrderRecord {
  readonly venueOrderId: VenueOrderId;
  /** Its id in the simulator, because client ids need not be unique here. */
  readonly internalId: ClientOrderId;
  readonly request: VenueOrderRequest;
  readonly createdTime: EpochMs;
  /** The order is not shown before this time. */
  readonly visibleFrom: EpochMs;
  /** Number of executions in which a fill is reported. */
  readonly pieces: number;
  status: OrderStatus;
  reason: OrderReason | undefined;
  filled: Fixed;
  /** Sum of the weights for its average price; see {@link weightOf}. */
  weight: bigint;
  /** Value of the fills, in the asset that the instrument settles in. */
  notional: Fixed;
}

interface OrderRecordsOptions {
  readonly userId: string;
  /** Rises with each account that is opened. It keeps the ids of accounts apart. */
  readonly ordinal: number;
  readonly instrumentOf: (instrumentId: InstrumentId) => Instrument;
  /** Margin mode in force for a contract. */
  readonly marginModeOf: (instrumentId: InstrumentId) => MarginMode | undefined;
  /** Grid of quantities at an instant. */
  readonly stepAt: (instrumentId: InstrumentId, time: EpochMs) => Fixed;
  readonly contractIdOf: (instrumentId: InstrumentId) => string | undefined;
  /** Fee rates of an order that arrives at an instant. */
  readonly feeRatesOf: (instrumentId: InstrumentId, time: EpochMs) => FeeRates;
}

/** 19 digits, above 2^53 and below 2^63. */
const FIRST_ORDER_ID = 1_000_000_000_000_000_000n;
/** Differs from the ids of orders. */
const FIRST_TRIGGER_ID = 2_000_000_000_000_000_000n;
const ORDER_IDS_PER_ACCOUNT = 10_000_000_000_000n;
/** Order ids of the other side of each trade, which belongs to no account. */
const FIRST_FOREIGN_ORDER_ID = 5_000_000_000_000_000_000n;
const TRADE_IDS_PER_ACCOUNT = 100_000_000n;
/** User id of the other side of each trade. */
const FOREIGN_USER_ID = '1';

/**
 * The orders and executions of one account, recorded from the updates of the simulator. Ids depend only on the history of this account, so a replay
 * of its commands gives the same ids.
 */
export class OrderRecords {
  readonly triggers: TriggerRecords;
  readonly #options: OrderRecordsOptions;
  readonly #byId = new Map<string, OrderRecord>();
  readonly #byInternal = new Map<string, OrderRecord>();
  /** In the order of arrival. */
  readonly #byInstrument = new Map<InstrumentId, OrderRecord[]>();
  readonly #working = new Set<OrderRecord>();
  readonly #trades = new Map<InstrumentId, VenueTrade[]>();
  #orderSequence = 0n;
  #tradeSequence = 0n;

  constructor(options: OrderRecordsOptions) {
    this.#options = options;
    this.triggers = new TriggerRecords(FIRST_TRIGGER_ID + firstOf(options.ordinal));
  }

  /** Records an order that is about to arrive. */
  open(request: VenueOrderRequest, time: EpochMs, effects: CommandEffects): OrderRecord {
    const venueOrderId = this.#nextId();
    const internalId = venueOrderId as string as ClientOrderId;
    return this.#create(venueOrderId, internalId, { request, time, effects });
  }

  #create(
    venueOrderId: VenueOrderId,
    internalId: ClientOrderId,
    order: {
      readonly request: VenueOrderRequest;
      readonly time: EpochMs;
      readonly effects: CommandEffects;
    },
  ): OrderRecord {
    const { request, time, effects } = order;
    const record: OrderRecord = {
      venueOrderId,
      internalId,
      request,
      createdTime: time,
      visibleFrom: time + (effects.hiddenMs ?? 0),
      pieces: effects.pieces ?? 1,
      status: 'open',
      reason: undefined,
      filled: 0n,
      weight: 0n,
      notional: 0n,
    };
    this.#byId.set(venueOrderId, record);
    this.#byInternal.set(internalId, record);
    this.#listOf(request.instrumentId).push(record);
    this.#working.add(record);
    return record;
  }

  /** Records the order of a condition whose trigger has fired. Undefined for an update of the condition itself. */
  #firedBy(update: OrderUpdate): OrderRecord | undefined {
    const fired = this.triggers.firedBy(update);
    if (fired === undefined) return undefined;
    const { request, internalId } = fired;
    const { eventTime: time } = update;
    return this.#create(this.#nextId(), internalId, { request, time, effects: {} });
  }

  #nextId(): VenueOrderId {
    this.#orderSequence += 1n;
    const base = FIRST_ORDER_ID + firstOf(this.#options.ordinal);
    return String(base + this.#orderSequence) as VenueOrderId;
  }

  /** Removes a refused order, because the exchange did nothing. */
  forget(record: OrderRecord): void {
    this.#byId.delete(record.venueOrderId);
    this.#byInternal.delete(record.internalId);
    this.#working.delete(record);
    const list = this.#listOf(record.request.instrumentId);
    if (list.at(-1) === record) list.pop();
  }

  /** Processes an update of the simulator. */
  readonly take = (update: VenueUpdate): void => {
    if (update.kind === 'forced-fill') {
      const { fill } = update;
      this.#fill(this.#forcedOrder(fill), fill, true);
    }
    if (!isOrderUpdate(update)) return;
    const record = this.#byInternal.get(update.clientOrderId) ?? this.#firedBy(update);
    if (record === undefined) return;
    if (update.kind === 'fill') this.#fill(record, update.fill, update.isFilled);
    if (update.kind === 'ended') this.#end(record, update.status, update.reason);
  };

  /** Records an order that the exchange made itself, to close a position by force. */
  #forcedOrder(fill: FillRecord): OrderRecord {
    const venueOrderId = this.#nextId();
    const { instrumentId, side, action, quantity, eventTime } = fill;
    const isFutures = this.#options.instrumentOf(instrumentId).kind === 'futures';
    const request: VenueOrderRequest = {
      instrumentId,
      side,
      action: isFutures ? action : undefined,
      quantity,
      unit: isFutures ? 'contracts' : 'base',
      clientOrderId: undefined,
      type: 'market',
      marginMode: isFutures ? this.#options.marginModeOf(instrumentId) : undefined,
    };
    return this.#create(venueOrderId, fill.clientOrderId, {
      request,
      time: eventTime,
      effects: {},
    });
  }

  #fill(record: OrderRecord, fill: FillRecord, isFilled: boolean): void {
    for (const part of this.#partsOf(record, fill)) this.#trade(record, fill, part);
    const { price, quantity } = fill;
    const instrument = this.#options.instrumentOf(fill.instrumentId);
    record.filled += quantity;
    record.weight += weightOf(instrument, price, quantity);
    record.notional += worthOf(instrument, price, quantity);
    record.status = isFilled ? 'filled' : 'partially-filled';
    if (isFilled) this.#working.delete(record);
  }

  #end(record: OrderRecord, status: 'canceled' | 'rejected' | 'expired', why: OrderReason): void {
    record.status = status;
    record.reason = why;
    this.#working.delete(record);
  }

  /** Splits a fill into executions: one, or several whose quantities and fees add up to the fill. */
  #partsOf(
    { pieces }: OrderRecord,
    { instrumentId, quantity, fee, eventTime }: FillRecord,
  ): readonly { readonly quantity: Fixed; readonly fee: Fixed }[] {
    const step = this.#options.stepAt(instrumentId, eventTime);
    const size = floorToStep(quantity / BigInt(pieces), step);
    if (pieces === 1 || size === 0n) return [{ quantity, fee }];
    const part = { quantity: size, fee: divideFloor(fee * size, quantity) };
    const others = BigInt(pieces - 1);
    return [
      ...Array.from({ length: pieces - 1 }, () => part),
      { quantity: quantity - part.quantity * others, fee: fee - part.fee * others },
    ];
  }

  #trade(
    record: OrderRecord,
    { instrumentId, side, price, feeAsset, liquidity, eventTime }: FillRecord,
    { quantity, fee }: { readonly quantity: Fixed; readonly fee: Fixed },
  ): void {
    this.#tradeSequence += 1n;
    const { ordinal, userId, instrumentOf } = this.#options;
    const id = BigInt(ordinal) * TRADE_IDS_PER_ACCOUNT + this.#tradeSequence;
    const foreign = String(FIRST_FOREIGN_ORDER_ID + id) as VenueOrderId;
    const isBuy = side === 'buy';
    const instrument = instrumentOf(instrumentId);
    const trades = this.#trades.get(instrumentId) ?? [];
    this.#trades.set(instrumentId, trades);
    trades.push({
      instrumentId,
      venueTradeId: String(id),
      venueOrderId: record.venueOrderId,
      buyOrderId: isBuy ? record.venueOrderId : foreign,
      sellOrderId: isBuy ? foreign : record.venueOrderId,
      side,
      liquidity,
      price,
      quantity,
      notional: instrument.kind === 'futures' ? worthOf(instrument, price, quantity) : undefined,
      fee,
      feeAsset: instrument.kind === 'futures' ? undefined : feeAsset,
      time: eventTime,
      buyUserId: isBuy ? userId : FOREIGN_USER_ID,
      sellUserId: isBuy ? FOREIGN_USER_ID : userId,
    });
  }

  /** Finds an order by the exchange's id or, if that is 0, the latest order with the client's id. */
  find(
    instrumentId: InstrumentId,
    orderId: string,
    clientOrderId: string | undefined,
  ): OrderRecord | undefined {
    const record =
      orderId === '0' && clientOrderId !== undefined
        ? this.#byInstrument
            .get(instrumentId)
            ?.findLast(({ request }) => request.clientOrderId === clientOrderId)
        : this.#byId.get(orderId);
    return record?.request.instrumentId === instrumentId ? record : undefined;
  }

  ordersOf(instrumentId: InstrumentId): readonly OrderRecord[] {
    return this.#byInstrument.get(instrumentId) ?? [];
  }

  /** Oldest first. */
  workingOf(instrumentId: InstrumentId): readonly OrderRecord[] {
    return [...this.#working].filter(({ request }) => request.instrumentId === instrumentId);
  }

  tradesOf(instrumentId: InstrumentId): readonly VenueTrade[] {
    return this.#trades.get(instrumentId) ?? [];
  }

  #listOf(instrumentId: InstrumentId): OrderRecord[] {
    const list = this.#byInstrument.get(instrumentId) ?? [];
    this.#byInstrument.set(instrumentId, list);
    return list;
  }

  /** The order as the exchange shows it. */
  show(record: OrderRecord): HistoryOrder {
    const { request, filled, weight } = record;
    const instrument = this.#options.instrumentOf(request.instrumentId);
    const averagePrice = filled === 0n ? undefined : averageOf(instrument, filled, weight);
    const isFutures = instrument.kind === 'futures';
    return {
      instrumentId: request.instrumentId,
      venueOrderId: record.venueOrderId,
      clientOrderId: request.clientOrderId,
      side: request.side,
      action: request.action,
      type: request.type,
      timeInForce: request.type === 'limit' ? request.timeInForce : undefined,
      status: record.status,
      limitPrice: request.type === 'limit' ? request.limitPrice : undefined,
      quantity: request.quantity,
      filledQuantity: filled,
      averagePrice,
      filledNotional: isFutures ? record.notional : undefined,
      createdTime: record.createdTime,
      marginMode: request.marginMode,
      leverage: isFutures ? instrument.leverage : undefined,
      ...(isFutures && {
        contractId: this.#options.contractIdOf(instrument.id),
        feeRates: this.#options.feeRatesOf(instrument.id, record.createdTime),
      }),
    };
  }
}

function firstOf(ordinal: number): bigint {
  return BigInt(ordinal) * ORDER_IDS_PER_ACCOUNT;
}

/** Whether the status of the order is final. */
export function hasEnded({ status }: OrderRecord): boolean {
  return isFinalStatus(status);
}

/** A scale with so many extra digits that the rounding of quotients does not show in an average. */
const FINE = FIXED_ONE * FIXED_ONE * FIXED_ONE;

/** Weight of a fill in the average price: quantity × price. For inverse contracts, whose average is harmonic: quantity ÷ price, in 10^-54. */
function weightOf(instrument: Instrument, price: Fixed, quantity: Fixed): bigint {
  return isInverse(instrument) ? divideHalfEven(quantity * FINE, price) : quantity * price;
}

/** Average price of the filled quantity, exact: on the tick if all of it filled at one price. */
function averageOf(instrument: Instrument, filled: Fixed, weight: bigint): Fixed {
  return isInverse(instrument)
    ? divideHalfEven(filled * FINE, weight)
    : divideHalfEven(weight, filled);
}

function worthOf(instrument: Instrument, price: Fixed, quantity: Fixed): Fixed {
  return instrument.kind === 'futures'
    ? contractValue(instrument, quantity, price)
    : multiplyFixed(price, quantity);
}
