import { Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { wholeNumber } from '../whole-number.js';
import type { ExchangeFlags } from './run-exchange.js';

/** Adds `exchange`: serves the local exchange until it is interrupted. */
export const registerExchange: RegisterCommand = (program, context) => {
  program
    .command('exchange')
    .description(
      'Serves a local exchange with the whole interface, from stored candles. Without a config it uses the candles that ship with evenkeel and one account, and prints its key.',
    )
    .argument('[config]', 'YAML file of the exchange')
    .addOption(
      new Option(
        '--port <number>',
        'port to listen on, instead of listen.port (8480); 0 takes a free one',
      ).argParser(wholeNumber(0, 65_535)),
    )
    .addOption(
      new Option('--profile <form>', 'form of the answers, instead of profile (interface)').choices(
        ['interface', 'family'],
      ),
    )
    .addOption(
      new Option('--clock <mode>', 'clock of the market, instead of clock.mode (realtime)').choices(
        ['realtime', 'accelerated', 'lockstep'],
      ),
    )
    .addOption(
      new Option(
        '--speed <factor>',
        'market seconds per real second, instead of clock.speed (60), with --clock accelerated',
      ).argParser(wholeNumber(1, 100_000)),
    )
    .addOption(
      new Option(
        '--synthetic <seed>',
        'make endless candles from this seed instead of reading stored ones',
      ).argParser(wholeNumber(0, 999_999_999)),
    )
    .option('--state <file>', 'SQLite file that keeps the state over restarts')
    .option('--json', 'print the address and the keys as one line of JSON')
    .action(async (file: string | undefined, flags: ExchangeFlags) => {
      const { runExchangeCommand } = await import('./run-exchange.js');
      await runExchangeCommand(file, flags, context);
    });
};
