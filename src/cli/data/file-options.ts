import { Option, type Command } from 'commander';

/** Options of the commands that read a file of candles. */
export interface FileFlags {
  readonly columns?: readonly string[];
  readonly utc?: true;
}

/** Adds the options that describe how to read a file of candles. */
export function addFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--columns <names>',
        'names of the columns in order, such as time,open,close,high,low,volume, if the file has no header or unusual names; - skips a column',
      ).argParser((text) => text.split(',').map((name) => name.trim())),
    )
    .option('--utc', 'read times without a zone as UTC');
}
