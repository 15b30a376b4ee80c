import { DAY_MS, divideFixed, fixedToNumber, multiplyFixed } from '../../domain/index.js';
import {
  computeStatistics,
  countRefusals,
  FillValuer,
  type RunRecord,
} from '../../report/index.js';

/** Figures that a law may name, each with its description. docs/fuzz.md has the same texts. */
export const FIGURES = {
  drawdown: 'largest fall of equity below its previous peak; 0.2 or 20 %',
  return: 'final equity ÷ initial equity − 1; -0.1 or -10 %',
  equity: 'equity at the end, in the equity currency',
  'lowest equity': 'lowest equity at a close, in the equity currency',
  orders: 'orders sent',
  'orders per day': 'most orders sent on one UTC day',
  fills: 'fills of all orders',
  trades: 'positions opened and closed',
  refused: 'intents rejected by risk checks',
  rejected: 'orders rejected by the venue',
  'position value': 'largest value of one position at one of its fills, in the equity currency',
  fees: 'fees paid, in the equity currency',
  liquidations: 'fills forced by the venue because margin ran out',
  halts: 'number of times a protection stopped entries',
  'open at end': 'positions still open at the end',
  residual: 'money that the ledger cannot explain; 0 unless the ledger is wrong',
} as const;

export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[];
/** Figures that are shares, and may be written in percent. */
export const SHARES: ReadonlySet<FigureName> = new Set(['drawdown', 'return']);

/** Computes one figure of a run; null if the run has no such figure, for example a drawdown without a close. */
export function figureOfRun(record: RunRecord, name: FigureName): number | null {
  switch (name) {
    case 'drawdown':
      return record.closes.maxDrawdown;
    case 'return':
      return computeStatistics(record).totalReturn;
    case 'equity':
      return fixedToNumber(record.finalEquity);
    case 'lowest equity':
      return lowestEquity(record);
    case 'orders':
      return record.orders.length;
    case 'orders per day':
      return mostOrdersOfOneDay(record);
    case 'fills':
      return record.fills.length;
    case 'trades':
      return computeStatistics(record).trades;
    case 'refused':
      return countRefusals(record.refusals);
    case 'rejected':
      return countWhere(record.orders, ({ state }) => state.status === 'rejected');
    case 'fees':
      return fixedToNumber(record.costs.fees);
    case 'liquidations':
      return countWhere(record.fills, ({ cause }) => cause === 'liquidation');
    case 'halts':
      return record.halts.length;
    case 'position value':
      return followPositions(record).largestValue;
    case 'open at end':
      return followPositions(record).openAtEnd;
    case 'residual':
      return Math.abs(fixedToNumber(record.residual));
  }
}

function countWhere<T>(list: Iterable<T>, isCounted: (one: T) => boolean): number {
  let count = 0;
  for (const one of list) if (isCounted(one)) count += 1;
  return count;
}

function mostOrdersOfOneDay({ orders }: Pick<RunRecord, 'orders'>): number {
  const days = new Map<number, number>();
  for (const { state } of orders) {
    const day = Math.floor(state.createdTime / DAY_MS);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return Math.max(0, ...days.values());
}

function lowestEquity({ candleEquity, initialEquity }: RunRecord): number {
  let lowest = initialEquity;
  for (const value of candleEquity?.value ?? []) if (value < lowest) lowest = value;
  return fixedToNumber(lowest);
}

/** Follows the positions of a run through its fills. */
function followPositions(record: RunRecord): {
  readonly largestValue: number;
  readonly openAtEnd: number;
} {
  const { openingHoldings, fills } = record;
  const valuer = new FillValuer(record);
  // A holding at the start is a long position.
  const held = new Map<string, { quantity: bigint; step: bigint }>(
    openingHoldings.map(({ instrumentId, holding: { quantity } }) => [
      `${instrumentId} long`,
      { quantity, step: 1n },
    ]),
  );
  let largest = 0n;
  for (const fill of fills) {
    const { direction, quantity, notional } = valuer.of(fill);
    const { record, step } = fill;
    const side = `${record.instrumentId} ${direction}`;
    const before = held.get(side)?.quantity ?? 0n;
    const after = record.action === 'open' ? before + quantity : before - quantity;
    held.set(side, { quantity: after, step });
    const value = multiplyFixed(after, divideFixed(notional, record.quantity));
    if (value > largest) largest = value;
  }
  return {
    largestValue: fixedToNumber(largest),
    openAtEnd: countWhere(held.values(), ({ quantity, step }) => quantity >= step),
  };
}
