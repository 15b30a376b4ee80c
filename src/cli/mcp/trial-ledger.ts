import { loadConfig } from '../../config/index.js';
import { TradingError } from '../../domain/index.js';
import { ledgerOf } from '../../research/ledger/index.js';
import type { ToolInput } from './command-words.js';
import type { CommandTool } from './list-tools.js';

/**
 * The ledger that a call has to name. A backtest starts none by itself, but each run of an assistant is a trial: nobody tries more. Searches keep theirs anyway.
 * Undefined also where the configuration cannot be read: the command says what is wrong with it.
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

/** As the schema of the tool has it. */
interface BacktestInput {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}
