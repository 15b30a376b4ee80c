import type { TrialRecord } from '../ledger/trial-record.js';
import { ReturnsReader } from '../ledger/returns-file.js';
import { runCombinations, type CombinationsOptions } from '../sweep.js';
import type { DailyReturns } from '../trials/daily-returns-of.js';
import type { TrialOutcome } from '../trials/trial-schema.js';

/** Trials with their daily returns. */
export interface WholeTrials {
  /** One per combination. */
  readonly outcomes: readonly TrialOutcome[];
  /** By id. A trial that failed, or whose equity was not above 0, has none. */
  readonly returns: ReadonlyMap<string, DailyReturns>;
}

interface RunWholeTrialsOptions extends CombinationsOptions {
  /** File of the ledger. The file beside it has the daily returns of known trials. */
  readonly file: string;
}

/**
 * Runs the combinations of a plan as a sweep, and returns their daily returns too. Those of known trials are read from the file beside the ledger. If the
 * line of a known trial lacks a value, as in earlier versions, the trial runs again.
 *
 * @throws {DataError} as {@link runCombinations}; `E_DATA_READ` when the daily returns of the ledger cannot be read.
 */
export async function runWholeTrials(options: RunWholeTrialsOptions): Promise<WholeTrials> {
  const { plan, known, ledger, file } = options;
  const returns = new Map<string, DailyReturns>();
  const whole = new Map<string, TrialRecord>();
  for (const id of plan.ids) {
    const record = known.get(id);
    if (record !== undefined && isWhole(record)) whole.set(id, record);
  }
  const outcomes = await runCombinations({
    ...options,
    known: { get: (id) => whole.get(id) },
    ledger: {
      append: (record, daily) => {
        if (daily !== undefined) returns.set(record.id, daily);
        ledger.append(record, daily);
      },
      flush: () => ledger.flush(),
    },
  });
  await readReturns(file, [...whole.values()], returns);
  return { outcomes, returns };
}

/** Whether a trial can be compared day by day without another run. */
function isWhole({ outcome, moments, returns }: TrialRecord): boolean {
  if (outcome.status === 'failed') return true;
  return outcome.longestHold !== undefined && (moments === undefined || returns !== undefined);
}

async function readReturns(
  file: string,
  records: readonly TrialRecord[],
  found: Map<string, DailyReturns>,
): Promise<void> {
  const kept = records.filter(({ returns }) => returns !== undefined);
  if (kept.length === 0) return;
  const reader = await ReturnsReader.open(file);
  try {
    for (const { id, returns: place = 0 } of kept) {
      const daily = await reader.read(id, place);
      if (daily !== undefined) found.set(id, daily);
    }
  } finally {
    await reader.close();
  }
}
