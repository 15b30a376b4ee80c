import { countText, instantText, moneyText, percentText, ratioText } from '../../report/index.js';
import { nounOf } from '../../domain/index.js';
import type { Audit } from '../../research/index.js';
import { formatTable } from '../data/text-table.js';
import { describeAblation, describeCapacity } from './render-money.js';

type Section<Key extends keyof Audit> = NonNullable<Audit[Key]>;

/** Describes an audit for reading, on one page: each part with its verdict and what it compared, then what was found. */
export function renderAudit(document: Audit): string {
  const { lookAhead, determinism, warmUp, order, sensitivity, ablation, capacity } = document;
  const parts = [
    ...(lookAhead ? [line('Look-ahead', lookAhead, describeLookAhead(lookAhead))] : []),
    ...(determinism ? [line('Determinism', determinism, describeDeterminism(determinism))] : []),
    ...(warmUp ? [line('Warm-up', warmUp, describeWarmUp(warmUp))] : []),
    ...(order ? [line('Order', order, describeOrder(order))] : []),
  ];
  const findings = listFindings(document);
  const notes = determinism?.notes ?? [];
  return [
    describeHead(document),
    ...parts,
    ...(warmUp ? describeMoves(warmUp) : []),
    ...(sensitivity ? describeSensitivity(sensitivity) : []),
    ...(ablation ? describeAblation(ablation) : []),
    ...(capacity ? describeCapacity(capacity) : []),
    ...(findings.length + notes.length > 0 ? [''] : []),
    ...notes.map((note) => `note        ${note}`),
    ...findings.map((finding) => `finding     ${finding}`),
    '',
    findings.length === 0 ? 'nothing found' : `findings: ${String(findings.length)}`,
    '',
  ].join('\n');
}

/** What was violated, in the order of the parts. */
export function listFindings({ lookAhead, determinism, warmUp, order }: Audit): readonly string[] {
  return [lookAhead, determinism, warmUp, order].flatMap((section) => section?.findings ?? []);
}

function describeHead({ audit }: Audit): string {
  const { strategy, parameters, from, to, runs, seed } = audit;
  const set = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${[strategy, ...set].join(', ')}, ${instantText(from)} to ${instantText(to)}`,
    `${countText(runs)} ${nounOf(runs, 'backtest')}, seed ${String(seed)}`,
    '',
  ].join('\n');
}

interface Judged {
  readonly verdict: string;
  readonly reason: string | null;
}

function line(name: string, { verdict, reason }: Judged, said: string): string {
  const told = verdict === 'not done' ? (reason ?? '') : [said, reason ?? []].flat().join('; ');
  return `${name.padEnd(12)}${verdict.padEnd(10)}${told}`;
}

function describeLookAhead({ instants, compared, finer }: Section<'lookAhead'>): string {
  const at = (count: number): string => `${countText(count)} ${nounOf(count, 'instant')}`;
  const steps = `${countText(compared)} ${nounOf(compared, 'step')}`;
  const walked =
    finer === null ? '' : `; on finer candles ${at(finer.instants)}, ${countText(finer.compared)}`;
  return `${at(instants)}, after which all was cut, noise, or one candle earlier: ${steps} compared${walked}`;
}

function describeDeterminism({ commands, seed }: Section<'determinism'>): string {
  const orders = `${countText(commands)} ${nounOf(commands, 'order or cancel', 'orders and cancels')}`;
  const seeded = seed === 'other' ? ', with another seed' : '; its seed is drawn from, and counts';
  return `${orders}: again, in another process at another time${seeded}`;
}

function describeWarmUp({ lookback, heard, starts }: Section<'warmUp'>): string {
  const candles = (count: number): string => `${countText(count)} ${nounOf(count, 'candle')}`;
  return `${countText(starts)} ${nounOf(starts, 'start')} after ${candles(heard)}, and after more lookbacks of ${candles(lookback)}`;
}

function describeOrder({ instruments, decisions }: Section<'order'>): string {
  const wants = `${countText(decisions)} ${nounOf(decisions, 'decision')}`;
  return `${countText(instruments)} instruments, last first: ${wants} compared`;
}

function describeMoves({ moves, fields }: Section<'warmUp'>): readonly string[] {
  if (moves.length === 0) return [];
  const table = formatTable(
    [
      { head: 'lookbacks more', align: 'right' },
      { head: 'decisions', align: 'right' },
      { head: 'changed', align: 'right' },
      { head: 'share', align: 'right' },
    ],
    moves.map(({ lookbacks, decisions, changed }) => [
      countText(lookbacks),
      countText(decisions),
      countText(changed),
      percentText(decisions === 0 ? null : changed / decisions),
    ]),
  );
  const changed = fields.map(
    ({ name, heard, longer }) => `${name} ${shortText(heard)}, longer ${shortText(longer)}`,
  );
  return [
    '',
    table.trimEnd(),
    ...(changed.length > 0 ? [`other values: ${changed.join('; ')}`] : []),
  ];
}

/** With other costs, latency and paths. */
function describeSensitivity({ rows }: Section<'sensitivity'>): readonly string[] {
  if (rows.length === 0) return [];
  const columns = ['final equity', 'return', 'Sharpe', 'drawdown', 'trades'];
  const table = formatTable(
    [
      { head: '', align: 'left' },
      { head: '', align: 'left' },
      ...columns.map((head) => ({ head, align: 'right' as const })),
    ],
    rows.map(({ kind, value, figures, failed }) => [
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
  );
  return ['', table.trimEnd()];
}

function shortText(value: number): string {
  return String(Number(value.toPrecision(8)));
}
