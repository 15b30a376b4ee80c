import { nounOf } from '../domain/index.js';
import type { PageNote } from './page-data.js';

/**
 * Notes of the warnings of a search, and of trials that had another result when they were run alone.
 *
 * @param what - what each trial is, such as `test`.
 */
export function noteTroubles(
  {
    warnings,
    differences,
  }: { readonly warnings: readonly string[]; readonly differences: readonly unknown[] },
  what: string,
): readonly PageNote[] {
  const count = differences.length;
  const differs = `${String(count)} ${nounOf(count, what)} had a different result when run alone.`;
  return [
    ...(warnings.length > 0 ? [{ label: 'Warnings', lines: warnings, tone: 'warn' as const }] : []),
    ...(count > 0 ? [{ label: 'Differs', lines: [differs], tone: 'bad' as const }] : []),
  ];
}
