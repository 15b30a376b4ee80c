import {
  compareIds,
  type Direction,
  type FillRecord,
  type InstrumentId,
} from '../../domain/index.js';
import { contractAfter, type ContractState, type ContractStep } from './contract-state.js';
import type { PositionMargin, ForcedClose } from '../margin/side-margin.js';

/** State of a contract at a start, and the changes reported to the engine since then, in the order of reports. */
interface Told {
  /** State in the portfolio. */
  readonly books: ContractState;
  /** State at the venue. */
  readonly venue: ContractState;
  readonly steps: readonly ContractStep[];
}

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/**
 * Keeps the state of a contract at the last full reading of its trades, and the changes reported since. Closes by the venue are found later, and must
 * be applied to the state of their own time.
 *
 * If a close is reported after an entry that really came later, the portfolio mixes closed and entered contracts. From then on this class keeps the
 * contract as it is at the venue, until portfolio and venue agree again: at the latest when the side is flat.
 */
export class ContractSteps {
  readonly #told = new Map<InstrumentId, Told>();
  readonly #stateOf: (instrumentId: InstrumentId) => ContractState;

  constructor(stateOf: (instrumentId: InstrumentId) => ContractState) {
    this.#stateOf = stateOf;
  }

  /** Notes a change that is about to be reported to the engine. */
  note(instrumentId: InstrumentId, step: ContractStep): void {
    const told = this.#told.get(instrumentId);
    // Within one group of reports the portfolio may lag behind: its state is used only for the first step.
    const { books, venue, steps } =
      told === undefined || told.steps.length === 0 ? this.#besides(instrumentId) : told;
    this.#told.set(instrumentId, { books, venue, steps: [...steps, step] });
  }

  /** Everything that has happened so far was reported. */
  settle(instrumentId: InstrumentId): void {
    const told = this.#told.get(instrumentId);
    if (told === undefined) return;
    const books = afterSteps(told.books, told.steps);
    const venue = afterSteps(told.venue, inOrder(told.steps));
    if (DIRECTIONS.every((direction) => isSame(books[direction], venue[direction])))
      this.#told.delete(instrumentId);
    else this.#told.set(instrumentId, { books, venue, steps: [] });
  }

  /** State of the contract at the venue, and the changes reported since. Other changes of the account count as if they had happened before. */
  since(instrumentId: InstrumentId): {
    readonly before: ContractState;
    readonly steps: readonly ContractStep[];
  } {
    const { venue, steps } = this.#besides(instrumentId);
    return { before: venue, steps };
  }

  /** The reports so far, plus other changes of the money of account and positions, such as funding. */
  #besides(instrumentId: InstrumentId): Told {
    const now = this.#stateOf(instrumentId);
    const told = this.#told.get(instrumentId);
    if (told === undefined) return { books: now, venue: now, steps: [] };
    const { steps } = told;
    const replayed = afterSteps(told.books, steps);
    // Changes were reported by another part, as at a start: the portfolio is the best source.
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
  return steps.reduce((before, step) => contractAfter(before, step).state, state);
}

function isSame(one: PositionMargin, other: PositionMargin): boolean {
  const { margin, kept } = one.money;
  return holdsSame(one, other) && margin === other.money.margin && kept === other.money.kept;
}

function holdsSame({ holding }: PositionMargin, other: PositionMargin): boolean {
  const { quantity, entryValue } = other.holding;
  return holding.quantity === quantity && holding.entryValue === entryValue;
}

/** A held side, plus the change of its money that its fills do not explain. */
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

/** Steps in the order in which they happened. Steps without a trade id come first. */
export function inOrder(steps: readonly ContractStep[]): readonly ContractStep[] {
  return steps.toSorted((a, b) => {
    if (a.id === undefined || b.id === undefined)
      return Number(a.id !== undefined) - Number(b.id !== undefined);
    return compareIds(a.id, b.id);
  });
}
