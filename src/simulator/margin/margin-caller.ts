import {
  divideCeil,
  FIXED_ONE,
  floorToStep,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Asset,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type MarketOrderRequest,
  type ResolvedRules,
  type Side,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { FeeModel } from '../models/fee.js';
import type { Crossing } from '../path/candle-path.js';
import { roundPathPrice } from '../path/mark-feed.js';
import type { MarginAccount } from './margin-account.js';
import { callQuantityOf, type MarginCallStep } from './margin-call.js';
import type { MarginPrices } from './margin-prices.js';

export interface MarginCallerOptions {
  readonly account: MarginAccount;
  readonly prices: MarginPrices;
  /** Markets of the pairs that the margin account may trade. */
  readonly markets: readonly InstrumentMarket[];
  readonly fees: FeeModel;
  readonly rulesAt: (instrumentId: InstrumentId, time: EpochMs) => ResolvedRules;
  /** Price of a forced order at a crossing: the path of the last price, with taker costs. */
  readonly takerPriceAt: (
    market: InstrumentMarket,
    order: { readonly side: Side; readonly quantity: Fixed; readonly at: Crossing },
  ) => Fixed;
  readonly cancelOrders: (instrumentId: InstrumentId, time: EpochMs) => void;
  readonly onUpdate: (update: AccountUpdate) => void;
}

type ForcedFill = Extract<AccountUpdate, { kind: 'forced-fill' }>;

/** An order that the venue places for the account. */
interface ForcedOrder {
  readonly market: InstrumentMarket;
  readonly side: Side;
  readonly quantity: Fixed;
  readonly at: Crossing;
}

/**
 * Carries out a margin call: sells the assets of the account and buys back its debts, through several pairs if no single pair leads to the currency
 * (DESIGN R13).
 */
export class MarginCaller {
  readonly #options: MarginCallerOptions;
  #forcedOrders = 0;

  constructor(options: MarginCallerOptions) {
    this.#options = options;
  }

  get #currency(): Asset {
    return this.#options.account.ledger.currency;
  }

  /** Cancels all orders, carries out the plan, and lets the venue pay the remaining debts. */
  call(plan: readonly MarginCallStep[], at: Crossing): void {
    const { account, markets, cancelOrders } = this.#options;
    const { ledger } = account;
    for (const { source } of markets) cancelOrders(source.instrument.id, at.time);
    const fills: ForcedFill[] = [];
    for (const step of this.#inOrder(plan)) {
      if (step.kind === 'repay') ledger.repayFromFree(step.asset);
      else if (step.kind === 'sell') fills.push(...this.#sell(step.asset, step.quantity, at));
      else {
        // Less than planned if a sale through several pairs has repaid part of it.
        const { principal, interest } = ledger.debt(step.asset);
        fills.push(...this.#buyBack(step.asset, principal + interest, at));
      }
    }
    this.#reportAll(fills, at);
  }

  /**
   * Sorts buy-backs by the number of pairs on their route. An asset that pays for another purchase is bought back first. Otherwise it would repay its
   * own debt when it is bought for that purchase.
   */
  #inOrder(plan: readonly MarginCallStep[]): readonly MarginCallStep[] {
    const hops = ({ kind, asset }: MarginCallStep): number =>
      kind === 'buy-back' ? (this.#options.prices.routeOf(asset)?.length ?? 0) : 0;
    return plan.toSorted((a, b) => hops(a) - hops(b));
  }

  /** Sells for the currency. If the pair has another quote, sells the proceeds on. */
  #sell(asset: Asset, quantity: Fixed, at: Crossing): readonly ForcedFill[] {
    const [market] = this.#options.prices.routeOf(asset) ?? [];
    if (market === undefined) return [];
    const { id, quote } = market.source.instrument;
    const { step } = this.#options.rulesAt(id, at.time);
    const order = { market, side: 'sell', quantity: floorToStep(quantity, step), at } as const;
    if (order.quantity === 0n) return [];
    const fill = this.#trade(order);
    if (quote === this.#currency) return [fill];
    const { price, fee } = fill.fill;
    const brought = multiplyFixed(price, order.quantity) - fee;
    const own = minFixed(brought, this.#options.account.ledger.free(quote));
    return [fill, ...this.#sell(quote, own, at)];
  }

  /** Buys so much that `quantity` arrives after fees. If the pair has another quote, buys the cost in that quote first. */
  #buyBack(asset: Asset, quantity: Fixed, at: Crossing): readonly ForcedFill[] {
    const { prices, fees, account } = this.#options;
    const [market] = prices.routeOf(asset) ?? [];
    if (market === undefined) return [];
    const { id, quote } = market.source.instrument;
    const { step } = this.#options.rulesAt(id, at.time);
    const rates = fees.ratesAt(id, at.time);
    const buys = callQuantityOf({ kind: 'buy-back', asset, quantity }, step, rates);
    const order = { market, side: 'buy', quantity: buys, at } as const;
    if (buys === 0n) return [];
    if (quote === this.#currency) return [this.#trade(order)];
    const value = divideCeil(this.#options.takerPriceAt(market, order) * buys, FIXED_ONE);
    const fee = rates.paidIn === 'quote' ? divideCeil(value * rates.taker, FIXED_ONE) : 0n;
    const lacking = maxFixed(0n, value + fee - account.ledger.free(quote));
    return [...this.#buyBack(quote, lacking, at), this.#trade(order)];
  }

  #trade({ market, side, quantity, at }: ForcedOrder): ForcedFill {
    const { instrument } = market.source;
    const { time } = at;
    const price = this.#options.takerPriceAt(market, { side, quantity, at });
    const request = this.#request(instrument.id, { side, quantity });
    const terms = { instrument, price, quantity, liquidity: 'taker', time } as const;
    const { fee, feeAsset, insurance } = this.#options.account.postForced({ request, ...terms });
    const paid = insurance.find(({ asset }) => asset === instrument.quote)?.amount ?? 0n;
    return forcedFill(request, { price, fee, feeAsset, time }, paid);
  }

  #request(
    instrumentId: InstrumentId,
    { side, quantity }: { readonly side: Side; readonly quantity: Fixed },
  ): MarketOrderRequest {
    this.#forcedOrders += 1;
    const clientOrderId = `margin-call-${String(this.#forcedOrders)}` as ClientOrderId;
    const action = 'close';
    const common = { clientOrderId, intentId: 0, instrumentId, side, action, quantity } as const;
    return { type: 'market', unit: 'base', ...common };
  }

  /**
   * Reports the final payment of the venue with the last trade on a pair with this quote. Without such a trade, reports it with a trade of quantity
   * 0.
   */
  #reportAll(fills: readonly ForcedFill[], at: Crossing): void {
    const all = [...fills];
    for (const { asset, amount } of this.#options.account.ledger.writeOff()) {
      const started = this.#options.markets.filter(({ hasStarted }) => hasStarted);
      const ids = started
        .filter(({ source }) => source.instrument.quote === asset)
        .map(({ source }) => source.instrument.id);
      const place = all.findLastIndex(({ fill }) => ids.includes(fill.instrumentId));
      const last = all[place] ?? this.#nothing(asset, at);
      if (last === undefined) continue;
      all.splice(place < 0 ? all.length : place, 1, {
        ...last,
        insurance: last.insurance + amount,
      });
    }
    for (const update of all) this.#options.onUpdate(update);
  }

  /** A trade of quantity 0 on a pair with this quote. */
  #nothing(asset: Asset, at: Crossing): ForcedFill | undefined {
    const market = this.#options.markets.find(
      ({ source, hasStarted }) => hasStarted && source.instrument.quote === asset,
    );
    if (market === undefined) return undefined;
    const { id } = market.source.instrument;
    const price = roundPathPrice(market.priceAtCrossing(at));
    const request = this.#request(id, { side: 'sell', quantity: 0n });
    return forcedFill(request, { price, fee: 0n, feeAsset: asset, time: at.time }, 0n);
  }
}

function forcedFill(
  { clientOrderId, instrumentId, side, action, quantity }: MarketOrderRequest,
  terms: {
    readonly price: Fixed;
    readonly fee: Fixed;
    readonly feeAsset: Asset;
    readonly time: EpochMs;
  },
  insurance: Fixed,
): ForcedFill {
  const { price, fee, feeAsset, time } = terms;
  return {
    kind: 'forced-fill',
    cause: 'margin-call',
    fill: {
      clientOrderId,
      instrumentId,
      side,
      action,
      price,
      quantity,
      fee,
      feeAsset,
      liquidity: 'taker',
      eventTime: time,
    },
    insurance,
    eventTime: time,
  };
}
