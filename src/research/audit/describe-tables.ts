import { countText, moneyText, percentText, ratioText } from '../../report/index.js';
import type { Audit } from './audit-schema.js';

/** The part of an audit that was made. */
export type Section<Key extends keyof Audit> = NonNullable<Audit[Key]>;

/** A table of an audit, in words. */
export interface AuditTable {
  /** Title of the table. */
  readonly name: string;
  /** Summary; empty if the table is clear without it. */
  readonly said: string;
  readonly columns: readonly { readonly head: string; readonly align: 'left' | 'right' }[];
  /** The row of a failed run ends with its error code. */
  readonly rows: readonly (readonly string[])[];
  /** Line below the table; empty if there is none. */
  readonly foot: string;
}

type Column = AuditTable['columns'][number];

const left = (head: string): Column => ({ head, align: 'left' });
const right = (head: string): Column => ({ head, align: 'right' });

/** Describes the tables of an audit, in the order of its parts. */
export function describeTables(audit: Audit): readonly AuditTable[] {
  const { warmUp, sensitivity, ablation, capacity } = audit;
  return [
    ...(warmUp !== undefined && warmUp.moves.length > 0 ? [describeMoves(warmUp)] : []),
    ...(sensitivity === undefined ? [] : [describeSensitivity(sensitivity)]),
    ...(ablation === undefined ? [] : [describeAblation(ablation)]),
    ...(capacity === undefined ? [] : [describeCapacity(capacity)]),
  ];
}

function describeMoves({ moves, fields }: Section<'warmUp'>): AuditTable {
  const changed = fields.map(
    ({ name, heard, longer }) => `${name} ${shortText(heard)} (longest ${shortText(longer)})`,
  );
  return {
    name: 'Warm-up',
    said: '',
    columns: ['more lookbacks', 'decisions', 'changed', 'share'].map(right),
    rows: moves.map(({ lookbacks, decisions, changed: different }) => [
      ...[lookbacks, decisions, different].map(countText),
      percentText(decisions === 0 ? null : different / decisions),
    ]),
    foot:
      changed.length > 0
        ? `values at the start that a longer warm-up changes: ${changed.join(', ')}`
        : '',
  };
}

/** Runs with other costs, latency and paths. */
function describeSensitivity({ rows }: Section<'sensitivity'>): AuditTable {
  return {
    name: 'Sensitivity',
    said: '',
    columns: [
      ...['', ''].map(left),
      ...['final equity', 'return', 'Sharpe', 'drawdown', 'trades'].map(right),
    ],
    rows: rows.map(({ kind, value, figures, failed }) => [
      kind,
      value,
      ...(figures === null
        ? [failed ?? '']
        : [
            moneyText(figures.finalEquity, figures.currency),
            percentText(figures.totalReturn),
            ratioText(figures.sharpe),
            percentText(figures.maxDrawdown),
            countText(figures.trades),
          ]),
    ]),
    foot: '',
  };
}

/** Earnings of each rule: the plain run, and the difference of each run without one rule. */
function describeAblation({ rows, finalEquity, currency, note }: Section<'ablation'>): AuditTable {
  return {
    name: 'Ablation',
    said:
      rows.length === 0
        ? 'no rule can be switched off'
        : `final equity ${moneyText(finalEquity, currency)}, and the difference to it`,
    columns: [
      ...['switched off or changed', ''].map(left),
      ...['difference', 'orders', 'trades'].map(right),
    ],
    rows: rows.map(({ kind, name, value, money, failed }) => [
      kind,
      value === null ? name : `${name} ${String(value)}`,
      ...(money === null
        ? [failed ?? '']
        : [moneyText(money.difference, currency), ...[money.orders, money.trades].map(countText)]),
    ]),
    foot: note ?? '',
  };
}

/** Earnings with more money. */
function describeCapacity(capacity: Section<'capacity'>): AuditTable {
  const { rows, currency, participation, impact } = capacity;
  const terms = `at most ${percentText(Number(participation))} of the volume of a candle, impact ${impact}`;
  return {
    name: 'Capacity',
    said: `${describeEdge(capacity)}; ${terms}`,
    columns: ['size', 'equity', 'profit', 'return', 'orders', 'fills', 'refused'].map(right),
    rows: rows.map(({ times, money, failed }) => [
      sizeText(times),
      ...(money === null
        ? [failed ?? '']
        : [
            ...[money.initialEquity, money.profit].map((amount) => moneyText(amount, currency)),
            percentText(money.totalReturn),
            ...[money.orders, money.fills, money.refusals].map(countText),
          ]),
    ]),
    foot: '',
  };
}

function describeEdge({ gone, most, rows }: Section<'capacity'>): string {
  if (gone === rows[0]?.times) return 'no profit at the configured size';
  const peak = most === null ? '' : `, largest profit at ${sizeText(most)}`;
  if (gone !== null) return `no profit from ${sizeText(gone)} on${peak}`;
  return `profit at all sizes up to ${sizeText(rows.at(-1)?.times ?? 1)}${peak}`;
}

function sizeText(times: number): string {
  return `× ${countText(times)}`;
}

function shortText(value: number): string {
  return String(Number(value.toPrecision(8)));
}
