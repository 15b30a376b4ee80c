import {
  dearestRate,
  divideCeil,
  divideFloor,
  FIXED_ONE,
  formatFixed,
  InvariantError,
  maxFixed,
  minFixed,
  type Asset,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type InstrumentId,
  type OrderReason,
  type OrderRequest,
} from '../../domain/index.js';
import type {
  Charge,
  Execution,
  HeldOrder,
  MarketDemand,
  TradingAccount,
} from '../accounts/trading-account.js';
import type { FeeModel } from '../models/fee.js';
import { reason } from '../orders/venue-rules.js';
import type { PathPrice } from '../path/candle-path.js';
import type { EndedPositionView } from './account-view.js';
import type { FuturesLedger } from './futures-ledger.js';
import type { ClosingResult } from './position-closing.js';

/** Is called with the result of a position when its last contract is closed. */
export type OnPositionEnded = (ended: EndedPositionView, time: EpochMs) => void;

interface OrderAtPrice {
  readonly request: OrderRequest;
  readonly instrument: FuturesInstrument;
  readonly price: Fixed;
  readonly contracts: Fixed;
  readonly time: EpochMs;
}

/**
 * The futures account: contracts on margin. Each order says whether it opens or closes (DESIGN R7, R8, R12). A working order that opens holds its
 * margin, fee and opening loss. A working order that closes holds contracts of the position.
 *
 * The caller keeps the ledger's marks up to date.
 */
export class FuturesAccount implements TradingAccount {
  readonly ledger: FuturesLedger;
  readonly #fees: FeeModel;
  readonly #onEnded: OnPositionEnded;
  #version = 0;

  constructor(ledger: FuturesLedger, fees: FeeModel, onEnded: OnPositionEnded = () => undefined) {
    this.ledger = ledger;
    this.#fees = fees;
    this.#onEnded = onEnded;
  }

  quantityFor(
    money: Fixed,
    instrument: Instrument,
    {
      price: { numerator, denominator },
      step,
    }: { readonly price: PathPrice; readonly step: Fixed },
  ): Fixed {
    const { multiplier } = futures(instrument);
    return (
      divideFloor(money * FIXED_ONE * FIXED_ONE * denominator, numerator * multiplier * step) * step
    );
  }

  refuseMarket(demand: MarketDemand): OrderReason | undefined {
    const { request, price, quantity, time } = demand;
    if (quantity === 0n)
      return reason('belowMinimumQuantity', 'the amount buys less than one contract');
    const instrument = futures(demand.instrument);
    return this.#refuse({ request, instrument, price, contracts: quantity, time });
  }

  refuseLimit(order: HeldOrder, time: EpochMs): OrderReason | undefined {
    return this.#refuse(orderAtPrice(order, time), order);
  }

  /** Stores what a LIMIT `order` needs, so that `hold` does not compute it again. */
  #refuse(at: OrderAtPrice, limit?: HeldOrder): OrderReason | undefined {
    const { request, instrument, contracts } = at;
    if (request.action === 'close') return this.#refuseClose(request, contracts);
    const order = this.#opening(at);
    if (order.contracts === 0n) return undefined;
    const requirement = this.ledger.requirement(instrument.id, order);
    if (requirement.kind === 'refused')
      return reason(
        'leverageTooHigh',
        `expected a leverage of at most ${formatFixed(requirement.maxLeverage)} for the position, received ${formatFixed(requirement.leverage)}`,
      );
    const { total } = requirement;
    if (limit !== undefined) limit.needed = total;
    const available = this.ledger.available(instrument.marginAsset);
    this.ledger.cashWatch?.compared('futures', instrument.marginAsset, available, total);
    return total > available
      ? reason('insufficientBalance', 'the available margin does not cover the order')
      : undefined;
  }

  #refuseClose({ instrumentId, side }: OrderRequest, contracts: Fixed): OrderReason | undefined {
    const direction = closedBy(side);
    const held = this.ledger.held(instrumentId, direction);
    if (contracts > held)
      return reason(
        'closeExceedsPosition',
        `expected at most the ${formatFixed(held)} contracts held ${direction}, received ${formatFixed(contracts)}`,
      );
    const closable = this.#closable(instrumentId, direction);
    if (contracts <= closable) return undefined;
    return reason(
      'closeExceedsRest',
      `expected at most the ${formatFixed(closable)} contracts that no working order closes, received ${formatFixed(contracts)}`,
    );
  }

  /** Contracts held that no working order closes yet. */
  #closable(instrumentId: InstrumentId, direction: Direction): Fixed {
    return (
      this.ledger.held(instrumentId, direction) - this.ledger.pendingClose(instrumentId, direction)
    );
  }

  /**
   * Whether an order closes everything that no working order closes yet. No minimum applies to such an order; otherwise a small position could never
   * be closed.
   */
  closesRest({ instrumentId, side, action, quantity }: OrderRequest): boolean {
    if (action !== 'close' || quantity <= 0n) return false;
    return quantity === this.#closable(instrumentId, closedBy(side));
  }

  /** The part of an opening order that opens. In one-way mode the order first closes the opposite position. */
  #opening({ request, instrument, price, contracts, time }: OrderAtPrice): {
    readonly direction: Direction;
    readonly contracts: Fixed;
    readonly price: Fixed;
    readonly feeRate: Fixed;
  } {
    const direction = openedBy(request.side);
    const { opening } = this.ledger.splitOpening(instrument.id, direction, contracts);
    const rates = this.#fees.ratesAt(instrument.id, time);
    // A LIMIT order may rest and pay the maker rate, which may be higher.
    const feeRate = request.type === 'limit' ? dearestRate(rates) : rates.taker;
    return { direction, contracts: opening, price, feeRate };
  }

  /**
   * In one-way mode an order that was meant to close may open when it fills, because the position is gone. The margin that the order does not hold
   * for that must then be available.
   */
  refuseFill(order: HeldOrder, contracts: Fixed, time: EpochMs): OrderReason | undefined {
    if (this.ledger.positionMode === 'hedge' || order.request.action === 'close') return undefined;
    const { id, marginAsset } = futures(order.instrument);
    const opening = this.#opening({ ...orderAtPrice(order, time), contracts });
    const needed = opening.contracts === 0n ? 0n : this.ledger.fillMargin(id, opening);
    const available = order.held + this.ledger.available(marginAsset);
    this.ledger.cashWatch?.compared('futures', marginAsset, available, needed);
    return needed > available
      ? reason(
          'insufficientBalance',
          'the available margin does not cover what the order would open',
        )
      : undefined;
  }

  hold(order: HeldOrder, time: EpochMs): void {
    this.release(order);
    const { request, remaining } = order;
    if (request.action === 'close') this.#reserve(order, remaining);
    else {
      const { marginAsset } = futures(order.instrument);
      const share =
        this.ledger.positionMode === 'hedge'
          ? divideCeil(this.#need(order, time) * remaining, request.quantity)
          : this.#needNow(order, time);
      this.ledger.freeze(marginAsset, share);
      order.held = share;
    }
  }

  /**
   * In one-way mode, after a fill that closes, more of the remaining quantity opens. The order then holds what it needs now, or all that is available
   * if that is less.
   */
  #needNow(order: HeldOrder, time: EpochMs): Fixed {
    const { id, marginAsset } = futures(order.instrument);
    const opening = this.#opening(orderAtPrice(order, time));
    if (opening.contracts === 0n) return 0n;
    const requirement = this.ledger.requirement(id, opening);
    const needed =
      requirement.kind === 'needed' ? requirement.total : this.ledger.fillMargin(id, opening);
    const available = this.ledger.available(marginAsset);
    this.ledger.cashWatch?.compared('futures', marginAsset, available, needed);
    if (needed > available) this.ledger.cashWatch?.read();
    return minFixed(needed, maxFixed(0n, available));
  }

  release(order: HeldOrder): void {
    if (order.held === 0n) return;
    if (order.request.action === 'close') this.#reserve(order, 0n);
    else {
      this.ledger.freeze(futures(order.instrument).marginAsset, -order.held);
      order.held = 0n;
    }
  }

  #reserve(order: HeldOrder, contracts: Fixed): void {
    const { instrumentId, side } = order.request;
    this.ledger.reserveClose(instrumentId, closedBy(side), contracts - order.held);
    order.held = contracts;
  }

  #need(order: HeldOrder, time: EpochMs): Fixed {
    if (order.needed !== undefined) return order.needed;
    const opening = this.#opening(orderAtPrice(order, time));
    const asked =
      opening.contracts === 0n ? undefined : this.ledger.requirement(order.instrument.id, opening);
    order.needed = asked?.kind === 'needed' ? asked.total : 0n;
    return order.needed;
  }

  post({ request, instrument, price, quantity, liquidity, time }: Execution): Charge {
    const { id, marginAsset } = futures(instrument);
    this.#version += 1;
    const rates = this.#fees.ratesAt(id, time);
    const feeRate = liquidity === 'maker' ? rates.maker : rates.taker;
    // Objects are written out, because copying an object that holds bigints is slow.
    const closed = closedBy(request.side);
    if (request.action === 'close') {
      const result = this.ledger.close(id, {
        direction: closed,
        contracts: quantity,
        price,
        feeRate,
      });
      this.noteClosing(result, time);
      return { fee: result.fee, feeAsset: marginAsset };
    }
    const direction = openedBy(request.side);
    const parts = this.ledger.splitOpening(id, direction, quantity);
    const out =
      parts.closing > 0n
        ? this.ledger.close(id, { direction: closed, contracts: parts.closing, price, feeRate })
        : undefined;
    const into =
      parts.opening > 0n
        ? this.ledger.open(id, { direction, contracts: parts.opening, price, feeRate })
        : undefined;
    const fee = into?.fee ?? 0n;
    if (out === undefined) return { fee, feeAsset: marginAsset };
    this.noteClosing(out, time);
    const left = this.ledger.held(id, closed);
    return {
      fee,
      feeAsset: marginAsset,
      closing: { quantity: parts.closing, fee: out.fee, left },
    };
  }

  totals(): ReadonlyMap<Asset, Fixed> {
    return new Map(this.ledger.assets.map((asset) => [asset, this.ledger.balance(asset)]));
  }

  /** Rises with every change of positions, balances or tiers. */
  get version(): number {
    return this.#version;
  }

  /** Reports the end of a position, if the closing ended it. */
  noteClosing({ ended }: ClosingResult, time: EpochMs): void {
    if (ended !== undefined) this.#onEnded(ended, time);
  }

  /** Records a change of positions, balances or tiers other than by the fill of an order. */
  noteChange(): void {
    this.#version += 1;
  }
}

/** Which position an opening order adds to. */
function openedBy(side: OrderRequest['side']): Direction {
  return side === 'buy' ? 'long' : 'short';
}

/** Which position a closing order reduces. */
function closedBy(side: OrderRequest['side']): Direction {
  return side === 'sell' ? 'long' : 'short';
}

function orderAtPrice({ request, instrument, remaining }: HeldOrder, time: EpochMs): OrderAtPrice {
  return {
    request,
    instrument: futures(instrument),
    price: request.limitPrice,
    contracts: remaining,
    time,
  };
}

function futures(instrument: Instrument): FuturesInstrument {
  if (instrument.kind === 'futures') return instrument;
  throw new InvariantError(
    'E_PRODUCT',
    `${instrument.id}: expected a contract on the futures account, received ${instrument.kind}`,
  );
}
