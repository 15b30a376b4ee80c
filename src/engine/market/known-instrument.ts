import {
  decimalFromFixed,
  multiplyFixed,
  present,
  priceFromFixed,
  type Decimal,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type Position,
  type Price,
  type ResolvedRules,
} from '../../domain/index.js';
import type { InstrumentInfo, RulesInForce, StrategyContext } from '../../strategy/index.js';
import type { EngineOptions } from '../engine-options.js';
import { liquidationOf } from '../portfolio/liquidation.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import type { EngineClock } from '../time/engine-clock.js';

/** Parts of an engine that have data of instruments. */
interface Knowledge {
  readonly options: EngineOptions;
  readonly clock: EngineClock;
  readonly portfolio: Portfolio;
}

/** A strategy's view of one instrument: live and read-only. Each member is computed when it is read. */
export class KnownInstrument implements InstrumentInfo {
  readonly instrumentId: InstrumentId;
  readonly kind: InstrumentInfo['kind'];
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly isReadOnly: boolean;
  readonly contract: InstrumentInfo['contract'];
  readonly multiplier: Decimal | undefined;
  readonly marginAsset: string | undefined;
  readonly leverage: Decimal | undefined;
  readonly marginMode: InstrumentInfo['marginMode'];
  readonly #context: StrategyContext;
  readonly #engine: Knowledge;
  /** The rules that were read last, and the view of them. */
  #resolved: ResolvedRules | undefined;
  #rules: RulesInForce | undefined;

  constructor(instrumentId: InstrumentId, context: StrategyContext, engine: Knowledge) {
    const instrument: Instrument = engine.portfolio.instrument(instrumentId).instrument;
    const { kind, symbol, base, quote } = instrument;
    this.instrumentId = instrumentId;
    this.kind = kind;
    this.symbol = symbol;
    this.base = base;
    this.quote = quote;
    this.isReadOnly = instrument.isReadOnly === true;
    const terms = kind === 'futures' ? instrument : undefined;
    this.contract = terms?.contract;
    this.multiplier = terms && decimalFromFixed(terms.multiplier);
    this.marginAsset = terms?.marginAsset;
    this.leverage = kind === 'spot' ? undefined : decimalFromFixed(instrument.leverage);
    this.marginMode = terms?.marginMode;
    this.#context = context;
    this.#engine = engine;
  }

  get rules(): RulesInForce | undefined {
    const { options, clock } = this.#engine;
    const resolved = options.rules.at(this.instrumentId, clock.now);
    if (resolved !== this.#resolved) {
      this.#resolved = resolved;
      this.#rules = resolved && showRules(resolved);
    }
    return this.#rules;
  }

  get last(): number | undefined {
    return this.#context.last(this.instrumentId);
  }

  get markPrice(): number | undefined {
    return this.#context.markPrice(this.instrumentId);
  }

  get fundingRate(): number | undefined {
    return this.#context.fundingRate(this.instrumentId);
  }

  get nextFundingTime(): EpochMs | undefined {
    if (this.kind !== 'futures') return undefined;
    const { options, clock } = this.#engine;
    const next = options.fundingTimes?.(this.instrumentId, clock.now)?.next;
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  position(direction?: Direction): Position {
    return this.#context.position(this.instrumentId, direction);
  }

  openProfit(direction?: Direction): Decimal {
    const position = this.position(direction);
    if (this.kind === 'futures') return position.unrealizedProfit;
    const { quantity, entryValue } = position.exact;
    const last = quantity === 0n ? undefined : this.#engine.portfolio.last(this.instrumentId);
    const gain = last === undefined ? 0n : multiplyFixed(quantity, last) - entryValue;
    const profit = position.direction === 'long' ? gain : -gain;
    this.#answer(`open profit ${position.direction}`, profit, 'else');
    return decimalFromFixed(profit);
  }

  liquidationPrice(direction?: Direction): Price | undefined {
    const price = this.#liquidation(direction);
    return price === undefined ? undefined : priceFromFixed(price);
  }

  liquidationDistance(direction?: Direction): Decimal | undefined {
    const price = this.#liquidation(direction);
    if (price === undefined) return undefined;
    const { contracts } = this.#engine.portfolio;
    const mark = present(contracts.side(this.instrumentId, 'long').mark, 'a price of what is held');
    this.#answer('mark', mark, 'else');
    const now = decimalFromFixed(mark);
    return decimalFromFixed(price).minus(now).div(now).abs();
  }

  #liquidation(direction?: Direction): Fixed | undefined {
    const { options, clock, portfolio } = this.#engine;
    const { tiers } = options.policy;
    const position = this.position(direction);
    if (this.kind !== 'futures' || tiers === undefined || position.exact.quantity === 0n)
      return undefined;
    const { contracts } = portfolio;
    const price = liquidationOf(
      contracts.side(this.instrumentId, position.direction),
      contracts.open,
      {
        tiersOf: ({ instrument }) => tiers(instrument.id, clock.now),
        maxFeeRate: options.maxFeeRate ?? 0n,
      },
    );
    // On cross it depends on all the money of the account.
    const subject = this.marginMode === 'cross' ? 'money' : 'else';
    this.#answer(`liquidation ${position.direction}`, price ?? 'none', subject);
    return price;
  }

  #answer(question: string, answer: Fixed | string, subject: 'money' | 'else'): void {
    this.#engine.options.inputs?.answered(`${question} ${this.instrumentId}`, answer, subject);
  }
}

function showRules(rules: ResolvedRules): RulesInForce {
  const { tradable, tick, step, maxWorkingOrders } = rules;
  const limit = (amount: Fixed | undefined): Decimal | undefined =>
    amount === undefined ? undefined : decimalFromFixed(amount);
  return {
    tradable,
    tick: decimalFromFixed(tick),
    step: decimalFromFixed(step),
    minOrderQuantity: limit(rules.minOrderQuantity),
    minOrderMoney: limit(rules.minOrderMoney),
    maxMarketQuantity: limit(rules.maxMarketQuantity),
    maxMarketMoney: limit(rules.maxMarketMoney),
    maxLimitQuantity: limit(rules.maxLimitQuantity),
    maxWorkingOrders,
  };
}
