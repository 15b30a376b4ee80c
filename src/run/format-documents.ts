import { checkOptions, type OptionChecks } from '../config/index.js';
import { writeResult, type Result } from '../report/index.js';
import { writeDocument, type Sweep } from '../research/index.js';

/** Whether a value has the members by which a document is known. Its other members are not looked at: a result may have millions of fills. */
const has =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => name in value);

const RESULT: OptionChecks<{ readonly result: unknown }> = {
  result: {
    expected: 'a result of runBacktest',
    accepts: has('run', 'orders', 'equity'),
    isRequired: true,
  },
};

const SWEEP: OptionChecks<{ readonly sweep: unknown }> = {
  sweep: { expected: 'a sweep of runSweep', accepts: has('sweep', 'trials'), isRequired: true },
};

/**
 * Writes a result as JSON text, byte for byte as `evenkeel backtest --json` does.
 *
 * @throws {UsageError} `E_USAGE` for something else than a result.
 */
export function formatResult(result: Result): string {
  checkOptions({ result }, RESULT, 'formatResult');
  return writeResult(result);
}

/**
 * Writes the document of a sweep as JSON text, byte for byte as `evenkeel sweep --json` does.
 *
 * @throws {UsageError} `E_USAGE` for something else than a sweep.
 */
export function formatSweep(sweep: Sweep): string {
  checkOptions({ sweep }, SWEEP, 'formatSweep');
  return writeDocument(sweep);
}
