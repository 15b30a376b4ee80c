import { DataError } from '../../domain/index.js';
import { describeHolding } from '../archive-entry.js';

/** First word of the source of random rows, which `data synth` makes. */
export const SYNTHETIC = 'synth';

/**
 * Keeps random rows and rows of a market apart: those of other times have no conflict, so a run would trade from one market into the other.
 *
 * @throws {DataError} `E_DATA_ORIGIN` if only one of the two is random.
 */
export function requireSameOrigin(
  stored: Parameters<typeof describeHolding>[0] & { readonly sources: readonly string[] },
  incoming: string | readonly string[],
): void {
  const given = [incoming].flat();
  const isRandom = stored.sources.some(isSynthetic);
  if (isRandom === given.some(isSynthetic)) return;
  const [here, there] = isRandom
    ? ['random rows', given.join(', ')]
    : ['rows of a market', 'random'];
  throw new DataError(
    'E_DATA_ORIGIN',
    `${describeHolding(stored)} has ${here} (${stored.sources[0] ?? 'no source'}), expected the same, received ${there}; use another --archive`,
  );
}

/** Whether a source made random rows. */
export function isSynthetic(source: string): boolean {
  return source.startsWith(`${SYNTHETIC} `);
}
