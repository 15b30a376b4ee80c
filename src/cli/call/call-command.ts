import type { RegisterCommand } from '../cli-context.js';
import { addKeyOptions, addVenueOptions } from '../venue/venue-options.js';
import type { CallFlags } from './run-call.js';

const DETAILS = `
Parameters are written key=value, in the words of the interface; lists as JSON (orderIds='["1","2"]'). The answer is printed as JSON,
numbers of more than 15 digits as text so that no program on the way changes them; --raw prints what came, byte for byte. Exit code 1
when the venue refuses the call or does not answer.

A call that places or cancels something at a venue that is not on this machine needs --yes.

Examples:
  evenkeel call --list
  evenkeel call spot.klines symbol=BTCUSDT interval=1min limit=3
  evenkeel call futures.order contractName=E-BTC-USDT side=BUY open=OPEN type=LIMIT price=60000 volume=1 positionType=2 --dry-run
`;

/** Adds `call`: calls any endpoint of the interface, with the client that bots use. */
export const registerCall: RegisterCommand = (program, context) => {
  const command = program
    .command('call')
    .description("Calls one endpoint of the venue's interface and prints its answer.")
    .argument('[endpoint]', 'id of the endpoint, for example spot.klines')
    .argument('[parameters...]', 'its parameters, key=value')
    .option('--list', 'print the table of endpoints instead')
    .option('--raw', 'print the answer untouched')
    .option('--dry-run', 'print the request that would be sent, its secrets masked')
    .option('--yes', 'place or cancel at a venue that is not on this machine')
    .option('--json [file]', 'with --list: the table as JSON to a file, or to stdout with -')
    .addHelpText('after', DETAILS);
  addVenueOptions(command);
  addKeyOptions(command).action(
    async (endpoint: string | undefined, parameters: readonly string[], flags: CallFlags) => {
      if (flags.list === true) {
        const { listEndpoints } = await import('./list-endpoints.js');
        await listEndpoints(flags.json, context);
        return;
      }
      const { runCall } = await import('./run-call.js');
      await runCall(endpoint, parameters, flags, context);
    },
  );
};
