import { Option } from 'commander';
import { UsageError } from '../../domain/index.js';
import type { RegisterCommand } from '../cli-context.js';
import { addKeyOptions, addVenueOptions } from '../venue/venue-options.js';
import type { CallFlags } from './run-call.js';

const DETAILS = `
Write parameters as key=value, with the names of the interface, and lists as JSON
(orderIds='["1","2"]'). The answer is printed as JSON. Numbers of more than 15 digits are
printed as text, so that no other program rounds them. --raw prints the answer byte for
byte. Exit code 1 if the venue refuses the call or does not answer.

A call that places or cancels orders at a venue on another machine needs --yes.

Examples:
  evenkeel call --list
  evenkeel call spot.klines symbol=BTCUSDT interval=1min limit=3
  evenkeel call futures.order contractName=E-BTC-USDT side=BUY open=OPEN type=LIMIT \\
    price=60000 volume=1 positionType=2 --dry-run
`;

/** Adds `call`: calls any endpoint of the interface, with the client that bots use. */
export const registerCall: RegisterCommand = (program, context) => {
  const command = program
    .command('call')
    .description("Calls one endpoint of the venue's interface and prints its answer.")
    .argument('[endpoint]', 'id of the endpoint, for example spot.klines')
    .argument('[parameters...]', 'parameters of the endpoint, key=value')
    .option('--list', 'print the table of endpoints instead')
    .option('--raw', 'print the answer byte for byte')
    .option('--dry-run', 'print the request without sending it, secrets masked')
    .option('--yes', 'allow calls that place or cancel orders at a venue on another machine')
    .addOption(
      new Option(
        '--json [file]',
        'with --list: the table as JSON to a file, or to stdout with -',
      ).preset('-'),
    )
    .addHelpText('after', DETAILS);
  addVenueOptions(command);
  addKeyOptions(command).action(
    async (endpoint: string | undefined, parameters: readonly string[], flags: CallFlags) => {
      if (flags.list === true) {
        const { listEndpoints } = await import('./list-endpoints.js');
        await listEndpoints(flags.json, context);
        return;
      }
      if (flags.json !== undefined)
        throw new UsageError('E_USAGE', '--json needs --list; an answer is printed as JSON anyway');
      const { runCall } = await import('./run-call.js');
      await runCall(endpoint, parameters, flags, context);
    },
  );
};
