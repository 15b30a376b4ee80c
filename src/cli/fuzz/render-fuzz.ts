import { nounOf } from '../../domain/index.js';
import { countText } from '../../report/index.js';
import { describeStretches, type Fuzz, type FuzzViolation } from '../../research/index.js';

/** Describes a fuzz for reading: each law, and for a broken one the smallest market that breaks it. `command`: how the user calls this program. */
export function renderFuzz(
  { fuzz, violations }: Fuzz,
  { participation, command }: { readonly participation: unknown; readonly command: string },
): string {
  const { strategy, parameters, histories, candles, interval, seed, runs, lead, laws } = fuzz;
  const set = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  const quiet = lead === 0 ? '' : ` after ${countText(lead)} quiet ones`;
  const broken = new Map(violations.map((violation) => [violation.law, violation]));
  const width = Math.max(...laws.map((law) => law.length)) + 2;
  return [
    [strategy, ...set].join(', '),
    `${countText(histories)} ${nounOf(histories, 'history', 'histories')} of at most ${countText(candles)} candles of ${interval}${quiet}, seed ${String(seed)}; ${countText(runs)} ${nounOf(runs, 'backtest')}`,
    '',
    ...laws.flatMap((law) => describeLaw(law.padEnd(width), broken.get(law), { lead, command })),
    ...(participation === 'off'
      ? ['', 'note: without simulation.participation no order is filled in part']
      : []),
    '',
  ].join('\n');
}

function describeLaw(
  head: string,
  violation: FuzzViolation | undefined,
  { lead, command }: { readonly lead: number; readonly command: string },
): readonly string[] {
  if (violation === undefined) return [`${head}held`];
  const { value, failed, history, candles, smaller, kept, lateMs, markets } = violation;
  const found = failed === null ? `broken: ${numberText(value ?? 0)}` : `broken: ${failed.message}`;
  const late = lateMs === 0 ? [] : [`candles arrive ${countText(lateMs)} ms late`];
  const isOne = markets.length === 1;
  const happens = markets.map(
    ({ instrument, stretches }) =>
      `${isOne ? '' : `${instrument}: `}${describeStretches(stretches)}`,
  );
  const after = lead === 0 ? '' : ', after the quiet ones';
  return [
    `${head}${found}`,
    ...[
      `history ${countText(history)}, made smaller ${countText(smaller)} ${nounOf(smaller, 'time')}: ${countText(candles)} ${nounOf(candles, 'candle')}${after}`,
      ...happens,
      ...late,
      `${command} backtest ${kept}/config.yaml`,
    ].map((line) => `  ${line}`),
  ];
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(8)));
}
