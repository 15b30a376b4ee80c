import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import {
  openJournal,
  readJournal,
  type EpochHeader,
  type JournalOptions,
  type SqliteJournal,
} from '../../../src/journal/index.js';
import { startingCheckpoint, type JournalEntry } from '../../../src/engine/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { START } from '../engine/engine.js';

/** A path for a journal in a folder that is removed when the test ends. */
export async function journalFile(): Promise<string> {
  return join(await temporaryFolder(), 'bot.journal');
}

/** A journal that is closed when the test ends. */
export async function aJournal(
  file: string,
  options: Partial<JournalOptions> = {},
): Promise<SqliteJournal> {
  const journal = await openJournal({ file, ...options });
  onTestFinished(() => {
    journal.close();
  });
  return journal;
}

export function aHeader(overrides: Partial<EpochHeader> = {}): EpochHeader {
  return {
    bot: 'test',
    mode: 'backtest',
    hashes: { plugin: 'a', parameters: 'b', config: 'c', terms: '', engine: '0.1.0' },
    seed: 1,
    constructed: START,
    started: START,
    source: { configFile: '/bots/bot.yaml', set: ['risk.dust=leave'], from: '2025-01-01' },
    checkpoint: startingCheckpoint({
      spot: new Map([['USDT', parseFixed('10000.000000000000000001')]]),
    }),
    ...overrides,
  };
}

/** Stored entries of an epoch, by default the newest, as another process reads them from the disk. */
export async function storedEntries(
  file: string,
  epochId?: number,
): Promise<readonly JournalEntry[]> {
  const reader = await readJournal(file);
  try {
    const epochs = reader.epochs();
    const epoch = epochId === undefined ? epochs.at(-1) : epochs.find(({ id }) => id === epochId);
    if (epoch === undefined) throw new Error(`no epoch ${String(epochId)}`);
    return [...reader.entries(epoch)].map(({ event, commands }) => ({ event, commands }));
  } finally {
    reader.close();
  }
}
