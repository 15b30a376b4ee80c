import type { Archive } from '../../archive/index.js';
import type { EpochMs, FundingColumns, InstrumentId } from '../../domain/index.js';

/**
 * Where marks of a run to `to` end, as the archive counts: exclusive. The mark candle that opens at `to` belongs to the run, because funding
 * is settled there at its open (DESIGN R11).
 */
export function endOfMarks(to: EpochMs | undefined): EpochMs | undefined {
  // Times count in whole milliseconds.
  return to === undefined ? undefined : to + 1;
}

/**
 * Reads the funding of a run to `to`: what is settled up to and at it, and the settlement after that, which says when the period ends in which
 * the run does, and at what rate. A run to `to` then knows of funding what a longer one knew at `to`.
 *
 * @throws {DataError} as `Archive.funding`.
 */
export async function readFundingUntil(
  archive: Pick<Archive, 'funding'>,
  instrumentId: InstrumentId,
  to: EpochMs = Number.POSITIVE_INFINITY,
): Promise<FundingColumns | undefined> {
  const funding = await archive.funding(instrumentId);
  if (funding === undefined) return undefined;
  const after = funding.time.findIndex((time) => time > to);
  if (after === -1) return funding;
  return {
    time: funding.time.subarray(0, after + 1),
    rate: funding.rate.subarray(0, after + 1),
  };
}
