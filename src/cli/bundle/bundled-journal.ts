import path from 'node:path';
import { divergenceError, readJournal } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { openRun } from '../replay/open-run.js';
import { replayOpened } from '../replay/replay-opened.js';
import { CONFIG, JOURNAL } from './bundle-layout.js';

/** The result of a replay of a journal: the counts up to the first difference, or of all if there is none. */
interface ReplayedEpochs {
  readonly epochs: number;
  readonly events: number;
  readonly commands: number;
  readonly difference: string | undefined;
}

/** Replays all epochs of the journal in an unpacked bundle, oldest first, with the config and the plugin beside it. Errors as `replay`. */
export async function replayEpochs(folder: string, context: CliContext): Promise<ReplayedEpochs> {
  const reader = await readJournal(path.join(folder, JOURNAL));
  const ids = reader.epochs().map(({ id }) => id);
  reader.close();
  let [events, commands] = [0, 0];
  for (const epoch of ids) {
    const opened = await openRun(JOURNAL, { config: CONFIG, epoch }, { ...context, cwd: folder });
    const outcome = await replayOpened(opened, {}, context).finally(() => {
      opened.reader.close();
    });
    events += outcome.events;
    commands += outcome.commands;
    if (outcome.kind === 'diverged') {
      const { lines } = describeError(divergenceError(outcome.divergence));
      const difference = `epoch ${String(epoch)}: ${lines.join('; ')}`;
      return { epochs: ids.length, events, commands, difference };
    }
  }
  return { epochs: ids.length, events, commands, difference: undefined };
}
