import path from 'node:path';
import { nounOf } from '../../domain/index.js';
import { KnownTrials, TrialLedger, type SweepPlan } from '../../research/index.js';
import type { CliContext } from '../cli-context.js';
import { relativeTo } from '../relative-to.js';
import { checkOutput } from '../write-output.js';

interface LedgerUse {
  /** The ledger's file, as the user wrote it. */
  readonly ledger: string;
  readonly inputs: SweepPlan['inputs'];
  /** Ids of the trials that may be needed. @defaultValue all with these inputs */
  readonly ids?: readonly string[] | undefined;
  /** Ids of the trials that will run unless they are known, for the message. @defaultValue all */
  readonly counted?: readonly string[] | undefined;
  readonly context: CliContext;
}

/**
 * Opens the ledger of trials, reports how many of the needed trials it has, and closes it however `use` ends.
 *
 * @throws {DataError} as {@link TrialLedger.open}; errors of `use`.
 */
export async function withTrialLedger<T>(
  { ledger: name, inputs, ids, counted = ids, context }: LedgerUse,
  use: (ledger: TrialLedger, known: KnownTrials) => Promise<T>,
): Promise<T> {
  const shown = relativeTo(context, name);
  const known = new KnownTrials(shown, inputs, ids && new Set(ids));
  await checkOutput(shown, context);
  const file = path.resolve(context.cwd, name);
  const ledger = await TrialLedger.open({ file, onLine: known.look });
  try {
    sayWhatIsKnown(known, { shown, torn: ledger.torn, counted }, context);
    return await use(ledger, known);
  } finally {
    await ledger.close();
    if (context.signal.aborted)
      context.stderr.write(
        `${shown} keeps the finished combinations: the same command continues from there\n`,
      );
  }
}

interface OpenedLedger {
  readonly shown: string;
  readonly torn: number;
  readonly counted: readonly string[] | undefined;
}

function sayWhatIsKnown(
  known: KnownTrials,
  { shown, torn, counted }: OpenedLedger,
  { stderr }: CliContext,
): void {
  const { others } = known;
  const count = counted === undefined ? known.count : counted.filter((id) => known.has(id)).length;
  if (torn > 0)
    stderr.write(
      `${shown}: the last ${String(torn)} ${nounOf(torn, 'byte was', 'bytes were')} incomplete after a crash, and ${nounOf(torn, 'was', 'were')} removed\n`,
    );
  if (count > 0)
    stderr.write(
      counted === undefined
        ? `${shown} knows ${String(count)} ${nounOf(count, 'trial')} of these inputs: ${nounOf(count, 'this combination is', 'these combinations are')} not run again\n`
        : `${shown} knows ${String(count)} of ${String(counted.length)} ${nounOf(counted.length, 'combination')}: ${nounOf(count, 'it is', 'they are')} not run again\n`,
    );
  else if (others.count > 0)
    stderr.write(
      `${shown} has ${String(others.count)} ${nounOf(others.count, 'trial')} of this strategy with another ${others.differences.join(', ')}: all combinations run again\n`,
    );
}
