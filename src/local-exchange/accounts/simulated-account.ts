import {
  Balance,
  createInstrumentId,
  InvariantError,
  parseFixed,
  present,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
  type TierBook,
} from '../../domain/index.js';
import {
  nearestOrder,
  SimulatedVenue,
  type FeeModel,
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
  VenueUpdate,
} from '../../venue/index.js';
import { VENUE_ERRORS, type VenueErrorCode } from '../../venue/wire/index.js';
import type { CommandEffects, Condition, ExchangeAccount, OrderKey } from '../exchange-account.js';
import type { ListingRules } from '../market/listing-rules.js';
import { refuse, type Refusal } from '../refusal.js';
import type { AccountSettings, FeeTier, Wallet } from './account-settings.js';
import { hasEnded, OrderRecords, type OrderRecord } from './order-records.js';
import { ProfitRecords } from './profit-records.js';

/** What accounts trade on: the same for all of them. */
export interface TradingGround {
  /** Pairs and contracts, in the order in which they are listed. */
  readonly tapes: readonly TapeSource[];
  readonly rules: ListingRules;
  readonly tiers: TierBook;
  readonly slippage: SlippageModel;
  readonly halfSpread: Fixed;
  readonly participation: Fixed | 'off';
  readonly fillOnTouch: boolean;
  readonly hourlyRate: Fixed;
  readonly maxFeeRate: Fixed;
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
  readonly #contractIds: ReadonlyMap<InstrumentId, string>;
  readonly #records: OrderRecords;
  readonly #profits: ProfitRecords;
  readonly #venue: SimulatedVenue;
  #time: EpochMs;

  constructor({ settings, ground, ordinal, time }: SimulatedAccountOptions) {
    const { userId } = settings;
    const { tapes: listed, tiers, maxFeeRate, hourlyRate, ...terms } = ground;
    const tapes = listed.flatMap((tape) => tapesOf(tape, settings));
    this.userId = userId;
    this.#time = time;
    this.#instruments = new Map(tapes.map(({ instrument }) => [instrument.id, instrument]));
    this.#contractIds = new Map(
      listed.map(({ instrument }, index) => [instrument.id, String(index + 1)]),
    );
    this.#assets = [
      ...new Set([
        ...Object.keys(settings.balances.spot),
        ...listed.flatMap(({ instrument: { kind, base, quote } }) =>
          kind === 'spot' ? [base, quote] : [],
        ),
      ]),
    ];
    this.#records = new OrderRecords({
      userId,
      ordinal,
      instrumentOf: (id) => present(this.#instruments.get(id), `instrument ${id}`),
      stepAt: (id, at) => present(ground.rules.at(id, at), `rules of ${id}`).step,
    });
    this.#profits = new ProfitRecords(ordinal, (id) => this.#contractIds.get(id));
    this.#venue = new SimulatedVenue({
      ...terms,
      tapes,
      rules: ground.rules.book,
      balances: {
        spot: amountsOf(settings, 'spot'),
        margin: amountsOf(settings, 'margin'),
        futures: amountsOf(settings, 'futures'),
      },
      fees: feesOf(settings),
      futures: { tiers, maxFeeRate },
      margin: { hourlyRate },
      chooseOrder: nearestOrder,
      onUpdate: (update) => {
        this.#take(update);
      },
    });
    this.#venue.skipTo(time);
    this.#tell(time);
  }

  #take(update: VenueUpdate): void {
    this.#records.take(update);
    this.#profits.note(this.#venue.accounts.futures?.ledger.ended ?? [], update.eventTime);
  }

  // Time.

  /** Lets everything happen that is due by an instant. */
  #catchUp(time: EpochMs): void {
    if (time <= this.#time) return;
    const venue = this.#venue;
    while (!venue.isIdleUntil(time)) {
      const next = venue.nextTime();
      if (next >= time) break;
      this.#tell(next);
    }
    if (venue.isIdleUntil(time)) venue.skipTo(time);
    this.#tell(time);
    this.#time = time;
  }

  /** Tells the venue one instant, in the order of DESIGN R1. */
  #tell(time: EpochMs): void {
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
    this.#venue.openAt(time);
    this.#venue.admitWaiting(time);
  }

  // Commands.

  place(request: VenueOrderRequest, time: EpochMs, effects: CommandEffects): VenueOrder | Refusal {
    this.#catchUp(time);
    if (!this.#instruments.has(request.instrumentId)) return unlisted(request.instrumentId);
    const record = this.#records.open(request, time, effects);
    this.#venue.submit(simulated(request, record.internalId), time);
    if (record.status !== 'rejected') return this.#records.show(record);
    this.#records.forget(record);
    return refusalFor(record.reason);
  }

  test(request: VenueOrderRequest, time: EpochMs): Refusal | undefined {
    this.#catchUp(time);
    if (!this.#instruments.has(request.instrumentId)) return unlisted(request.instrumentId);
    const problem = this.#venue.test(simulated(request, 'test' as ClientOrderId), time);
    return problem && refusalFor(problem);
  }

  placeCondition({ order, ...condition }: Condition, time: EpochMs): string | Refusal {
    this.#catchUp(time);
    if (!this.#instruments.has(order.instrumentId)) return unlisted(order.instrumentId);
    const trigger = this.#records.openTrigger(order);
    const request = simulated(order, trigger.internalId);
    this.#venue.submitConditional({ ...condition, order: request }, time);
    const refused = this.#records.refusalOf(trigger);
    return refused === undefined ? trigger.triggerId : refusalFor(refused);
  }

  cancel(key: OrderKey, time: EpochMs, effects: CommandEffects): VenueOrder | Refusal {
    this.#catchUp(time);
    const record = this.#records.find(key.instrumentId, key.orderId, key.clientOrderId);
    if (record === undefined) return refuse('-2013', `there is no order ${key.orderId}`);
    if (hasEnded(record)) return refuse('-1145', `the order is ${record.status} already`);
    if (effects.fillsFirst === true) {
      this.#venue.fillAtLimit(record.internalId, time);
      // The answer to a cancel that came too late is that of one that came in time: what happened is found by asking.
      if (hasEnded(record)) return { ...this.#records.show(record), status: 'canceling' };
    }
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

  profits(instrumentId: InstrumentId, time: EpochMs): readonly ProfitRecord[] {
    this.#catchUp(time);
    return this.#profits.of(instrumentId);
  }

  spot(time: EpochMs): SpotAccountSnapshot {
    this.#catchUp(time);
    const { spot } = this.#venue.accounts;
    const totals = spot.totals();
    const balances = this.#assets.map((asset) => {
      const locked = spot.locked(asset);
      return new Balance(asset, { free: (totals.get(asset) ?? 0n) - locked, locked });
    });
    return { kind: 'spot', balances };
  }

  futures(time: EpochMs): FuturesAccountSnapshot {
    this.#catchUp(time);
    this.#venue.markPositions(time);
    const ledger = this.#venue.accounts.futures?.ledger;
    if (ledger === undefined) return { kind: 'futures', accounts: [] };
    // A coin that was never there is not shown: with one coin the interface's answer is an object.
    const assets = ledger.assets.filter(
      (asset, index) => index === 0 || ledger.equity(asset) !== 0n || ledger.frozen(asset) !== 0n,
    );
    const accounts = assets.map((asset) => {
      const account = ledger.account(asset);
      const positions = account.positions.map((position) => ({
        ...position,
        contractId: this.#contractIds.get(position.instrumentId),
        userId: this.userId,
      }));
      return { ...account, positions };
    });
    return { kind: 'futures', accounts };
  }

  /** The venue under the account, for checks of its books. */
  get venue(): SimulatedVenue {
    return this.#venue;
  }
}

/** An instrument as the account trades it, with the leverage and margin mode it has set; a pair also on margin. */
function tapesOf(tape: TapeSource, settings: AccountSettings): readonly TapeSource[] {
  const { instrument } = tape;
  const leverage = parseFixed(settings.leverage);
  const { marginMode } = settings;
  if (instrument.kind === 'futures') {
    return [{ ...tape, instrument: { ...instrument, leverage, marginMode } }];
  }
  // Without money for it there is no margin account.
  if (Object.keys(settings.balances.margin).length === 0) return [tape];
  const { symbol, base, quote } = instrument;
  const id = createInstrumentId('margin', symbol);
  return [tape, { ...tape, instrument: { kind: 'margin', id, symbol, base, quote, leverage } }];
}

/** The order as the simulator takes it. Spot requests do not say whether they open or close. */
function simulated(request: VenueOrderRequest, clientOrderId: ClientOrderId): OrderRequest {
  const { side, quantity, unit, instrumentId, marginMode } = request;
  const common = {
    clientOrderId,
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
  return refuse('-1121', `${instrumentId} is not listed, or not for this account`);
}

function amountsOf({ balances }: AccountSettings, wallet: Wallet): ReadonlyMap<Asset, Fixed> {
  return new Map(
    Object.entries(balances[wallet]).map(([asset, amount]) => [asset, parseFixed(amount)]),
  );
}

/** Pairs pay the tier of spot, on margin too; contracts their own. */
function feesOf({ fees }: AccountSettings): FeeModel {
  const pairs = ratesOf(fees.spot);
  const contracts = ratesOf(fees.futures);
  return { ratesAt: (id) => (id.startsWith('futures:') ? contracts : pairs) };
}

function ratesOf({ maker, taker }: FeeTier): FeeRates {
  return { maker: parseFixed(maker), taker: parseFixed(taker), paidIn: 'received' };
}
