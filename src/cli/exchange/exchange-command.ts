import { Option } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import { wholeNumber } from '../whole-number.js';
import type { ExchangeFlags } from './run-exchange.js';

/** Adds `exchange`: serves the local exchange until it is interrupted. */
export const registerExchange: RegisterCommand = (program, context) => {
  program
    .command('exchange')
    .description(
      'Serves an exchange that speaks the whole interface, from stored candles, on this machine. Without a config: on the candles that ship with evenkeel, with one account whose key is printed.',
    )
    .argument('[config]', 'YAML file of the exchange')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 takes a free one').argParser(
        wholeNumber(0, 65_535),
      ),
    )
    .addOption(
      new Option('--profile <form>', 'form of the answers').choices(['interface', 'family']),
    )
    .addOption(
      new Option('--clock <mode>', 'how market time goes').choices([
        'realtime',
        'accelerated',
        'lockstep',
      ]),
    )
    .addOption(
      new Option('--speed <factor>', 'market time per time, with --clock accelerated').argParser(
        wholeNumber(1, 100_000),
      ),
    )
    .addOption(
      new Option(
        '--synthetic <seed>',
        'make candles without end instead of reading stored ones',
      ).argParser(wholeNumber(0, 999_999_999)),
    )
    .option('--state <file>', 'SQLite file that keeps everything over restarts')
    .option('--json', 'print where the exchange is, and its keys, as one line of JSON')
    .action(async (file: string | undefined, flags: ExchangeFlags) => {
      const { runExchangeCommand } = await import('./run-exchange.js');
      await runExchangeCommand(file, flags, context);
    });
};
