import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import type { ControlFlags } from './run-control.js';
import type { ControlCommand } from '../../bots/control/index.js';

/** Commands that are a single word on the command line. */
type OneWord = Exclude<ControlCommand, 'clear-triggers'>;

const DESCRIPTIONS: Readonly<Record<OneWord, string>> = {
  status: 'Shows state, equity, positions, orders and streams of a running bot.',
  pause: 'Ends entries of a running bot until it is resumed. Exits, stops and cancels go on.',
  resume: 'Ends the pause of a running bot, every halt, and what losses count so far.',
  halt: 'The kill switch: ends entries of a running bot until it is resumed, and cancels entry orders at work.',
  flatten:
    'Withdraws every order of a running bot and leaves every position. No entries until it is resumed.',
  'restart-strategy':
    'Lets the strategy of a running bot begin anew that has failed and was left out: it warms up, and finds its positions and orders.',
  reload:
    'Replaces the strategy of a running live bot by what its file and its plugin say now: both are checked, the new strategy is warmed up beside, and the bot goes on with it and with all that it owns. Where that cannot be it goes on as it was, and says why.',
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
        new Option('--mode <mode>', 'which, where it runs both ways').choices(['paper', 'live']),
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
    new Option('--reason <text>', 'why, for the log and the journal').argParser(oneLine),
  );
  add('flatten');
  add('restart-strategy');
  add('reload');
  const guard = program
    .command('guard')
    .description('Stops that a running bot has handed to its venue.');
  addTo(guard, 'clear')
    .summary('record that triggers were removed by hand')
    .description(
      'Records that the owner has removed triggers at the venue by hand: those with these ids, or all that have outlived their positions. Nothing is looked up at the venue.',
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
