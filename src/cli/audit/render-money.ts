import { countText, moneyText, percentText } from '../../report/index.js';
import type { Audit } from '../../research/index.js';
import { formatTable, type TextColumn } from '../data/text-table.js';

type Ablation = NonNullable<Audit['ablation']>;
type Capacity = NonNullable<Audit['capacity']>;

const left = (head: string): TextColumn => ({ head, align: 'left' });
const right = (head: string): TextColumn => ({ head, align: 'right' });

/** What each rule earns: the plain run, and the difference of each run without one. */
export function describeAblation({ rows, finalEquity, currency }: Ablation): readonly string[] {
  if (rows.length === 0) return ['', 'Ablation    no rule can be switched off'];
  const table = formatTable(
    [
      left('switched off or changed'),
      left(''),
      right('difference'),
      right('orders'),
      right('trades'),
    ],
    rows.map(({ kind, name, value, money, failed }) => [
      kind,
      value === null ? name : `${name} ${String(value)}`,
      ...(money === null
        ? [failed ?? '']
        : [
            moneyText(money.difference, currency),
            countText(money.orders),
            countText(money.trades),
          ]),
    ]),
  );
  const plain = `Ablation    final equity ${moneyText(finalEquity, currency)}, and the difference to it`;
  return ['', plain, table.trimEnd()];
}

/** What is earned with more money. */
export function describeCapacity(capacity: Capacity): readonly string[] {
  const { rows, currency, participation, impact } = capacity;
  const table = formatTable(
    [right('size'), ...['equity', 'profit', 'return', 'orders', 'fills', 'refused'].map(right)],
    rows.map(({ times, money, failed }) => [
      sizeText(times),
      ...(money === null
        ? [failed ?? '']
        : [
            moneyText(money.initialEquity, currency),
            moneyText(money.profit, currency),
            percentText(money.totalReturn),
            ...[money.orders, money.fills, money.refusals].map(countText),
          ]),
    ]),
  );
  const terms = `at most ${percentText(Number(participation))} of a volume, impact ${impact}`;
  return ['', `Capacity    ${describeEdge(capacity)}; ${terms}`, table.trimEnd()];
}

function describeEdge({ gone, most, rows }: Capacity): string {
  if (gone === rows[0]?.times) return 'nothing is earned at the size of the file';
  const peak = most === null ? '' : `, the most money at ${sizeText(most)}`;
  if (gone !== null) return `nothing is earned from ${sizeText(gone)} on${peak}`;
  return `something is earned up to ${sizeText(rows.at(-1)?.times ?? 1)}${peak}`;
}

function sizeText(times: number): string {
  return `× ${countText(times)}`;
}
