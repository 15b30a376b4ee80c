import { UsageError } from '../../../domain/index.js';
import type { Epoch } from '../../../journal/index.js';
import type { EngineInputs } from '../bot-inputs.js';

/**
 * Refuses the journal of a bot with another name: its positions and orders would become those of this bot, without a word. A renamed live bot says so in
 * its file (`live.continues`). On paper the account belongs to the name.
 *
 * @throws {UsageError} `E_JOURNAL_BOT`.
 */
export function requireOwnJournal(
  { header: { bot } }: Pick<Epoch, 'header'>,
  { config: { name, live }, mode, journal }: Pick<EngineInputs, 'config' | 'mode' | 'journal'>,
): void {
  if (bot === name || (mode === 'live' && bot === live.continues)) return;
  const onPurpose =
    mode === 'live'
      ? `, or take over its positions, orders and history on purpose with live.continues: "${bot}"`
      : '';
  throw new UsageError(
    'E_JOURNAL_BOT',
    `${journal}: this is the journal of the bot "${bot}", and this bot is "${name}"; nothing was changed. Give this bot a journal of its own (live.journal)${onPurpose}`,
  );
}
