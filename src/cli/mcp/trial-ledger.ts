import { loadConfig } from '../../config/index.js';
import { TradingError } from '../../domain/index.js';
import { ledgerOf } from '../../research/ledger/index.js';
import type { ToolInput } from './command-words.js';
import type { CommandTool } from './list-tools.js';

/**
 * The ledger for a backtest by an assistant. A backtest starts no ledger by itself, but assistants try the most, so each of their runs counts as a trial. Other
 * searches keep a ledger anyway. Undefined also if the configuration cannot be read: then the command reports the error.
 */
export async function trialLedger(
  tool: CommandTool,
  input: ToolInput,
  root: string,
): Promise<string | undefined> {
  if (tool.name !== 'backtest') return undefined;
  const { config: file = '', set, from, to } = input as BacktestInput;
  try {
    const { config } = await loadConfig({ file, cwd: root, set, from, to });
    return config.simulation && ledgerOf(config.simulation.archive);
  } catch (error: unknown) {
    if (error instanceof TradingError || error instanceof AggregateError) return undefined;
    throw error;
  }
}

/** The input that the schema of the tool describes. */
interface BacktestInput {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}
