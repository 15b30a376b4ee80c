import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { verifyJournal } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { formatNoun } from '../data/format.js';

const ADVICE =
  'events before the damage are intact; see "A damaged journal" in docs/journal.md for how the bot continues';

/** Runs `journal verify`. @throws {JournalError} as `verifyJournal`. */
export async function runVerify(file: string, context: CliContext): Promise<void> {
  const { signal, cwd, stdout, stderr } = context;
  const verdict = await verifyJournal(path.resolve(cwd, file), {
    breathe: () => setImmediate(),
    signal,
  });
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
