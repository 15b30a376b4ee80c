import { MINUTE_MS, SECOND_MS, splitInstrumentId } from '../../../domain/index.js';
import { CandleRecorder } from './candle-recorder.js';
import { ContractRecorder } from './contract-recorder.js';
import { onGrid } from './on-grid.js';
import type { RecordedGap, RecordedRows } from './recorded-rows.js';
import type { Recording } from './recording.js';
import { RulesRecorder } from './rules-recorder.js';

/** Time between two readings of mark and funding rate, which come together. */
export const MARK_MS = 15 * SECOND_MS;
/** Time between two readings of the venue's listings. */
export const LISTINGS_MS = 5 * MINUTE_MS;

/** The result for one series. */
export interface RecordedSeries {
  readonly name: string;
  /** Rows that were stored. */
  readonly added: number;
  readonly gaps: readonly RecordedGap[];
}

/**
 * Records the market data of a venue until the signal ends it; then stores the waiting rows.
 *
 * @throws errors that no later call can cure, such as a symbol that the venue does not know; {@link DataError} if rows could not be stored at the end.
 */
export async function recordVenue(recording: Recording): Promise<readonly RecordedSeries[]> {
  const bug = new AbortController();
  const own: Recording = {
    ...recording,
    signal: AbortSignal.any([recording.signal, bug.signal]),
    onFailure: (error) => bug.abort(error),
  };
  const parts = partsOf(own);
  try {
    await run(own, parts);
  } catch (error: unknown) {
    // After an abort, errors of the start are no failure.
    if (!own.signal.aborted) bug.abort(error);
  }
  await Promise.all(parts.candles.map((candles) => candles.stop()));
  const rows = rowsOf(parts);
  await Promise.all(rows.map((series) => series.flush()));
  if (bug.signal.aborted) throw bug.signal.reason as Error;
  const unstored = rows.find(({ failure }) => failure !== undefined)?.failure;
  if (unstored !== undefined) throw unstored;
  return rows.map(({ name, added, gaps }) => ({ name, added, gaps }));
}

interface Parts {
  readonly candles: readonly CandleRecorder[];
  readonly contracts: readonly ContractRecorder[];
  readonly rules: RulesRecorder;
}

function partsOf(recording: Recording): Parts {
  const contracts = recording.instruments.filter((id) => splitInstrumentId(id).kind === 'futures');
  return {
    candles: recording.series.map((key) => new CandleRecorder(recording, key)),
    contracts: contracts.map((id) => new ContractRecorder(recording, id)),
    rules: new RulesRecorder(recording),
  };
}

async function run(recording: Recording, { candles, contracts, rules }: Parts): Promise<void> {
  const { time, signal } = recording;
  for (const contract of contracts) await contract.start();
  await rules.start();
  const readMarks = async (): Promise<void> => {
    await Promise.all(contracts.map((contract) => contract.read()));
  };
  const polling = [
    onGrid({ time, periodMs: LISTINGS_MS, signal }, () => rules.read()),
    ...(contracts.length > 0 ? [onGrid({ time, periodMs: MARK_MS, signal }, readMarks)] : []),
  ];
  await Promise.all([...polling, rules.read(), readMarks(), startAll(candles)]);
}

/** Starts one series after the other, because the first answers of the venue are the largest. */
async function startAll(candles: readonly CandleRecorder[]): Promise<void> {
  for (const series of candles) await series.start();
}

/** Rows of any kind. */
type AnyRows = Pick<RecordedRows<never>, 'name' | 'added' | 'gaps' | 'failure' | 'flush'>;

function rowsOf({ candles, contracts, rules }: Parts): readonly AnyRows[] {
  return [
    ...candles.map(({ rows }) => rows),
    ...contracts.flatMap(({ marks, funding }) => [marks, funding]),
    ...rules.rows.values(),
  ];
}
