import type { Line } from './plan.js';
import { describeProgress } from './whole.js';

/** Prints the figures of all cases by cause, and the failures. Returns whether there are none. */
export function report(lines: readonly Line[]): boolean {
  const cases = lines.filter(
    ({ cause, failed }) => cause !== 'end of a rig' && failed === undefined,
  );
  for (const cause of [...new Set(cases.map((line) => line.cause))].toSorted()) {
    const these = cases.filter((line) => line.cause === cause);
    const naked = these.flatMap(({ nakedMs }) => nakedMs ?? []);
    const closed = these.flatMap(({ closedMs }) => closedMs ?? []);
    const beyond = closed.length === 0 ? '' : `; closed ${figures(closed)}`;
    console.log(
      `${String(cause).padEnd(28)} ${String(these.length).padStart(4)} cases, unwatched ${figures(naked)}${beyond}`,
    );
  }
  const failures = lines.flatMap(({ failed, cause, case: number }) =>
    failed === undefined ? [] : [`case ${String(number)} (${String(cause)}): ${failed}`],
  );
  const late = cases.filter(({ nakedMs = 0, mostMs = Infinity }) => nakedMs > mostMs);
  const ends = lines.filter(
    ({ cause, failed }) => cause === 'end of a rig' && failed === undefined,
  );
  console.log(
    `${String(cases.length)} cases, ${String(ends.length)} rigs; ${String(failures.length)} failed, ${String(late.length)} later than promised`,
  );
  console.log(`of a whole run: ${describeProgress(lines).join(', ')}`);
  for (const failure of failures) console.log(`  ${failure}`);
  for (const { case: number, cause, nakedMs = 0 } of late)
    console.log(`  case ${String(number)} (${String(cause)}): ${seconds(nakedMs)}`);
  return failures.length === 0 && late.length === 0;
}

function figures(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number | undefined => sorted[Math.ceil(share * sorted.length) - 1];
  return `median ${seconds(at(0.5))}, p99 ${seconds(at(0.99))}, most ${seconds(at(1))}`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '-' : `${(ms / 1_000).toFixed(2)} s`;
}
