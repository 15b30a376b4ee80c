import {
  divideFixed,
  liquidationPrice,
  type Direction,
  type Fixed,
  type InstrumentId,
  type MarginMode,
} from '../../domain/index.js';
import type { MarginAssetAccount, VenuePosition } from '../../venue/index.js';
import { averagePrice, type ContractPosition } from './contract-position.js';
import { heldMargin, unrealizedOf, type PositionEnd, type MarginBook } from './margin-book.js';

/** A position as the venue would report it, with the fields that only some deployments send. Money is in the margin asset. */
export interface PositionView extends VenuePosition {
  /** Entry value ÷ leverage (`openAmount`). */
  readonly initialMargin: Fixed;
}

/** The account as the venue would report it. An undefined field does not exist. */
export interface FuturesAccountView extends MarginAssetAccount {
  readonly positions: readonly PositionView[];
}

/**
 * The record of one margin asset: `available`, `locked`, the margins, equities and rates, and every held position.
 *
 * Source: interface, futures account information; exchange facts, contract formulas.
 */
export function viewAccount(book: MarginBook): FuturesAccountView {
  const held = book.contracts.flatMap(({ positions }) => positions.filter(({ isHeld }) => isHeld));
  const isolated = held.filter(({ isIsolated }) => isIsolated);
  const cross = held.filter(({ isIsolated }) => !isIsolated);
  const isolatedMargin = sum(isolated, setAside);
  const realizedProfit = sum(isolated, ({ realized }) => realized);
  const { crossEquity, crossMargin, equity } = book;
  return {
    marginAsset: book.asset,
    available: book.available,
    locked: book.frozen,
    isolatedMargin,
    crossMargin,
    realizedProfit,
    unrealizedProfit: book.unrealized,
    crossEquity,
    isolatedEquity: isolatedMargin + realizedProfit + sum(isolated, unrealizedOf),
    crossMarginRate: rateOf(crossEquity, sum(cross, valueOf)),
    crossCost: crossMargin,
    accountMarginRate: rateOf(equity, sum(held, valueOf)),
    positions: held.map((position) => viewPosition(position, book)),
  };
}

/** The view of one held position. `book` holds its money. */
export function viewPosition(position: ContractPosition, book: MarginBook): PositionView {
  const { terms, direction, holding, life } = position;
  const { margin, kept } = position.money;
  const value = valueOf(position);
  const unrealized = unrealizedOf(position);
  const initialMargin = divideFixed(holding.entryValue, terms.leverage);
  const price = averagePrice(terms.instrument, holding) ?? 0n;
  const money = position.isIsolated
    ? { own: margin + kept + unrealized, value }
    : { own: book.crossEquity, value: crossValue(book) };
  return {
    instrumentId: terms.instrument.id,
    positionId: String(position.number),
    direction,
    marginMode: terms.marginMode,
    quantity: holding.quantity,
    pendingCloseQuantity: position.pendingClose,
    closedQuantity: life.closed.quantity,
    openPrice: price,
    averagePrice: price,
    averageClosePrice: averagePrice(terms.instrument, life.closed),
    markPrice: terms.mark,
    leverage: terms.leverage,
    initialMargin,
    margin: position.isIsolated ? setAside(position) : heldMargin(position),
    realizedProfit: position.realized,
    totalRealizedProfit: totalOf(life),
    unrealizedProfit: unrealized,
    unrealizedOpenProfit: unrealized,
    closeProfit: life.closeProfit,
    sharedAmount: 0n,
    tradeFee: life.fees,
    fundingFee: life.funding,
    value,
    marginRate: rateOf(money.own, money.value),
    returnRate: rateOf(unrealized, initialMargin),
    maintenanceRate: terms.tiers[0]?.keepRate,
    maxFeeRate: terms.maxFeeRate,
    liquidationPrice: reducePriceOf(position),
    frozen: position.isLiquidating ? 'liquidation' : 'no',
    isValid: true,
    createdTime: undefined,
    updatedTime: undefined,
    frozenTime: undefined,
    contractId: undefined,
    userId: undefined,
    brokerId: undefined,
  };
}

/** Liquidation price of an isolated position. Undefined for a cross position, whose liquidation depends on the whole account. */
function reducePriceOf({
  terms,
  direction,
  holding,
  money,
  isIsolated,
}: ContractPosition): Fixed | undefined {
  if (!isIsolated) return undefined;
  const { instrument, mark, tiers, maxFeeRate } = terms;
  const carried = { instrument, direction, holding, mark, tiers, maxFeeRate };
  return liquidationPrice({ ...carried, money: money.margin + money.kept });
}

/** The result of a position that ended, as the venue lists it. Money in the margin asset. */
export interface EndedPositionView {
  readonly positionId: string;
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly marginMode: MarginMode;
  readonly leverage: Fixed;
  /** Contracts opened, and closed, over its life. */
  readonly quantity: Fixed;
  readonly openPrice: Fixed;
  readonly closePrice: Fixed;
  /** Fees and funding excluded. */
  readonly closeProfit: Fixed;
  /** Negative when paid. */
  readonly tradeFee: Fixed;
  /** Negative when paid. */
  readonly fundingFee: Fixed;
  /** closeProfit + tradeFee + fundingFee (`historyRealizedAmount`). */
  readonly totalProfit: Fixed;
}

export function viewEndedPosition(
  { terms, direction }: ContractPosition,
  ended: PositionEnd,
): EndedPositionView {
  const { instrument, marginMode, leverage } = terms;
  return {
    positionId: String(ended.number),
    instrumentId: instrument.id,
    direction,
    marginMode,
    leverage,
    quantity: ended.closed.quantity,
    openPrice: averagePrice(instrument, ended.opened) ?? 0n,
    closePrice: averagePrice(instrument, ended.closed) ?? 0n,
    closeProfit: ended.closeProfit,
    tradeFee: ended.fees,
    fundingFee: ended.funding,
    totalProfit: totalOf(ended),
  };
}

function totalOf({
  closeProfit,
  fees,
  funding,
}: Pick<PositionEnd, 'closeProfit' | 'fees' | 'funding'>): Fixed {
  return closeProfit + fees + funding;
}

function crossValue({ contracts }: MarginBook): Fixed {
  return contracts.reduce(
    (total, { positions, marginMode }) =>
      marginMode === 'cross' ? total + sum(positions, valueOf) : total,
    0n,
  );
}

/** Money that an isolated position has received from the account and not given back. A partial close with a loss gives back less. */
function setAside({ money: { margin, kept }, realized }: ContractPosition): Fixed {
  return margin + kept - realized;
}

function valueOf(position: ContractPosition): Fixed {
  return position.isHeld ? position.valueAt(position.terms.mark) : 0n;
}

/** 0 if the value is 0. */
function rateOf(money: Fixed, value: Fixed): Fixed {
  return value === 0n ? 0n : divideFixed(money, value);
}

function sum(
  positions: readonly ContractPosition[],
  of: (position: ContractPosition) => Fixed,
): Fixed {
  return positions.reduce((total, position) => total + of(position), 0n);
}
