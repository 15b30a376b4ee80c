import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import type { ControlFlags } from './run-control.js';
import type { ControlCommand } from '../../bots/control/index.js';

/** Commands that are a single word on the command line. */
type OneWord = Exclude<ControlCommand, 'clear-triggers'>;

const DESCRIPTIONS: Readonly<Record<OneWord, string>> = {
  status: 'Shows state, equity, positions, orders and streams of a running bot.',
  pause: 'Stops entries of a running bot until it is resumed. Exits, stops and cancels continue.',
  resume: 'Ends the pause and every halt of a running bot, and resets the counted losses.',
  halt: 'The kill switch: stops entries of a running bot until it is resumed, and cancels its working entry orders.',
  flatten:
    'Cancels every order of a running bot and closes every position. No entries until it is resumed.',
  'restart-strategy':
    'Restarts the failed strategy of a running bot. It warms up and keeps its positions and orders.',
  reload:
    'Replaces the strategy of a running live bot with the current version of its file and plugin. Checks both, warms up the new strategy, then switches. Orders, positions and state stay. If this fails, the bot continues unchanged and shows the reason.',
};

function oneLine(text: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(text)) return text;
  throw new InvalidArgumentError('expected one line of at most 200 characters');
}

/** Parses the id of a trigger, the bot's or the venue's. */
function triggerId(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[!-~]{1,64}$/.test(text) && before.length < 40) return [...before, text];
  throw new InvalidArgumentError('expected at most 40 ids of at most 64 characters');
}

/**
 * Adds `status`, `pause`, `resume`, `halt`, `flatten`, `restart-strategy`, `reload` and `guard clear`: commands of an operator to a running bot.
 */
export const registerControl: RegisterCommand = (program, context) => {
  const addTo = (parent: Command, name: string): Command =>
    parent
      .command(name)
      .argument('<bot>', "the bot's YAML file, its journal, or its name")
      .addOption(
        new Option('--mode <mode>', 'mode of the bot, if it runs in both').choices([
          'paper',
          'live',
        ]),
      )
      .option(
        '--json <file>',
        'write the status as JSON to a file; with -, to stdout instead of text',
      );
  const add = (command: OneWord): Command =>
    addTo(program, command)
      .description(DESCRIPTIONS[command])
      .action(async (bot: string, flags: ControlFlags) => {
        const { runControl } = await import('./run-control.js');
        await runControl({ command, bot, flags }, context);
      });
  add('status');
  add('pause');
  add('resume');
  add('halt').addOption(
    new Option('--reason <text>', 'reason, for the log and the journal').argParser(oneLine),
  );
  add('flatten');
  add('restart-strategy');
  add('reload');
  const guard = program
    .command('guard')
    .description('Updates the record of triggers (stops at the venue) of a running bot.');
  addTo(guard, 'clear')
    .summary('record that triggers were removed by hand')
    .description(
      'Records that you removed triggers at the venue by hand: those with these ids, or all whose positions are closed. Asks the venue nothing.',
    )
    .argument(
      '[id...]',
      "ids of triggers as `status` shows them, the bot's or the venue's",
      triggerId,
    )
    .action(async (bot: string, ids: readonly string[] | undefined, flags: ControlFlags) => {
      const { runControl } = await import('./run-control.js');
      await runControl({ command: 'clear-triggers', bot, flags, ids: ids ?? [] }, context);
    });
};
