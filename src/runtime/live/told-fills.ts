import type { FillRecord, InstrumentId } from '../../domain/index.js';
import { compareIds } from '../../feed/index.js';
import { afterStep, type ContractState, type ContractStep } from './contract-state.js';

interface Told {
  readonly before: ContractState;
  readonly fills: FillRecord[];
}

/**
 * Own fills that an engine was told of since the trades of a contract were last read to their end, and how the contract was before them. What
 * the venue did meanwhile is found later, and happened to what was there then.
 */
export class ToldFills {
  readonly #told = new Map<InstrumentId, Told>();
  readonly #stateOf: (instrumentId: InstrumentId) => ContractState;

  constructor(stateOf: (instrumentId: InstrumentId) => ContractState) {
    this.#stateOf = stateOf;
  }

  /** The engine is about to be told of a fill. */
  note(fill: FillRecord): void {
    const { instrumentId } = fill;
    let told = this.#told.get(instrumentId);
    if (told === undefined) {
      told = { before: this.#stateOf(instrumentId), fills: [] };
      this.#told.set(instrumentId, told);
    }
    told.fills.push(fill);
  }

  /** Whatever has happened until now is known. */
  settle(instrumentId: InstrumentId): void {
    this.#told.delete(instrumentId);
  }

  /** How the contract was, and the fills since. What became of the account besides is counted as if it had been before. */
  since(instrumentId: InstrumentId): Told {
    const now = this.#stateOf(instrumentId);
    const told = this.#told.get(instrumentId);
    if (told === undefined) return { before: now, fills: [] };
    const { before, fills } = told;
    const replayed = fills
      .map(ownStep)
      .reduce((state, step) => afterStep(state, step).state, before);
    const besides = now.crossBalance - replayed.crossBalance;
    const crossBalance = before.crossBalance + besides;
    return { before: { ...before, crossBalance, crossOthers: now.crossOthers }, fills };
  }
}

export function ownStep(fill: FillRecord): ContractStep {
  return { kind: 'own', id: fill.venueTradeId, fill };
}

/** Steps in the order in which they happened; one that names no trade was before all others. */
export function inOrder(steps: readonly ContractStep[]): readonly ContractStep[] {
  return steps.toSorted((a, b) => {
    if (a.id === undefined || b.id === undefined)
      return Number(a.id !== undefined) - Number(b.id !== undefined);
    return compareIds(a.id, b.id);
  });
}
