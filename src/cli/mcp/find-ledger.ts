import { loadConfig } from '../../config/index.js';
import { TradingError } from '../../domain/index.js';
import { ledgerOf } from '../../research/ledger/index.js';
import type { ToolInput } from './command-words.js';

/**
 * The ledger beside the archive of the configuration that a call names. A backtest by an assistant keeps its run there, too: by itself a backtest
 * starts no ledger, but assistants try the most, so each of their runs counts as a trial. Undefined also if the configuration cannot be read: then the
 * command reports the error.
 */
export async function findLedger(input: ToolInput, root: string): Promise<string | undefined> {
  const { config: file, set, from, to } = input as ConfigInput;
  if (typeof file !== 'string') return undefined;
  try {
    const { config } = await loadConfig({ file, cwd: root, set, from, to });
    return config.simulation && ledgerOf(config.simulation.archive);
  } catch (error: unknown) {
    if (error instanceof TradingError || error instanceof AggregateError) return undefined;
    throw error;
  }
}

/** The input that the schemas of the tools with a configuration describe; `check` takes several. */
interface ConfigInput {
  readonly config?: string | readonly string[];
  readonly set?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}
