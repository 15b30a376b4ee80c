import type { Command } from 'commander';

/** Options of every command that takes a bot, as commander parses them. */
export interface BotFlags {
  readonly json?: string;
  readonly from?: string;
  readonly to?: string;
  readonly set?: readonly string[];
}

/** Adds the bot's file, and options that change single keys of it for one call. */
export function addBotOptions(
  command: Command,
  argument: '<config>' | '<config...>' = '<config>',
  meaning = 'YAML file of the bot',
): Command {
  return command
    .argument(argument, meaning)
    .option(
      '--json <file>',
      'write the result as JSON to a file; with -, to stdout instead of text',
    )
    .option('--from <time>', 'start of the run, UTC, instead of simulation.from')
    .option('--to <time>', 'end of the run, UTC, instead of simulation.to')
    .option('--set <path=value>', 'replace the value of a key, in YAML; repeatable', collect);
}

/** Gathers the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
