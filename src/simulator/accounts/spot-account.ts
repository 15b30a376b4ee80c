import {
  minFixed,
  multiplyFixed,
  type Asset,
  type CashWatch,
  type EpochMs,
  type Fixed,
  type Instrument,
  type OrderReason,
} from '../../domain/index.js';
import { spotFee, type FeeModel } from '../models/fee.js';
import { quantityFor } from '../orders/matching.js';
import { reason } from '../orders/venue-rules.js';
import type { PathPrice } from '../path/candle-path.js';
import { heldAsset, needOfLimit, needOfMarket, type AssetAmount } from './pair-orders.js';
import { SpotLedger, type SpotBalance } from './spot-ledger.js';
import type {
  Charge,
  Execution,
  HeldOrder,
  MarketDemand,
  TradingAccount,
} from './trading-account.js';

/** The two balances that an instrument moves. */
interface Pair {
  readonly instrument: Instrument;
  readonly base: SpotBalance;
  readonly quote: SpotBalance;
}

const NOT_COVERED = 'the free balance does not cover the order';

/** The spot account: it owns what it has bought, and can sell only what it owns (DESIGN R8, R15). */
export class SpotAccount implements TradingAccount {
  readonly #ledger: SpotLedger;
  readonly #fees: FeeModel;
  readonly #cashWatch: CashWatch | undefined;
  /** The last traded pair, nearly always also the next one. */
  #pair: Pair | undefined;

  constructor(balances: ReadonlyMap<Asset, Fixed>, fees: FeeModel, cashWatch?: CashWatch) {
    this.#ledger = new SpotLedger(balances);
    this.#fees = fees;
    this.#cashWatch = cashWatch;
  }

  quantityFor(
    money: Fixed,
    _instrument: Instrument,
    { price, step }: { readonly price: PathPrice; readonly step: Fixed },
  ): Fixed {
    return quantityFor(money, price, step);
  }

  refuseMarket(demand: MarketDemand): OrderReason | undefined {
    const rates = this.#fees.ratesAt(demand.instrument.id, demand.time);
    if (!this.#covers(demand, needOfMarket(demand, rates)))
      return reason('insufficientBalance', NOT_COVERED);
    if (demand.quantity > 0n) return undefined;
    return reason('belowMinimumQuantity', 'the amount buys less than one step');
  }

  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined {
    return this.#covers(order, this.#need(order, time))
      ? undefined
      : reason('insufficientBalance', NOT_COVERED);
  }

  #covers({ instrument }: Pick<HeldOrder, 'instrument'>, { asset, amount }: AssetAmount): boolean {
    const free = this.#freeOf(instrument, asset);
    this.#cashWatch?.compared('spot', asset, free, amount);
    return free >= amount;
  }

  #freeOf(instrument: Instrument, asset: Asset): Fixed {
    const pair = this.#pair;
    if (pair?.instrument !== instrument) return this.#ledger.free(asset);
    return (asset === pair.quote.asset ? pair.quote : pair.base).free;
  }

  /** Refuses nothing: the amount that was held at arrival covers every fill. */
  refuseFill(): undefined {
    return undefined;
  }

  hold(order: HeldOrder, time: EpochMs): void {
    this.release(order);
    const need = this.#need(order, time);
    const balance = this.#ledger.of(need.asset);
    // A fee that was rounded up may have taken 10^-18 of the amount held for the rest.
    const amount = minFixed(need.amount, balance.free);
    balance.lock(amount);
    order.held = amount;
  }

  release(order: HeldOrder): void {
    if (order.held === 0n) return;
    this.#ledger.of(heldAsset(order)).lock(-order.held);
    order.held = 0n;
  }

  #need(order: HeldOrder, time: EpochMs): AssetAmount {
    return needOfLimit(order, this.#fees.ratesAt(order.instrument.id, time));
  }

  post(execution: Execution): Charge {
    const { request, instrument, price, quantity, time } = execution;
    const { side } = request;
    const { base, quote } = this.#pairOf(instrument);
    const value = multiplyFixed(price, quantity);
    if (side === 'buy') {
      base.add(quantity);
      quote.take(value);
    } else {
      base.take(quantity);
      quote.add(value);
    }
    const charge = spotFee(this.#fees.ratesAt(instrument.id, time), side, execution, value);
    const { fee, feeAsset } = charge;
    if (fee === 0n) return charge;
    const balance = feeAsset === quote.asset ? quote : base;
    // Each part's fee is rounded, so their sum may be 10^-18 more than was held for the whole. The last fee then takes all that is free.
    if (fee > balance.free) return { fee: balance.takeAll(), feeAsset };
    balance.take(fee);
    return charge;
  }

  #pairOf(instrument: Instrument): Pair {
    if (this.#pair?.instrument !== instrument)
      this.#pair = {
        instrument,
        base: this.#ledger.of(instrument.base),
        quote: this.#ledger.of(instrument.quote),
      };
    return this.#pair;
  }

  totals(): ReadonlyMap<Asset, Fixed> {
    return this.#ledger.totals();
  }

  locked(asset: Asset): Fixed {
    return this.#ledger.locked(asset);
  }
}
