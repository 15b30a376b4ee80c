import type { Direction, Holding, InstrumentId, IsolatedMoney } from '../../domain/index.js';
import type { ContractBook } from './contract-book.js';

/** An open position, without its marks and its history. */
export interface OpenPosition {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly holding: Holding;
  readonly money: IsolatedMoney;
  readonly isLiquidating: boolean;
}

/** Open positions, in the order in which they were opened. */
export function listOpen(contracts: readonly ContractBook[]): readonly OpenPosition[] {
  return contracts
    .flatMap(({ positions }) => positions)
    .filter(({ isHeld }) => isHeld)
    .sort((a, b) => a.number - b.number)
    .map(({ terms, direction, holding, money, isLiquidating }) => {
      const instrumentId = terms.instrument.id;
      return { instrumentId, direction, holding, money, isLiquidating };
    });
}
