import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { TradingError } from '../../domain/index.js';
import { verifyJournal } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { formatNoun } from '../data/format.js';

const SEE = 'see "A damaged journal" in docs/journal.md for how the bot continues';
const ADVICE = `events before the damage are intact; ${SEE}`;

/** Runs `journal verify`. @throws {JournalError} as `verifyJournal`, except of a file whose damage hides its epochs: that is a finding. */
export async function runVerify(file: string, context: CliContext): Promise<void> {
  const { signal, cwd, stdout, stderr } = context;
  const verdict = await verifyJournal(path.resolve(cwd, file), {
    breathe: () => setImmediate(),
    signal,
  }).catch(unreadable);
  if (verdict instanceof TradingError) {
    stderr.write(`${verdict.message} (${verdict.code})\n${file}: ${SEE}\n`);
    context.setExitCode(3);
    return;
  }
  const { epochs, events, damage } = verdict;
  if (damage.length === 0) {
    stdout.write(
      `${file}: ${formatNoun(events, 'event')} in ${formatNoun(epochs, 'epoch')}: all checksums match\n`,
    );
    return;
  }
  for (const text of damage) stderr.write(`${file}: ${text}\n`);
  stderr.write(`${file}: ${ADVICE}\n`);
  context.setExitCode(3);
}

function unreadable(error: unknown): TradingError {
  if (error instanceof TradingError && error.code === 'E_JOURNAL_CORRUPT') return error;
  throw error;
}
