import {
  FIXED_ONE,
  flowsOfFill,
  type Asset,
  type EpochMs,
  type Fixed,
  type Flows,
  type Instrument,
  type OrderReason,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import { heldAsset, needOfLimit, needOfMarket, type AssetAmount } from '../accounts/pair-orders.js';
import type {
  Charge,
  Execution,
  HeldOrder,
  MarketDemand,
  TradingAccount,
} from '../accounts/trading-account.js';
import { spotFee, type FeeModel } from '../models/fee.js';
import { quantityFor } from '../orders/matching.js';
import { reason } from '../orders/venue-rules.js';
import type { PathPrice } from '../path/candle-path.js';
import type { MarginLedger } from './margin-ledger.js';
import type { PriceOf } from './valuation.js';

const NOT_COVERED = 'what is free and what may be borrowed do not cover the order';

interface MarginAccountOptions {
  readonly ledger: MarginLedger;
  readonly fees: FeeModel;
  /** Prices at the moment of the call, in the ledger's currency. They limit borrowing. */
  readonly priceOf: PriceOf;
  /** Is called with each interest charge, in the order in which they happen. */
  readonly onUpdate: (update: AccountUpdate) => void;
}

/**
 * The margin account: it trades pairs with owned and borrowed amounts (DESIGN R13). The loan of a working order is promised when the order arrives
 * and given when it fills.
 *
 * The venue itself must call {@link ledger} for interest by the hour and for margin calls.
 */
export class MarginAccount implements TradingAccount {
  readonly ledger: MarginLedger;
  readonly #fees: FeeModel;
  readonly #priceOf: PriceOf;
  readonly #onUpdate: (update: AccountUpdate) => void;
  #version = 0;

  constructor({ ledger, fees, priceOf, onUpdate }: MarginAccountOptions) {
    this.ledger = ledger;
    this.#fees = fees;
    this.#priceOf = priceOf;
    this.#onUpdate = onUpdate;
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
    if (!this.#covers(demand.instrument, needOfMarket(demand, rates)))
      return reason('insufficientBalance', NOT_COVERED);
    if (demand.quantity > 0n) return undefined;
    return reason('belowMinimumQuantity', 'the amount buys less than one step');
  }

  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined {
    return this.#covers(order.instrument, this.#need(order, time))
      ? undefined
      : reason('insufficientBalance', NOT_COVERED);
  }

  #covers(instrument: Instrument, { asset, amount }: AssetAmount): boolean {
    // A free amount needs no prices, and most orders need no loan.
    if (this.ledger.free(asset) >= amount) return true;
    const leverage = instrument.kind === 'margin' ? instrument.leverage : FIXED_ONE;
    return this.ledger.available(asset, { leverage, priceOf: this.#priceOf }) >= amount;
  }

  #need(order: HeldOrder, time: EpochMs): AssetAmount {
    return needOfLimit(order, this.#fees.ratesAt(order.instrument.id, time));
  }

  /** Refuses nothing: the amount that was held at arrival covers every fill. */
  refuseFill(): undefined {
    return undefined;
  }

  hold(order: HeldOrder, time: EpochMs): void {
    this.release(order);
    const { asset, amount } = this.#need(order, time);
    this.ledger.hold(asset, amount);
    order.held = amount;
  }

  release(order: HeldOrder): void {
    if (order.held === 0n) return;
    this.ledger.release(heldAsset(order), order.held);
    order.held = 0n;
  }

  post(execution: Execution): Charge {
    const { charge, flows } = this.#priced(execution);
    this.#version += 1;
    this.#report(this.ledger.settle(flows), 'loan', execution.time);
    return charge;
  }

  /** Books a fill of a margin call. Nothing is borrowed. `insurance` is the part that the venue paid, in quote or base as `asset` says. */
  postForced(execution: Execution): Charge & { readonly insurance: readonly AssetAmount[] } {
    const { charge, flows } = this.#priced(execution);
    this.#version += 1;
    return { ...charge, insurance: this.ledger.settleForced(flows) };
  }

  #priced(execution: Execution): { readonly charge: Charge; readonly flows: Flows } {
    const { request, instrument, price, quantity, time } = execution;
    const { side } = request;
    const charge = spotFee(this.#fees.ratesAt(instrument.id, time), side, execution);
    return { charge, flows: flowsOfFill(instrument, { side, price, quantity, ...charge }) };
  }

  /** Charges the interest of a UTC hour and reports it. */
  chargeHour(time: EpochMs): void {
    this.#version += 1;
    this.#report(this.ledger.chargeHour(time), 'hour', time);
  }

  #report(charges: readonly AssetAmount[], of: 'loan' | 'hour', eventTime: EpochMs): void {
    for (const { asset, amount } of charges)
      this.#onUpdate({ kind: 'interest', asset, amount, eventTime, of });
  }

  /** Rises with every fill and every charge of interest. */
  get version(): number {
    return this.#version;
  }

  /** Owned minus owed, held parts included. Negative if an asset is sold short. */
  totals(): ReadonlyMap<Asset, Fixed> {
    return new Map(
      [...this.ledger.totals().keys()].map((asset) => [asset, this.ledger.net(asset)]),
    );
  }
}
