import {
  convertFixed,
  divideFixed,
  feeWorth,
  multiplyFixed,
  FIXED_ONE,
  type FillRecord,
  type Fixed,
  type Instrument,
  type ForcedCause,
  type InstrumentId,
  type OrderIntent,
  type RiskDecision,
} from '../domain/index.js';
import { Refused } from '../risk/index.js';
import type { AccountUpdate } from '../venue/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineOptions } from './engine-options.js';
import type { Command } from './events.js';
import type { OrderManagerListener } from './orders/order-manager.js';
import type { WorkingOrder } from './orders/working-order.js';
import type { Financing } from './portfolio/financing.js';
import type { Portfolio } from './portfolio/portfolio.js';
import type { Protections } from './protections.js';
import type { StrategyFeedback } from './strategy-feedback.js';

const NO_COMMANDS: Command[] = [];

/** Receives the calls of the order manager and passes them on: commands to the caller of the engine, the rest to protections and strategy. */
export class OrderReporter implements OrderManagerListener {
  readonly #options: EngineOptions;
  readonly #clock: EngineClock;
  readonly #portfolio: Portfolio;
  readonly #protections: Protections;
  readonly #feedback: StrategyFeedback;
  #commands: Command[] = NO_COMMANDS;

  constructor(engine: {
    readonly options: EngineOptions;
    readonly clock: EngineClock;
    readonly portfolio: Portfolio;
    readonly protections: Protections;
    readonly feedback: StrategyFeedback;
  }) {
    this.#options = engine.options;
    this.#clock = engine.clock;
    this.#portfolio = engine.portfolio;
    this.#protections = engine.protections;
    this.#feedback = engine.feedback;
  }

  /** Commands since {@link begin}. */
  get commands(): readonly Command[] {
    return this.#commands;
  }

  /** Begins a new list of commands. */
  begin(): void {
    this.#commands = NO_COMMANDS;
  }

  command(command: Command): void {
    // Most events send no command, so the list is created with the first.
    if (this.#commands === NO_COMMANDS) this.#commands = [command];
    else this.#commands.push(command);
    if (command.kind === 'cancel' || !this.#protections.isLimited) return;
    // A conditional order that the venue holds back does not count as an order yet.
    if (command.condition !== undefined) return;
    const { instrumentId, action } = command.order;
    this.#protections.take({ kind: 'order-sent', time: this.#clock.now(), instrumentId, action });
  }

  verdict(
    intentId: number,
    instrumentId: InstrumentId,
    intent: OrderIntent,
    decision: RiskDecision,
  ): void {
    const isHeard = this.#options.onVerdict !== undefined || this.#feedback.hearsVerdicts;
    if (decision.kind !== 'refused' && !isHeard) return;
    const time = this.#clock.now();
    const verdict = { intentId, time, intent, decision: isHeard ? plain(decision) : decision };
    this.#options.onVerdict?.(verdict, instrumentId);
    this.#feedback.verdict(verdict, instrumentId);
  }

  orderChanged(order: WorkingOrder): void {
    this.#feedback.orderChanged(order);
  }

  filled(record: FillRecord, step: Fixed, order: WorkingOrder, cause?: ForcedCause): void {
    const { fee, feeAsset, instrumentId } = record;
    const { instrument } = this.#portfolio.instrument(instrumentId);
    const quoteRate = this.#quoteRate(instrument, record.price);
    const isOwn = feeAsset === instrument.quote || feeAsset === instrument.base;
    const feeRate = isOwn ? undefined : this.#portfolio.worthOfFee(instrument.kind, feeAsset);
    let cost = fee;
    // A fee in the equity currency counts as it was paid: a conversion to a price and back would change it.
    if (feeAsset !== this.#portfolio.equityCurrency)
      cost = isOwn
        ? convertFixed(feeWorth(record, instrument), quoteRate)
        : multiplyFixed(fee, feeRate ?? 0n);
    this.#feedback.filled({ record, step, quoteRate, feeRate, cause }, cost, order);
    this.#protections.onFill(record, step, this.#clock.now());
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

  stopFired(instrumentId: InstrumentId): void {
    this.#protections.take({ kind: 'stop-fired', time: this.#clock.now(), instrumentId });
  }

  financed(financings: readonly Financing[]): void {
    for (const financing of financings) {
      const cost = this.#portfolio.valueOf(financing.asset, financing.amount);
      this.#feedback.financed({ ...financing, cost });
      this.#protections.onFinancing(financing, cost);
    }
  }

  accountChanged(update: AccountUpdate): void {
    this.#feedback.accountChanged(update, this.#costOf(update));
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
}

/** A decision as a plain object, for listeners that read all of it or pass it on. */
function plain(decision: RiskDecision): RiskDecision {
  return decision instanceof Refused ? { kind: 'refused', refusal: decision.refusal } : decision;
}
