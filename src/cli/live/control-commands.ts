import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import type { ControlFlags } from './run-control.js';
import type { ControlCommand } from './control-protocol.js';

const COMMANDS: Readonly<
  Record<ControlCommand, { readonly summary: string; readonly text: string }>
> = {
  status: {
    summary: 'show what a running bot does',
    text: 'Shows state, equity, positions, orders and streams of a running bot.',
  },
  pause: {
    summary: 'no entries of a bot until resumed',
    text: 'Ends entries of a running bot until it is resumed. Exits, stops and cancels go on.',
  },
  resume: {
    summary: 'end a pause or a halt of a bot',
    text: 'Ends the pause of a running bot, every halt, and what losses count so far.',
  },
  halt: {
    summary: 'end entries of a bot and cancel those at work',
    text: 'The kill switch: ends entries of a running bot until it is resumed, and cancels entry orders at work.',
  },
  flatten: {
    summary: 'leave every position of a bot',
    text: 'Withdraws every order of a running bot and leaves every position. No entries until it is resumed.',
  },
  'restart-strategy': {
    summary: 'let the strategy of a bot that has failed begin anew',
    text: 'Lets the strategy of a running bot begin anew that has failed and was left out: it warms up, and finds its positions and orders.',
  },
};

function oneLine(text: string): string {
  if (/^[^\p{Cc}]{1,200}$/u.test(text)) return text;
  throw new InvalidArgumentError('expected one line of at most 200 characters');
}

/** Adds `status`, `pause`, `resume`, `halt`, `flatten` and `restart-strategy`: an operator's words to a running bot. */
export const registerControl: RegisterCommand = (program, context) => {
  const add = (command: ControlCommand): Command =>
    program
      .command(command)
      .summary(COMMANDS[command].summary)
      .description(COMMANDS[command].text)
      .argument('<bot>', "the bot's YAML file, its journal, or its name")
      .addOption(
        new Option('--mode <mode>', 'which, where it runs both ways').choices(['paper', 'live']),
      )
      .option(
        '--json <file>',
        'write the status as JSON to a file; with -, to stdout instead of text',
      )
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
};
