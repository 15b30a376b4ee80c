import { join } from 'node:path';
import { openJournal, readJournal } from '../../../src/journal/index.js';
import { botFolder } from './bot-folder.js';
import { runCommand } from './command-runner.js';

/**
 * Makes a folder with a journal of two epochs, `run.db`: until the 20th of January, and from then on. Epochs whose numbers are in `others` get the
 * hash of another plugin.
 */
export async function twoEpochs(plugin?: string, others: readonly number[] = []): Promise<string> {
  const folder = await botFolder(plugin === undefined ? {} : { plugin });
  const spans = [
    ['--to', '2025-01-20'],
    ['--from', '2025-01-20'],
  ];
  const journal = await openJournal({ file: join(folder, 'run.db') });
  for (const [index, span] of spans.entries()) {
    const file = `${String(index)}.db`;
    await runCommand(folder, ['backtest', 'bot.yaml', '--journal', file, ...span]);
    const reader = await readJournal(join(folder, file));
    const [epoch] = reader.epochs();
    if (epoch === undefined) throw new Error('expected an epoch');
    const { header } = epoch;
    const { hashes } = header;
    const isOther = others.includes(index + 1);
    journal.beginEpoch(
      isOther ? { ...header, hashes: { ...hashes, plugin: 'a'.repeat(64) } } : header,
    );
    for (const { event, commands, intents } of reader.entries(epoch))
      journal.append(event, commands, intents);
    reader.close();
  }
  journal.close();
  return folder;
}
