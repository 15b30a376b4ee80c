import {
  Balance,
  InvariantError,
  parseFixed,
  present,
  type Asset,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
} from '../../domain/index.js';
import {
  createDatedFees,
  nearestOrder,
  SimulatedVenue,
  type SlippageModel,
  type TapeSource,
} from '../../simulator/index.js';
import type {
  FuturesAccountSnapshot,
  ProfitRecord,
  SpotAccountSnapshot,
  VenueOrder,
  VenueOrderRequest,
  VenueTrade,
} from '../../venue/index.js';
import { VENUE_ERRORS, type VenueErrorCode } from '../../venue/wire/index.js';
import type { CommandEffects, Condition, ExchangeAccount, OrderKey } from '../exchange-account.js';
import type { ListingRules } from '../market/listing-rules.js';
import { refuse, type Refusal } from '../refusal.js';
import type { AccountSettings, Wallet } from './account-settings.js';
import { hasEnded, OrderRecords, type OrderRecord } from './order-records.js';

/** What accounts trade on: the same for all of them. */
export interface TradingGround {
  readonly tapes: readonly TapeSource[];
  readonly rules: ListingRules;
  readonly slippage: SlippageModel;
  readonly halfSpread: Fixed;
  readonly participation: Fixed | 'off';
  readonly fillOnTouch: boolean;
}

export interface SimulatedAccountOptions {
  readonly settings: AccountSettings;
  readonly ground: TradingGround;
  /** Rises with each account that is opened. */
  readonly ordinal: number;
  /** When the account is opened. */
  readonly time: EpochMs;
}

/**
 * An account over a simulated venue of its own: the candles are those of all accounts, orders meet nobody else's.
 *
 * Nothing happens between calls; each call first lets happen what is due by its instant.
 */
export class SimulatedAccount implements ExchangeAccount {
  readonly userId: string;
  readonly #assets: readonly Asset[];
  readonly #instruments: ReadonlyMap<InstrumentId, Instrument>;
  readonly #records: OrderRecords;
  readonly #venue: SimulatedVenue;
  #time: EpochMs;

  constructor({ settings, ground, ordinal, time }: SimulatedAccountOptions) {
    const { userId, fees } = settings;
    this.userId = userId;
    this.#time = time;
    this.#instruments = new Map(ground.tapes.map(({ instrument }) => [instrument.id, instrument]));
    this.#assets = [
      ...new Set([
        ...Object.keys(settings.balances.spot),
        ...ground.tapes.flatMap(({ instrument }) => [instrument.base, instrument.quote]),
      ]),
    ];
    this.#records = new OrderRecords({
      userId,
      ordinal,
      instrumentOf: (id) => present(this.#instruments.get(id), `instrument ${id}`),
      stepAt: (id, at) => present(ground.rules.at(id, at), `rules of ${id}`).step,
    });
    this.#venue = new SimulatedVenue({
      tapes: ground.tapes,
      rules: ground.rules.book,
      balances: { spot: amountsOf(settings, 'spot') },
      fees: createDatedFees(
        {
          maker: parseFixed(fees.spot.maker),
          taker: parseFixed(fees.spot.taker),
          paidIn: 'received',
        },
        [],
      ),
      slippage: ground.slippage,
      halfSpread: ground.halfSpread,
      participation: ground.participation,
      fillOnTouch: ground.fillOnTouch,
      chooseOrder: nearestOrder,
      onUpdate: this.#records.take,
    });
    this.#venue.skipTo(time);
    this.#openAt(time);
  }

  // Time.

  /** Lets everything happen that is due by an instant. */
  #catchUp(time: EpochMs): void {
    if (time <= this.#time) return;
    while (!this.#venue.isIdle) {
      const next = this.#venue.nextTime();
      if (next > time) break;
      this.#openAt(next);
    }
    if (this.#venue.isIdle) this.#venue.skipTo(time);
    this.#openAt(time);
    this.#time = time;
  }

  #openAt(time: EpochMs): void {
    this.#venue.completeUntil(time);
    this.#venue.openAt(time);
    this.#venue.admitWaiting(time);
  }

  // Commands.

  place(request: VenueOrderRequest, time: EpochMs, effects: CommandEffects): VenueOrder | Refusal {
    this.#catchUp(time);
    const unopened = this.#refuseMarket(request.instrumentId);
    if (unopened !== undefined) return unopened;
    const record = this.#records.open(request, time, effects);
    this.#venue.submit(simulated(record), time);
    if (record.status !== 'rejected') return this.#records.show(record);
    this.#records.forget(record);
    return refusalFor(record.reason);
  }

  test(request: VenueOrderRequest, time: EpochMs): Refusal | undefined {
    this.#catchUp(time);
    return this.#refuseMarket(request.instrumentId);
  }

  /** Why nothing of an instrument can be ordered, or nothing. */
  #refuseMarket(instrumentId: InstrumentId): Refusal | undefined {
    const instrument = this.#instruments.get(instrumentId);
    if (instrument === undefined) return unlisted(instrumentId);
    return instrument.kind === 'spot'
      ? undefined
      : refuse('-1025', `the account for ${instrument.kind} is not opened`);
  }

  placeCondition({ order }: Condition, time: EpochMs): string | Refusal {
    this.#catchUp(time);
    return unlisted(order.instrumentId);
  }

  cancel(key: OrderKey, time: EpochMs): VenueOrder | Refusal {
    this.#catchUp(time);
    const record = this.#records.find(key.instrumentId, key.orderId, key.clientOrderId);
    if (record === undefined) return refuse('-2013', `there is no order ${key.orderId}`);
    if (hasEnded(record)) return refuse('-1145', `the order is ${record.status} already`);
    this.#venue.cancel(record.internalId, time);
    return this.#records.show(record);
  }

  // What is there.

  order(key: OrderKey, time: EpochMs): VenueOrder | undefined {
    this.#catchUp(time);
    const record = this.#records.find(key.instrumentId, key.orderId, key.clientOrderId);
    return record === undefined || record.visibleFrom > time
      ? undefined
      : this.#records.show(record);
  }

  openOrders(instrumentId: InstrumentId, time: EpochMs): readonly VenueOrder[] {
    this.#catchUp(time);
    return this.#shown(this.#records.workingOf(instrumentId), time);
  }

  orders(instrumentId: InstrumentId, time: EpochMs): readonly VenueOrder[] {
    this.#catchUp(time);
    return this.#shown(this.#records.ordersOf(instrumentId), time);
  }

  #shown(records: readonly OrderRecord[], time: EpochMs): readonly VenueOrder[] {
    return records
      .filter(({ visibleFrom }) => visibleFrom <= time)
      .map((record) => this.#records.show(record));
  }

  trades(instrumentId: InstrumentId, time: EpochMs): readonly VenueTrade[] {
    this.#catchUp(time);
    return this.#records.tradesOf(instrumentId);
  }

  profits(_instrumentId: InstrumentId, time: EpochMs): readonly ProfitRecord[] {
    this.#catchUp(time);
    return [];
  }

  spot(time: EpochMs): SpotAccountSnapshot {
    this.#catchUp(time);
    const totals = this.#venue.balances();
    const balances = this.#assets.map((asset) => {
      const locked = this.#venue.locked(asset);
      return new Balance(asset, { free: (totals.get(asset) ?? 0n) - locked, locked });
    });
    return { kind: 'spot', balances };
  }

  futures(time: EpochMs): FuturesAccountSnapshot {
    this.#catchUp(time);
    return { kind: 'futures', accounts: [] };
  }
}

/** The order as the simulator takes it. Spot requests do not say whether they open or close. */
function simulated({ internalId, request }: OrderRecord): OrderRequest {
  const { side, quantity, unit, instrumentId, marginMode } = request;
  const common = {
    clientOrderId: internalId,
    intentId: 0,
    instrumentId,
    side,
    action: request.action ?? (side === 'buy' ? 'open' : 'close'),
    quantity,
    unit,
    ...(marginMode === undefined ? {} : { marginMode }),
  } as const;
  return request.type === 'market'
    ? { ...common, type: 'market' }
    : {
        ...common,
        type: 'limit',
        limitPrice: request.limitPrice,
        timeInForce: request.timeInForce,
      };
}

function refusalFor(reason: OrderReason | undefined): Refusal {
  const code = reason?.code ?? '';
  if (!Object.hasOwn(VENUE_ERRORS, code)) {
    throw new InvariantError('E_MISSING', `expected a code of the venue, received "${code}"`);
  }
  return refuse(code as VenueErrorCode, reason?.text ?? '');
}

function unlisted(instrumentId: InstrumentId): Refusal {
  return refuse('-1121', `${instrumentId} is not listed`);
}

function amountsOf({ balances }: AccountSettings, wallet: Wallet): ReadonlyMap<Asset, Fixed> {
  return new Map(
    Object.entries(balances[wallet]).map(([asset, amount]) => [asset, parseFixed(amount)]),
  );
}
