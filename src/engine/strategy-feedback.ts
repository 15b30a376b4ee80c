import { Subject } from 'rxjs';
import {
  addFixed,
  decimalFromFixed,
  directionOf,
  Fill,
  FundingPayment,
  type AccountEvent,
  type Fixed,
  type Halt,
  type InstrumentId,
  type Order,
  type RunCosts,
} from '../domain/index.js';
import type { StrategyContext, StrategyInstance, Verdict } from '../strategy/index.js';
import type { AccountUpdate } from '../venue/index.js';
import type { WorkingOrder } from './orders/working-order.js';
import { addKept } from './history/add-kept.js';
import { FillLog } from './history/fill-log.js';
import { RefusalLog } from './history/refusal-log.js';
import { takeOrder } from './orders/orders-checkpoint.js';
import type { OrderIds } from './order-ids.js';
import type { OrderStatuses } from './order-statuses.js';
import type { RecordKeeping, RecordedFinancing, RecordedFill } from './records.js';
import { refusePromise } from './refuse-promise.js';
import type { StrategyInputs } from './strategy-inputs.js';

type FeedbackStreams = Pick<
  StrategyContext,
  'verdicts$' | 'orders$' | 'fills$' | 'halts$' | 'funding$' | 'accountEvents$'
>;

type Hook = 'onVerdict' | 'onOrder' | 'onFill' | 'onHalt' | 'onFunding' | 'onAccountEvent';

/** Reports the results of intents and changes of the account to a strategy, by its methods and by streams, and keeps the records for a report. */
export class StrategyFeedback {
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

  /** `ids`: ids of the bot's orders. `onFailure`: called with errors that the strategy throws. */
  constructor(
    ids: OrderIds,
    keeping: RecordKeeping,
    inputs: StrategyInputs | undefined,
    onFailure: (error: unknown) => void,
  ) {
    this.#onFailure = onFailure;
    this.#inputs = inputs;
    this.#kept = keeping.kept ?? Infinity;
    this.fills = new FillLog(ids, keeping);
    this.refusals = new RefusalLog(keeping.kept);
  }

  /** Whether the strategy listens to verdicts of risk. */
  get hearsVerdicts(): boolean {
    return this.#hears(this.#verdicts, this.strategy?.onVerdict !== undefined);
  }

  verdict(verdict: Verdict, instrumentId: InstrumentId): void {
    const { time, decision } = verdict;
    if (decision.kind === 'refused') this.refusals.add(time, instrumentId, decision);
    if (this.hearsVerdicts)
      this.#inputs?.told(verdict, verdict.decision.kind === 'refused' ? 'money' : 'orders');
    this.#tell('onVerdict', verdict, this.#verdicts);
    this.statuses?.touch(verdict.intentId);
  }

  orderChanged(order: WorkingOrder): void {
    const isAsked = this.statuses?.areHeard === true;
    if (!isAsked && !this.#hears(this.#orders, this.strategy?.onOrder !== undefined)) return;
    this.#inputs?.told(takeOrder(order), 'orders');
    const snapshot = order.snapshot();
    this.#tell('onOrder', snapshot, this.#orders);
    if (isAsked) this.statuses?.changed(order, snapshot);
  }

  /** `fee`: in the equity currency. */
  filled(fill: RecordedFill, fee: Fixed, order: WorkingOrder): void {
    this.fills.add(fill);
    this.#costs.fees = addFixed(this.#costs.fees, fee);
    if (!this.#hears(this.#fills, this.strategy?.onFill !== undefined)) return;
    this.#inputs?.told([fill.record, fill.cause], 'orders');
    const view = new Fill(fill.record, fill.cause, order.label);
    this.#tell('onFill', view, this.#fills);
  }

  halted(halt: Halt): void {
    addKept(this.halts, halt, this.#kept);
    if (this.#hears(this.#halts, this.strategy?.onHalt !== undefined))
      this.#inputs?.told(halt, 'money');
    this.#tell('onHalt', halt, this.#halts);
  }

  financed(financing: RecordedFinancing): void {
    addKept(this.financings, financing, this.#kept);
  }

  /** `cost` is funding or interest paid, or insurance received, in the equity currency. */
  accountChanged(update: AccountUpdate, cost: Fixed): void {
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
