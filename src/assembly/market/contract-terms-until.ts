import type { Archive } from '../../archive/index.js';
import type { EpochMs, FundingColumns, InstrumentId } from '../../domain/index.js';

/**
 * The exclusive end of marks for a run to `to`, as the archive counts. The mark candle that opens at `to` belongs to the run, because funding is settled
 * there at its open (DESIGN R11).
 */
export function endOfMarks(to: EpochMs | undefined): EpochMs | undefined {
  // Times are whole milliseconds.
  return to === undefined ? undefined : to + 1;
}

/**
 * Reads the funding of a run to `to`: all settlements up to and at `to`, and the next one. That one tells the end and the rate of the period in which the
 * run ends. So at `to` the run knows the same about funding as a longer run.
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
