import { access, rm } from 'node:fs/promises';
import { journalFile } from '../../assembly/index.js';
import { copyJournalFile } from '../../journal/index.js';
import type { UnloggedSetup } from './load-setups.js';

/**
 * Has a dry run go on from what its bot knows, in a file of its own: what the last dry run left there goes, and the journal of the bot is copied,
 * where there is one.
 *
 * @throws {JournalError} as `copyJournalFile`.
 */
export async function copyJournal({
  config,
  journal,
}: Pick<UnloggedSetup, 'config' | 'journal'>): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(`${journal}${ending}`, { force: true });
  const real = journalFile(config, 'live');
  const isThere = await access(real).then(
    () => true,
    () => false,
  );
  if (isThere) await copyJournalFile(real, journal);
}
