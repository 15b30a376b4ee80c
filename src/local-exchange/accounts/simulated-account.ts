import {
  Balance,
  createInstrumentId,
  present,
  splitInstrumentId,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import {
  InstantSteps,
  SimulatedVenue,
  VenueNews,
  type MarketSource,
} from '../../simulator/index.js';
import type {
  FuturesAccountSnapshot,
  HistoryOrder,
  ProfitRecord,
  SpotAccountSnapshot,
  VenueOrder,
  VenueOrderRequest,
  VenueTrade,
  VenueTrigger,
} from '../../venue/index.js';
import type { CommandEffects, Condition, ExchangeAccount, OrderKey } from '../exchange-account.js';
import { isRefusal, refuse, type ExchangeRefusal } from '../refusal.js';
import type { AccountVenue } from './account-venue.js';
import { leastLimit } from './least-limit.js';
import { hasEnded, OrderRecords, type OrderRecord } from './order-records.js';
import { chooseMarginMode } from './chosen-margin-mode.js';
import { PositionTimes } from './position-times.js';
import { refusalFor, simulated, unlisted } from './simulated-order.js';
import { ProfitRecords } from './profit-records.js';

interface SimulatedAccountOptions {
  readonly userId: string;
  /** Rises with each account that is opened. */
  readonly ordinal: number;
  /** Time at which the account is opened. */
  readonly time: EpochMs;
  /** Pairs and contracts, in the order in which they are listed. */
  readonly listed: readonly MarketSource[];
  /** Options of the venue under the account. */
  readonly venue: AccountVenue;
  /** Whether the candles that open at the current instant have opened. True for earlier instants. */
  readonly hasOpened: (time: EpochMs) => boolean;
  /** Interval of the polls in which the bot learns what the venue did by itself, in ms (DESIGN R2). */
  readonly updatePollMs: number;
}

/**
 * An account over its own simulated venue. All accounts share the candles, but their orders never meet.
 *
 * Nothing happens between calls. Each call first runs everything that is due by its instant.
 */
export class SimulatedAccount implements ExchangeAccount {
  readonly userId: string;
  readonly #assets: readonly Asset[];
  readonly #instruments: ReadonlyMap<InstrumentId, Instrument>;
  readonly #contractIds: ReadonlyMap<InstrumentId, string>;
  readonly #records: OrderRecords;
  readonly #profits: ProfitRecords;
  readonly #venue: SimulatedVenue;
  readonly #hasOpened: (time: EpochMs) => boolean;
  readonly #ordersChooseMode: boolean;
  /** Updates that happened by themselves. They tell when a bot that polls on the grid learns of them. */
  readonly #news: VenueNews;
  readonly #positionTimes = new PositionTimes();
  readonly #steps = new InstantSteps('an account of the exchange');
  #time: EpochMs;
  /** Whether the candles that open at {@link #time} have opened. */
  #isOpened = false;

  constructor(options: SimulatedAccountOptions) {
    const { userId, ordinal, time, listed, venue, hasOpened, updatePollMs } = options;
    this.userId = userId;
    this.#time = time;
    this.#hasOpened = hasOpened;
    this.#ordersChooseMode = venue.ordersChooseMode === true;
    this.#news = new VenueNews(updatePollMs);
    this.#instruments = new Map(venue.markets.map(({ instrument }) => [instrument.id, instrument]));
    this.#contractIds = new Map(
      listed.map(({ instrument }, index) => [instrument.id, String(index + 1)]),
    );
    this.#assets = [
      ...new Set([
        ...(venue.balances.spot?.keys() ?? []),
        ...listed.flatMap(({ instrument: { kind, base, quote } }) =>
          kind === 'spot' ? [base, quote] : [],
        ),
      ]),
    ];
    this.#records = new OrderRecords({
      userId,
      ordinal,
      instrumentOf: (id) => present(this.#instruments.get(id), `instrument ${id}`),
      marginModeOf: (id) => this.#venue.accounts.futures?.ledger.marginMode(id),
      stepAt: (id, at) => present(venue.rules.at(id, at), `rules of ${id}`).step,
      contractIdOf: (id) => this.#contractIds.get(id),
      feeRatesOf: (id, at) => venue.fees.ratesAt(id, at),
    });
    this.#profits = new ProfitRecords(ordinal, (id) => this.#contractIds.get(id));
    this.#venue = new SimulatedVenue({
      ...venue,
      onUpdate: (update) => {
        this.#records.take(update);
        this.#news.note(update);
        this.#positionTimes.note(update);
      },
      onPositionEnded: (ended, at) => {
        const { instrumentId, direction } = ended;
        this.#profits.add(ended, this.#positionTimes.end(instrumentId, direction, at));
      },
    });
    this.#venue.skipTo(time);
    this.#arriveAt(time);
    if (hasOpened(time)) this.#open();
  }

  // Time.

  /** When something happens next by itself, after everything up to now has happened. */
  nextTime(time: EpochMs): EpochMs {
    this.#catchUp(time);
    return this.#isOpened ? this.#venue.nextTime() : time;
  }

  /** When the next poll of the grid can report something that happened by itself; Infinity if nothing did. */
  nextPoll(time: EpochMs): EpochMs {
    this.#catchUp(time);
    this.#news.forgetKnown(time);
    return this.#news.nextTime();
  }

  /** Runs everything that is due by an instant. */
  #catchUp(time: EpochMs, isOpened = this.#hasOpened(time)): void {
    if (time > this.#time) this.#moveTo(time);
    if (isOpened) this.#open();
  }

  #moveTo(time: EpochMs): void {
    const venue = this.#venue;
    this.#open();
    while (!venue.isIdleUntil(time)) {
      const next = venue.nextTime();
      if (next >= time) break;
      this.#steps.count(next);
      this.#arriveAt(next);
      this.#open();
    }
    if (venue.isIdleUntil(time)) venue.skipTo(time);
    this.#arriveAt(time);
  }

  /** First half of an instant: candles that end at it, and settlements (DESIGN R1, steps 2 and 3). */
  #arriveAt(time: EpochMs): void {
    this.#time = time;
    this.#isOpened = false;
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
  }

  /** Second half: candles that open at it, and commands that waited for them (steps 5 and 6). */
  #open(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    this.#news.endPoll(this.#time);
    this.#news.forgetKnown(this.#time);
    this.#venue.openAt(this.#time);
    this.#venue.admitWaiting(this.#time);
  }

  /** An order, a condition or a cancel arrives, after the candles of its instant have opened. Updates of its own order are its answer. */
  #arrive<T>(time: EpochMs, act: () => T): T {
    this.#catchUp(time, true);
    try {
      return act();
    } finally {
      this.#news.endAnswers();
    }
  }

  // Commands.

  place(
    request: VenueOrderRequest,
    time: EpochMs,
    effects: CommandEffects,
  ): VenueOrder | ExchangeRefusal {
    if (!this.#instruments.has(request.instrumentId)) return unlisted(request.instrumentId);
    return this.#arrive(time, () => {
      const wanted = this.#inMode(request, 'set');
      if (isRefusal(wanted)) return wanted;
      const record = this.#records.open(request, time, effects);
      this.#news.ask(record.internalId);
      this.#venue.submit(simulated(wanted, record.internalId), time);
      if (record.status !== 'rejected') return this.#records.show(record);
      this.#records.forget(record);
      return refusalFor(record.reason);
    });
  }

  test(request: VenueOrderRequest, time: EpochMs): ExchangeRefusal | undefined {
    if (!this.#instruments.has(request.instrumentId)) return unlisted(request.instrumentId);
    return this.#arrive(time, () => {
      const wanted = this.#inMode(request, 'look');
      if (isRefusal(wanted)) return wanted;
      const problem = this.#venue.test(simulated(wanted, 'test' as ClientOrderId), time);
      return problem && refusalFor(problem);
    });
  }

  placeCondition(condition: Condition, time: EpochMs): string | ExchangeRefusal {
    const { order } = condition;
    if (!this.#instruments.has(order.instrumentId)) return unlisted(order.instrumentId);
    return this.#arrive(time, () => {
      const wanted = this.#inMode(order, 'set');
      if (isRefusal(wanted)) return wanted;
      const trigger = this.#records.triggers.open(condition, time);
      this.#news.ask(trigger.internalId, { placesCondition: true });
      const request = simulated(wanted, trigger.internalId);
      this.#venue.submitConditional({ ...condition, order: request }, time);
      const refused = this.#records.triggers.refusalOf(trigger);
      return refused === undefined ? trigger.triggerId : refusalFor(refused);
    });
  }

  /** The order in the form to submit, once its margin mode is that of its contract: see {@link chooseMarginMode}. `set` also sets that mode. */
  #inMode(
    request: VenueOrderRequest,
    purpose: 'set' | 'look',
  ): VenueOrderRequest | ExchangeRefusal {
    const ledger = this.#venue.accounts.futures?.ledger;
    const { instrumentId } = request;
    if (!this.#ordersChooseMode || ledger === undefined) return request;
    if (splitInstrumentId(instrumentId).kind !== 'futures') return request;
    const chosen = chooseMarginMode(request, {
      ledger,
      isWorking: (id) =>
        this.#records.workingOf(id).length + this.#records.triggers.list(id).length > 0,
    });
    if (isRefusal(chosen)) return chosen;
    if (purpose === 'set') ledger.setMarginMode(instrumentId, chosen);
    return { ...request, marginMode: undefined };
  }

  cancelTrigger(
    instrumentId: InstrumentId,
    triggerId: string,
    time: EpochMs,
  ): ExchangeRefusal | undefined {
    return this.#arrive(time, () => {
      const trigger = this.#records.triggers.cancel(instrumentId, triggerId);
      if (trigger === undefined) return refuse('-2013', `no trigger ${triggerId} waits`);
      this.#news.ask(trigger.internalId);
      this.#venue.cancel(trigger.internalId, time);
      return undefined;
    });
  }

  cancel(key: OrderKey, time: EpochMs, effects: CommandEffects): VenueOrder | ExchangeRefusal {
    return this.#arrive(time, () => this.#cancel(key, time, effects));
  }

  #cancel(key: OrderKey, time: EpochMs, effects: CommandEffects): VenueOrder | ExchangeRefusal {
    const record = this.#records.find(key.instrumentId, key.orderId, key.clientOrderId);
    if (record === undefined) return refuse('-2013', `there is no order ${key.orderId}`);
    if (hasEnded(record)) return refuse('-1145', `the order is ${record.status} already`);
    this.#news.ask(record.internalId);
    if (effects.fillsFirst === true) {
      this.#venue.fillAtLimit(record.internalId, time);
      // A cancel that came too late gets the same answer as one in time. The client must query the result.
      if (hasEnded(record)) return { ...this.#records.show(record), status: 'canceling' };
    }
    this.#venue.cancel(record.internalId, time);
    return this.#records.show(record);
  }

  // State.

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

  triggers(instrumentId: InstrumentId, time: EpochMs): readonly VenueTrigger[] {
    this.#catchUp(time);
    return this.#records.triggers.list(instrumentId);
  }

  orders(instrumentId: InstrumentId, time: EpochMs): readonly HistoryOrder[] {
    this.#catchUp(time);
    return this.#shown(this.#records.ordersOf(instrumentId), time);
  }

  #shown(records: readonly OrderRecord[], time: EpochMs): readonly HistoryOrder[] {
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

  volumeLeft(instrumentId: InstrumentId, time: EpochMs): Fixed | undefined {
    this.#catchUp(time);
    const { symbol } = splitInstrumentId(instrumentId);
    const ids = [instrumentId, createInstrumentId('margin', symbol)].filter((id) =>
      this.#instruments.has(id),
    );
    return ids.length === 0 ? 0n : leastLimit(ids.map((id) => this.#left(id)));
  }

  #left(id: InstrumentId): Fixed | undefined {
    const market = this.#venue.market(id);
    return market.isOpen ? market.pool() : 0n;
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
    this.#venue.markPositions(time, this.#isOpened ? 'after' : 'before');
    const ledger = this.#venue.accounts.futures?.ledger;
    if (ledger === undefined) return { kind: 'futures', accounts: [] };
    // All accounts, so that the form of the answer never changes.
    const accounts = ledger.assets.map((asset) => {
      const account = ledger.account(asset);
      const positions = account.positions.map((position) => ({
        ...position,
        ...this.#positionTimes.of(position.instrumentId, position.direction),
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
