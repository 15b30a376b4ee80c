import { setImmediate as nextTurn } from 'node:timers/promises';
import { lastEnding } from '../../assembly/index.js';
import { requireSession } from '../../bots/index.js';
import { loadConfig } from '../../config/index.js';
import { TradingError } from '../../domain/index.js';
import { readJournal, type EpochHeader } from '../../journal/index.js';
import { describeLeftBehind, leftByEnding } from '../../live/index.js';
import type { CliContext } from '../cli-context.js';

/**
 * Describes, from the journals of bots that do not run, what they hold at the venue without any process watching it: one sentence per bot. Paper
 * bots hold nothing.
 */
export async function describeUnwatched(
  journals: readonly string[],
  context: Pick<CliContext, 'cwd'>,
): Promise<readonly string[]> {
  const found = await Promise.all(journals.map((journal) => describeOne(journal, context)));
  return found.filter((text) => text !== undefined);
}

async function describeOne(
  journal: string,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<string | undefined> {
  try {
    const header = await headerOf(journal);
    if (header?.mode !== 'live') return undefined;
    const { configFile: file, set } = header.source;
    const config = requireSession(await loadConfig({ file, cwd, set }), 'live');
    const ending = await lastEnding({ config, journal, breathe: () => nextTurn() });
    const left = ending === undefined ? [] : describeLeftBehind(leftByEnding(ending));
    return left.length === 0
      ? 'according to its journal it has nothing at the venue'
      : `according to its journal it has ${left.join(', ')}; no process watches this now`;
  } catch (error: unknown) {
    if (error instanceof TradingError && error.code === 'E_JOURNAL_MISSING') return undefined;
    if (error instanceof TradingError || error instanceof AggregateError)
      return `its orders and positions at the venue are unknown: ${error.message}`;
    throw error;
  }
}

async function headerOf(journal: string): Promise<EpochHeader | undefined> {
  const reader = await readJournal(journal);
  try {
    return reader.epochs().at(-1)?.header;
  } finally {
    reader.close();
  }
}
