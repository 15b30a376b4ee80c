import { access, rm } from 'node:fs/promises';
import { journalFile } from '../../assembly/index.js';
import { JournalError } from '../../domain/index.js';
import { copyJournalFile, takeProcessLock } from '../../journal/index.js';
import type { UnloggedSetup } from './load-setups.js';

/**
 * Has a dry run go on from what its bot knows, in a file of its own: what the last dry run left there goes, and the journal of the bot is copied,
 * where there is one.
 *
 * @throws {JournalError} `E_JOURNAL_LOCKED` while another dry run of the bot writes there; as `copyJournalFile`.
 */
export async function copyJournal({
  config,
  journal,
}: Pick<UnloggedSetup, 'config' | 'journal'>): Promise<void> {
  // One that runs would write on into a file that has no name any more.
  const lock = await takeProcessLock(`${journal}-lock`);
  if (lock === undefined)
    throw new JournalError(
      'E_JOURNAL_LOCKED',
      `${journal}: another dry run of this bot writes to this journal; stop that one first`,
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
