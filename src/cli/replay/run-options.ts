import { Option, type Command } from 'commander';
import { wholeNumber } from '../whole-number.js';

/** Options of commands that read a journal, as commander parses them. */
export interface RunFlags {
  readonly config?: string;
  readonly epoch?: number;
  readonly json?: string;
}

/** Adds the journal's file, and the options for its bot and epoch. `usual`: the epoch without the option. */
export function addRunOptions(command: Command, usual = 'the newest'): Command {
  return command
    .argument('<run>', 'journal of the run')
    .option('--config <file>', 'YAML file of the bot whose code is run')
    .addOption(
      new Option('--epoch <number>', `epoch of the journal, instead of ${usual}`).argParser(
        wholeNumber(0, 999_999_999),
      ),
    )
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    );
}
