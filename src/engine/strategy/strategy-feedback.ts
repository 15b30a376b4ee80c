import { Subject } from 'rxjs';
import {
  convertFixed,
  decimalFromFixed,
  directionOf,
  divideFixed,
  feeWorth,
  Fill,
  FIXED_ONE,
  FundingPayment,
  multiplyFixed,
  type AccountEvent,
  type FillRecord,
  type Fixed,
  type ForcedCause,
  type Halt,
  type Instrument,
  type InstrumentId,
  type Order,
  type OrderIntent,
  type RiskDecision,
  type RunCosts,
} from '../../domain/index.js';
import { Refused } from '../../risk/index.js';
import type { StrategyContext, StrategyInstance, Verdict } from '../../strategy/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import type { EngineOptions } from '../engine-options.js';
import type { Command } from '../events.js';
import { addKept } from '../history/add-kept.js';
import { FillLog } from '../history/fill-log.js';
import { RefusalLog } from '../history/refusal-log.js';
import type { OrderStatuses } from '../intents/order-statuses.js';
import type { OrderIds } from '../order-ids.js';
import type { OrderManagerListener } from '../orders/order-manager-options.js';
import { takeOrder } from '../orders/state/orders-checkpoint.js';
import type { WorkingOrder } from '../orders/working/working-order.js';
import type { Financing } from '../portfolio/financing.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import type { SideLedger } from '../portfolio/side-ledger.js';
import type { Protections } from '../protections.js';
import type { RecordedFinancing } from '../records.js';
import type { EngineClock } from '../time/engine-clock.js';
import { refusePromise } from './refuse-promise.js';
import type { StrategyFailures } from './strategy-failures.js';
import type { StrategyInputs } from './strategy-inputs.js';

type FeedbackStreams = Pick<
  StrategyContext,
  'verdicts$' | 'orders$' | 'fills$' | 'halts$' | 'funding$' | 'accountEvents$'
>;

type Hook = 'onVerdict' | 'onOrder' | 'onFill' | 'onHalt' | 'onFunding' | 'onAccountEvent';

const NO_COMMANDS: Command[] = [];

/**
 * Hears what the order manager does: commands go to the caller of the engine, results of intents and changes of the account to protections, to the records
 * for a report, and to the strategy by its methods and by streams.
 */
export class StrategyFeedback implements OrderManagerListener {
  readonly fills: FillLog;
  readonly refusals: RefusalLog;
  readonly halts: Halt[] = [];
  readonly financings: RecordedFinancing[] = [];
  readonly #verdicts = new Subject<Verdict>();
  readonly #orders = new Subject<Order>();
  readonly #fills = new Subject<Fill>();
  readonly #halts = new Subject<Halt>();
  readonly #funding = new Subject<FundingPayment>();
  readonly #accountEvents = new Subject<AccountEvent>();
  readonly #costs = { fees: 0n, funding: 0n, interest: 0n, insurance: 0n };
  readonly #kept: number;
  readonly #inputs: StrategyInputs | undefined;
  readonly #onVerdict: EngineOptions['onVerdict'];
  readonly #clock: EngineClock;
  readonly #portfolio: Portfolio;
  readonly #protections: Protections;
  /** Commands since {@link begin}. */
  commands: Command[] = NO_COMMANDS;
  /** The strategy that receives the reports; undefined until it is constructed. */
  strategy: StrategyInstance | undefined;
  /** Streams of single intents; undefined until there is an order manager. */
  statuses: OrderStatuses | undefined;

  /** Hot; replay nothing; complete when the run ends; never error. */
  readonly streams: FeedbackStreams = {
    verdicts$: this.#verdicts.asObservable(),
    orders$: this.#orders.asObservable(),
    fills$: this.#fills.asObservable(),
    halts$: this.#halts.asObservable(),
    funding$: this.#funding.asObservable(),
    accountEvents$: this.#accountEvents.asObservable(),
  };

  readonly #onFailure: (error: unknown) => void;
  #isSilent = false;

  constructor(engine: {
    readonly options: EngineOptions;
    /** Ids of the bot's orders. */
    readonly ids: OrderIds;
    readonly clock: EngineClock;
    readonly portfolio: Portfolio;
    readonly protections: Protections;
    readonly failures: StrategyFailures;
  }) {
    const { records = {}, inputs, onVerdict } = engine.options;
    this.#onFailure = engine.failures.record;
    this.#inputs = inputs;
    this.#onVerdict = onVerdict;
    this.#kept = records.kept ?? Infinity;
    this.#clock = engine.clock;
    this.#portfolio = engine.portfolio;
    this.#protections = engine.protections;
    this.fills = new FillLog(engine.ids, records);
    this.refusals = new RefusalLog(records.kept);
  }

  /** Begins a new list of commands. */
  begin(): void {
    this.commands = NO_COMMANDS;
  }

  command(command: Command): void {
    // Most events send no command, so the list is created with the first.
    if (this.commands === NO_COMMANDS) this.commands = [command];
    else this.commands.push(command);
    if (command.kind === 'cancel' || !this.#protections.isLimited) return;
    // A conditional order that the venue holds back does not count as an order yet.
    if (command.condition !== undefined) return;
    const { instrumentId, action } = command.order;
    this.#protections.take({ kind: 'order-sent', time: this.#clock.now, instrumentId, action });
  }

  verdict(
    intentId: number,
    instrumentId: InstrumentId,
    intent: OrderIntent,
    decision: RiskDecision,
  ): void {
    const hears = this.#hears(this.#verdicts, this.strategy?.onVerdict !== undefined);
    const isHeard = hears || this.#onVerdict !== undefined;
    if (decision.kind !== 'refused' && !isHeard) return;
    const time = this.#clock.now;
    const told = isHeard ? plain(decision) : decision;
    const verdict = { intentId, time, intent, decision: told };
    this.#onVerdict?.(verdict, instrumentId);
    if (told.kind === 'refused') this.refusals.add(time, instrumentId, told);
    if (hears) this.#inputs?.told(verdict, decision.kind === 'refused' ? 'money' : 'orders');
    this.#tell('onVerdict', verdict, this.#verdicts);
    this.statuses?.touch(intentId);
  }

  orderChanged(order: WorkingOrder): void {
    const isAsked = this.statuses?.areHeard === true;
    if (!isAsked && !this.#hears(this.#orders, this.strategy?.onOrder !== undefined)) return;
    this.#inputs?.told(takeOrder(order), 'orders');
    const snapshot = order.snapshot();
    this.#tell('onOrder', snapshot, this.#orders);
    if (isAsked) this.statuses?.changed(order, snapshot);
  }

  filled(record: FillRecord, step: Fixed, order: WorkingOrder, cause?: ForcedCause): void {
    const { fee, feeAsset, instrumentId } = record;
    const { instrument } = this.#portfolio.instrument(instrumentId);
    const quoteRate = this.#quoteRate(instrument, record.price);
    const isOwn = feeAsset === instrument.quote || feeAsset === instrument.base;
    const feeRate = isOwn ? undefined : this.#portfolio.worthOfFee(instrument.kind, feeAsset);
    // A fee in the equity currency counts as it was paid: a conversion to a price and back would change it.
    if (feeAsset === this.#portfolio.equityCurrency) this.#costs.fees += fee;
    else if (isOwn) this.#costs.fees += convertFixed(feeWorth(record, instrument), quoteRate);
    else this.#costs.fees += multiplyFixed(fee, feeRate ?? 0n);
    this.fills.add({ record, step, quoteRate, feeRate, cause });
    if (this.#hears(this.#fills, this.strategy?.onFill !== undefined)) {
      this.#inputs?.told([record, cause], 'orders');
      this.#tell('onFill', new Fill(record, cause, order.label), this.#fills);
    }
    if (this.#protections.isLimited) this.#protections.onFill(record, step, this.#clock.now);
  }

  /** Worth of one unit of an instrument's quote. If no instrument prices the quote of an inverse contract, it follows from the worth of its coin. */
  #quoteRate(instrument: Instrument, price: Fixed): Fixed {
    const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
    // Equity is counted in the coin of the contract, so its quote is converted at the price of the fill.
    if (isInverse && instrument.marginAsset === this.#portfolio.equityCurrency)
      return divideFixed(FIXED_ONE, price);
    const worth = this.#portfolio.worthOf(instrument.quote);
    if (worth !== undefined) return worth;
    return isInverse
      ? divideFixed(this.#portfolio.valueOf(instrument.marginAsset, FIXED_ONE), price)
      : 0n;
  }

  closedByFee(instrumentId: InstrumentId, ledger: SideLedger): void {
    if (this.#protections.isLimited)
      this.#protections.onFlat(instrumentId, ledger, this.#clock.now);
  }

  stopFired(instrumentId: InstrumentId): void {
    this.#protections.take({ kind: 'stop-fired', time: this.#clock.now, instrumentId });
  }

  halted(halt: Halt): void {
    addKept(this.halts, halt, this.#kept);
    if (this.#hears(this.#halts, this.strategy?.onHalt !== undefined))
      this.#inputs?.told(halt, 'money');
    this.#tell('onHalt', halt, this.#halts);
  }

  financed(financings: readonly Financing[]): void {
    for (const financing of financings) {
      const cost = this.#portfolio.valueOf(financing.asset, financing.amount);
      addKept(this.financings, { ...financing, cost }, this.#kept);
      this.#protections.onFinancing(financing, cost);
    }
  }

  accountChanged(update: AccountUpdate): void {
    const cost = this.#costOf(update);
    if (update.kind === 'funding' || update.kind === 'interest') this.#costs[update.kind] += cost;
    else this.#costs.insurance += cost;
    if (update.kind === 'funding') {
      // At a rate of 0 nothing is paid. A venue does not show that, so a live bot could not learn of it.
      if (update.amount === 0n) return;
      if (this.#hears(this.#funding, this.strategy?.onFunding !== undefined))
        this.#inputs?.told(update, 'else');
      this.#tell('onFunding', new FundingPayment(update), this.#funding);
      return;
    }
    if (this.#hears(this.#accountEvents, this.strategy?.onAccountEvent !== undefined))
      this.#inputs?.told(update, 'money');
    this.#tell('onAccountEvent', viewOf(update), this.#accountEvents);
  }

  /** In the equity currency: funding and interest paid, insurance received. */
  #costOf(update: AccountUpdate): Fixed {
    switch (update.kind) {
      case 'funding':
        return this.#portfolio.valueOf(update.asset, -update.amount);
      case 'interest':
        return this.#portfolio.valueOf(update.asset, update.amount);
      case 'forced-fill':
        return this.#insuranceOf(update);
      case 'margin-warning':
        return 0n;
    }
  }

  #insuranceOf({ fill, insurance }: Extract<AccountUpdate, { kind: 'forced-fill' }>): Fixed {
    const { instrument } = this.#portfolio.instrument(fill.instrumentId);
    const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
    return this.#portfolio.valueOf(asset, insurance);
  }
  /** Called with each order. The caller reads the hook, because looking it up by its name here would take longer than all the rest. */
  #hears(subject: { readonly observed: boolean }, hasHook: boolean): boolean {
    return !this.#isSilent && (subject.observed || hasHook);
  }

  /** Catches errors of the strategy, so that they do not reach the caller. */
  #tell<T>(method: Hook, value: T, subject: Subject<T>): void {
    if (this.#isSilent) return;
    const { strategy } = this;
    try {
      const hooks = strategy as Readonly<Partial<Record<Hook, (told: T) => unknown>>> | undefined;
      refusePromise(method, hooks?.[method]?.(value));
      subject.next(value);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Stops all reports to the strategy. */
  silence(): void {
    this.#isSilent = true;
    this.statuses = undefined;
  }

  get costs(): RunCosts {
    return { ...this.#costs };
  }

  complete(): void {
    this.#verdicts.complete();
    this.#orders.complete();
    this.statuses?.complete();
    this.#fills.complete();
    this.#halts.complete();
    this.#funding.complete();
    this.#accountEvents.complete();
  }
}

function viewOf(update: Exclude<AccountUpdate, { readonly kind: 'funding' }>): AccountEvent {
  const { eventTime } = update;
  switch (update.kind) {
    case 'interest': {
      const { kind, asset, amount, isEstimated = false } = update;
      return { kind, asset, amount: decimalFromFixed(amount), isEstimated, eventTime };
    }
    case 'margin-warning':
      return { kind: update.kind, level: decimalFromFixed(update.level), eventTime };
    case 'forced-fill': {
      const { cause, fill, insurance } = update;
      return {
        kind: 'forced',
        cause,
        instrumentId: fill.instrumentId,
        direction: directionOf(fill),
        insurance: decimalFromFixed(insurance),
        eventTime,
      };
    }
  }
}

/** A decision as a plain object, for listeners that read all of it or pass it on. */
function plain(decision: RiskDecision): RiskDecision {
  return decision instanceof Refused ? { kind: 'refused', refusal: decision.refusal } : decision;
}
