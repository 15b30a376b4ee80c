import { access, rm } from 'node:fs/promises';
import { journalFile } from '../../assembly/index.js';
import { JournalError } from '../../domain/index.js';
import { copyJournalFile, takeProcessLock } from '../../journal/index.js';
import type { UnloggedSetup } from './load-setups.js';

/**
 * Lets a dry run continue from its bot's journal, in a file of its own: deletes the file of the last dry run, and copies the journal of the bot if
 * there is one.
 *
 * @throws {JournalError} `E_JOURNAL_LOCKED` while another dry run of the bot writes there; as `copyJournalFile`.
 */
export async function copyJournal({
  config,
  journal,
}: Pick<UnloggedSetup, 'config' | 'journal'>): Promise<void> {
  // Without the lock, a dry run that is still running would keep writing to a deleted file.
  const lock = await takeProcessLock(`${journal}-lock`);
  if (lock === undefined)
    throw new JournalError(
      'E_JOURNAL_LOCKED',
      `${journal}: another dry run of this bot writes to this journal; stop it first`,
    );
  try {
    for (const ending of ['', '-wal', '-shm']) await rm(`${journal}${ending}`, { force: true });
    const real = journalFile(config, 'live');
    const isThere = await access(real).then(
      () => true,
      () => false,
    );
    if (isThere) await copyJournalFile(real, journal);
  } finally {
    lock.release();
  }
}
