import {
  hasDefects,
  type CandleCheck,
  type Finding,
  type RefusedRow,
} from '../../archive/index.js';
import { formatUtc, type ErrorCode } from '../../domain/index.js';
import { formatCount, formatNoun, gapJson } from './format.js';

/** Result of the check of one stored series or file. */
export type CheckedCandles =
  | {
      readonly status: 'readable';
      readonly name: string;
      readonly check: CandleCheck;
      /** Examples of rows that could not be read. */
      readonly unreadable: readonly RefusedRow[];
    }
  | {
      readonly status: 'damaged';
      readonly name: string;
      readonly error: { readonly code: ErrorCode; readonly message: string };
    };

/** Whether the candles have a defect or cannot be read. */
export function isDefective(checked: CheckedCandles): boolean {
  return checked.status === 'damaged' || hasDefects(checked.check);
}

/** Writes a check for people: one line, and one for each finding. */
export function checkedText(checked: CheckedCandles): string {
  if (checked.status === 'damaged') {
    return `${checked.name}: damaged\n  ${checked.error.message} (${checked.error.code})\n`;
  }
  const { name, check, unreadable } = checked;
  const defects = check.findings.filter(({ isDefect }) => isDefect).length;
  const verdict =
    defects === 0 ? 'no defects' : formatNoun(defects, 'kind of defect', 'kinds of defects');
  const examples = unreadable.map(({ row, reason }) => `  row ${String(row)}: ${reason}`);
  return [
    `${name}: ${formatNoun(check.rows, 'row')}, ${verdict}`,
    ...examples,
    ...check.findings.map((finding) => `  ${findingText(finding, check)}`),
    '',
  ].join('\n');
}

function findingText({ kind, count, rows }: Finding, check: CandleCheck): string {
  const [longest] = check.longestGaps;
  if (kind === 'gap' && longest !== undefined) {
    const missing = formatNoun(check.missing, 'candle');
    return `gap: ${formatCount(count)} with ${missing} missing, the longest ${formatCount(longest.missing)} from ${formatUtc(longest.from)}`;
  }
  const more = count > rows.length ? ', …' : '';
  return `${kind}: ${formatCount(count)}, ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${more}`;
}

/** Makes the `--json` form of a check. */
export function checkedJson(checked: CheckedCandles): Readonly<Record<string, unknown>> {
  if (checked.status === 'damaged') {
    const { code, message } = checked.error;
    return { name: checked.name, isDefective: true, error: { code, message } };
  }
  const { name, check, unreadable } = checked;
  return {
    name,
    isDefective: isDefective(checked),
    rows: check.rows,
    findings: check.findings,
    missing: check.missing,
    longestGaps: check.longestGaps.map(gapJson),
    unreadable,
  };
}
