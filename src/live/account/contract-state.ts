import {
  contractProfit,
  contractValue,
  directionOf,
  InvariantError,
  type Direction,
  type FillRecord,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { Portfolio } from '../../engine/index.js';
import {
  closeForced,
  maintenanceOf,
  withOwnFill,
  type PositionMargin,
  type ForcedClose,
  type MaintenanceTerms,
} from '../margin/side-margin.js';

/** Both sides of a contract at one time, and the money that carries cross positions, in the margin asset. */
export interface ContractState {
  readonly long: PositionMargin;
  readonly short: PositionMargin;
  /** Money of the account that no isolated position holds. */
  readonly crossBalance: Fixed;
  /** Unrealized profit of the cross positions of other contracts, minus the margin that they must keep. */
  readonly crossOthers: Fixed;
}

/** A change of a contract: a fill of the bot, or a close that the venue made. */
export type ContractStep =
  | { readonly kind: 'own'; readonly id: string | undefined; readonly fill: FillRecord }
  | {
      readonly kind: 'forced';
      readonly id: string | undefined;
      readonly direction: Direction;
      readonly close: ForcedClose;
    };

const DIRECTIONS: readonly Direction[] = ['long', 'short'];
/** A close counts as a liquidation if at most a fifth of the possible loss before liquidation is left. */
const LEFT_PARTS = 5n;
/**
 * A close also counts if at most a thousandth of the value is left, however near the liquidation was at the entry. Mark and last, and the costs of
 * the close, may differ by so much.
 */
const APART_PARTS = 1_000n;

/** State of a contract in the engine's portfolio. */
export function readContract(
  portfolio: Portfolio,
  instrumentId: InstrumentId,
  termsOf: (instrumentId: InstrumentId) => MaintenanceTerms,
): ContractState {
  const { instrument, long, short } = portfolio.instrument(instrumentId);
  if (instrument.kind !== 'futures')
    throw new InvariantError('E_PRODUCT', `${instrumentId} is no contract`);
  const money = (direction: Direction): PositionMargin['money'] =>
    portfolio.contracts.side(instrumentId, direction).money;
  let crossBalance = portfolio.total(instrument.marginAsset, 'futures');
  let crossOthers = 0n;
  for (const side of heldSides(portfolio, instrument)) {
    const { id, marginMode } = side.instrument;
    const { margin, kept } = portfolio.contracts.side(id, side.direction).money;
    crossBalance -= margin + kept;
    const price = portfolio.mark(id) ?? portfolio.last(id);
    if (marginMode === 'isolated' || id === instrumentId || price === undefined) continue;
    const value = contractValue(side.instrument, side.quantity, price);
    crossOthers += portfolio.unrealized(id, side.direction) - maintenanceOf(value, termsOf(id));
  }
  return {
    long: { instrument, direction: 'long', holding: long.holding, money: money('long') },
    short: { instrument, direction: 'short', holding: short.holding, money: money('short') },
    crossBalance,
    crossOthers,
  };
}

/** Sides held in contracts of one margin asset. */
export function heldSides(
  portfolio: Portfolio,
  { marginAsset }: FuturesInstrument,
): readonly {
  readonly instrument: FuturesInstrument;
  readonly direction: Direction;
  readonly quantity: Fixed;
}[] {
  return [...portfolio.instruments()].flatMap(({ instrument, ...sides }) => {
    if (instrument.kind !== 'futures' || instrument.marginAsset !== marginAsset) return [];
    return DIRECTIONS.map((direction) => ({
      instrument,
      direction,
      quantity: sides[direction].holding.quantity,
    })).filter(({ quantity }) => quantity > 0n);
  });
}

/** State of a contract after a step, and the loss of an isolated position beyond its margin. */
export function contractAfter(
  state: ContractState,
  step: ContractStep,
): { readonly state: ContractState; readonly beyond: Fixed } {
  if (step.kind === 'own') {
    const direction = directionOf(step.fill);
    const { side, result } = withOwnFill(state[direction], step.fill);
    const crossBalance = state.crossBalance + result;
    return { state: { ...state, [direction]: side, crossBalance }, beyond: 0n };
  }
  const { side, result, beyond } = closeForced(state[step.direction], step.close);
  const crossBalance = state.crossBalance + result;
  return { state: { ...state, [step.direction]: side, crossBalance }, beyond };
}

/**
 * Whether a side's margin at a price is so small that the venue may have liquidated it.
 *
 * The venue decides at its mark, and fills at last with costs, so neither is known to the tick. The rule: at most a fifth is left of the distance
 * between entry and liquidation (DESIGN R12: money + profit ≤ value × (keepRate + maxFeeRate)), or a thousandth of the value.
 */
export function isUsedUp(
  state: ContractState,
  direction: Direction,
  at: { readonly price: Fixed; readonly terms: MaintenanceTerms },
): boolean {
  const { instrument, holding } = state[direction];
  const exitValue = contractValue(instrument, holding.quantity, at.price);
  const money = moneyOf(state, direction, at);
  const left = money + leftOf(state[direction], at);
  const atEntry = money - maintenanceOf(holding.entryValue, at.terms);
  return left * LEFT_PARTS <= (atEntry > 0n ? atEntry : 0n) || left * APART_PARTS <= exitValue;
}

/** The money that carries a side: its own margin if isolated, otherwise what the other cross positions leave of the account. */
function moneyOf(
  state: ContractState,
  direction: Direction,
  at: { readonly price: Fixed; readonly terms: MaintenanceTerms },
): Fixed {
  const { instrument, money } = state[direction];
  if (instrument.marginMode === 'isolated') return money.margin + money.kept;
  const other = state[direction === 'long' ? 'short' : 'long'];
  return state.crossBalance + state.crossOthers + leftOf(other, at);
}

/** Unrealized profit of a side at a price, minus the margin that it must keep. */
function leftOf(
  { instrument, direction, holding: { quantity, entryValue } }: PositionMargin,
  { price, terms }: { readonly price: Fixed; readonly terms: MaintenanceTerms },
): Fixed {
  if (quantity === 0n) return 0n;
  const exitValue = contractValue(instrument, quantity, price);
  return (
    contractProfit(instrument, direction, { entryValue, exitValue }) -
    maintenanceOf(exitValue, terms)
  );
}
