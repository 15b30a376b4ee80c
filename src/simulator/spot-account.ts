import {
  minFixed,
  multiplyFixed,
  type Asset,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type Instrument,
  type MarketOrderRequest,
  type OrderReason,
} from '../domain/index.js';
import type { PathPrice } from './candle-path.js';
import { spotFee, type FeeModel } from './models/fee.js';
import {
  heldAsset,
  needOfLimit,
  needOfMarket,
  quantityOnPair,
  type AssetAmount,
} from './pair-orders.js';
import { SpotLedger } from './spot-ledger.js';
import type {
  Charge,
  Execution,
  HeldOrder,
  MarketDemand,
  TradingAccount,
} from './trading-account.js';
import { reason } from './venue-rules.js';

const NOT_COVERED = 'the free balance does not cover the order';

/** The spot account: what is bought is owned, what is sold must be owned (DESIGN R8, R15). */
export class SpotAccount implements TradingAccount {
  readonly #ledger: SpotLedger;
  readonly #fees: FeeModel;

  constructor(balances: ReadonlyMap<Asset, Fixed>, fees: FeeModel) {
    this.#ledger = new SpotLedger(balances);
    this.#fees = fees;
  }

  quantityOf(
    request: MarketOrderRequest,
    _instrument: Instrument,
    at: { readonly price: PathPrice; readonly step: Fixed },
  ): Fixed {
    return quantityOnPair(request, at);
  }

  refuseMarket(demand: MarketDemand): OrderReason | undefined {
    const rates = this.#fees.ratesAt(demand.instrument.id, demand.time);
    const { asset, amount } = needOfMarket(demand, rates);
    if (this.#ledger.free(asset) < amount) return reason('insufficientBalance', NOT_COVERED);
    if (demand.quantity > 0n) return undefined;
    return reason('belowMinimumQuantity', 'the amount buys less than one step');
  }

  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined {
    const { asset, amount } = this.#need(order, time);
    return this.#ledger.free(asset) < amount
      ? reason('insufficientBalance', NOT_COVERED)
      : undefined;
  }

  /** What was held at arrival covers every fill. */
  refuseFill(): undefined {
    return undefined;
  }

  hold(order: HeldOrder, time: EpochMs): void {
    this.release(order);
    const need = this.#need(order, time);
    // A fee rounded up may have taken 10^-18 of what was held for the rest.
    const amount = minFixed(need.amount, this.#ledger.free(need.asset));
    this.#ledger.lock(need.asset, amount);
    order.held = amount;
  }

  release(order: HeldOrder): void {
    if (order.held === 0n) return;
    this.#ledger.lock(heldAsset(order), -order.held);
    order.held = 0n;
  }

  #need(order: HeldOrder, time: EpochMs): AssetAmount {
    return needOfLimit(order, this.#fees.ratesAt(order.instrument.id, time));
  }

  post(execution: Execution): Charge {
    const { request, instrument, price, quantity, time } = execution;
    const isBuy = request.side === 'buy';
    const value = multiplyFixed(price, quantity);
    this.#ledger.post(instrument.base, isBuy ? quantity : -quantity);
    this.#ledger.post(instrument.quote, isBuy ? -value : value);
    return this.#charge(execution, this.#fees.ratesAt(instrument.id, time));
  }

  #charge({ request, instrument, liquidity, price, quantity }: Execution, rates: FeeRates): Charge {
    const { side } = request;
    const { asset, amount } = spotFee(rates, { instrument, side, liquidity, price, quantity });
    // Fees of parts, each rounded, may ask 10^-18 more than was held for the whole: the last one takes what is there.
    const fee = minFixed(amount, this.#ledger.free(asset));
    if (fee !== 0n) this.#ledger.post(asset, -fee);
    return { fee, feeAsset: asset };
  }

  totals(): ReadonlyMap<Asset, Fixed> {
    return this.#ledger.totals();
  }

  locked(asset: Asset): Fixed {
    return this.#ledger.locked(asset);
  }
}
