import type { Direction, FillRecord, InstrumentId } from '../domain/index.js';
import { compareIds } from '../feed/index.js';
import { afterStep, type ContractState, type ContractStep } from './contract-state.js';
import type { PositionMargin, ForcedClose } from './side-margin.js';

/** How a contract was, and what has happened to it since of which the engine is told, in the order of telling. */
interface Told {
  /** As the portfolio had it. */
  readonly books: ContractState;
  /** As it was at the venue. */
  readonly venue: ContractState;
  readonly steps: readonly ContractStep[];
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/**
 * What an engine was told of a contract since its trades were last read to their end, and how the contract was before. What the venue did
 * meanwhile is found later, and happened to what was there then.
 *
 * Where a close is told after an entry that it came before, the portfolio mixes what was closed with what was entered. From then on the contract
 * is kept here as it is at the venue, until the two agree again: at the latest when the side is flat.
 */
export class NotedSteps {
  readonly #told = new Map<InstrumentId, Told>();
  readonly #stateOf: (instrumentId: InstrumentId) => ContractState;

  constructor(stateOf: (instrumentId: InstrumentId) => ContractState) {
    this.#stateOf = stateOf;
  }

  /** The engine is about to be told of this. */
  note(instrumentId: InstrumentId, step: ContractStep): void {
    const told = this.#told.get(instrumentId);
    // The portfolio takes one after the other: between two that are told together it is not asked.
    const { books, venue, steps } =
      told === undefined || told.steps.length === 0 ? this.#besides(instrumentId) : told;
    this.#told.set(instrumentId, { books, venue, steps: [...steps, step] });
  }

  /** Whatever has happened until now was told. */
  settle(instrumentId: InstrumentId): void {
    const told = this.#told.get(instrumentId);
    if (told === undefined) return;
    const books = afterSteps(told.books, told.steps);
    const venue = afterSteps(told.venue, inOrder(told.steps));
    if (DIRECTIONS.every((direction) => isSame(books[direction], venue[direction])))
      this.#told.delete(instrumentId);
    else this.#told.set(instrumentId, { books, venue, steps: [] });
  }

  /** How the contract was at the venue, and what was told since. What became of the account besides is counted as if it had been before. */
  since(instrumentId: InstrumentId): {
    readonly before: ContractState;
    readonly steps: readonly ContractStep[];
  } {
    const { venue, steps } = this.#besides(instrumentId);
    return { before: venue, steps };
  }

  /** What was told, with what else changed the money of account and positions, as funding does. */
  #besides(instrumentId: InstrumentId): Told {
    const now = this.#stateOf(instrumentId);
    const told = this.#told.get(instrumentId);
    if (told === undefined) return { books: now, venue: now, steps: [] };
    const { steps } = told;
    const replayed = afterSteps(told.books, steps);
    // Told of by others, as at a start: nothing is known better than the portfolio has it.
    if (steps.length === 0 && !DIRECTIONS.every((side) => holdsSame(now[side], replayed[side])))
      return { books: now, venue: now, steps };
    const withBesides = (state: ContractState): ContractState => ({
      long: withMoney(state.long, now.long, replayed.long),
      short: withMoney(state.short, now.short, replayed.short),
      crossBalance: state.crossBalance + now.crossBalance - replayed.crossBalance,
      crossOthers: now.crossOthers,
    });
    return { books: withBesides(told.books), venue: withBesides(told.venue), steps };
  }
}

function afterSteps(state: ContractState, steps: readonly ContractStep[]): ContractState {
  return steps.reduce((before, step) => afterStep(before, step).state, state);
}

function isSame(one: PositionMargin, other: PositionMargin): boolean {
  const { margin, kept } = one.money;
  return holdsSame(one, other) && margin === other.money.margin && kept === other.money.kept;
}

function holdsSame({ holding }: PositionMargin, other: PositionMargin): boolean {
  const { quantity, entryValue } = other.holding;
  return holding.quantity === quantity && holding.entryValue === entryValue;
}

/** A side that is held, with what its money has become more or less by than its fills explain. */
function withMoney(
  side: PositionMargin,
  now: PositionMargin,
  replayed: PositionMargin,
): PositionMargin {
  const besides = now.money.margin + now.money.kept - replayed.money.margin - replayed.money.kept;
  if (besides === 0n || side.holding.quantity === 0n || !holdsSame(now, replayed)) return side;
  return { ...side, money: { ...side.money, kept: side.money.kept + besides } };
}

export function ownStep(fill: FillRecord): ContractStep {
  return { kind: 'own', id: fill.venueTradeId, fill };
}

export function forcedStep(
  close: ForcedClose & Pick<FillRecord, 'side' | 'venueTradeId'>,
): ContractStep {
  const direction = close.side === 'buy' ? 'short' : 'long';
  return { kind: 'forced', id: close.venueTradeId, direction, close };
}

/** Steps in the order in which they happened; one that names no trade was before all others. */
export function inOrder(steps: readonly ContractStep[]): readonly ContractStep[] {
  return steps.toSorted((a, b) => {
    if (a.id === undefined || b.id === undefined)
      return Number(a.id !== undefined) - Number(b.id !== undefined);
    return compareIds(a.id, b.id);
  });
}
