import { setTimeout } from 'node:timers/promises';
import { TransportError, UsageError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import { usesColor, type CliContext } from '../cli-context.js';
import { checkOutput, writeOutput } from '../write-output.js';
import {
  askBot,
  formatStatusJson,
  type ControlCommand,
  type ControlRequest,
} from '../../bots/control/index.js';
import { findJournals, findSockets } from './find-bot.js';
import { renderStatus } from './render-status.js';

/** Time between two looks at the progress of a reload. */
const RELOAD_LOOK_MS = 200;

/** Options of the commands that speak to a running bot, as commander parses them. */
export interface ControlFlags {
  readonly mode?: BotStatus['mode'];
  readonly json?: string;
  readonly reason?: string;
}

/** A command of an operator to a bot. */
interface Order {
  readonly command: ControlCommand;
  /** YAML file, journal or name. */
  readonly bot: string;
  readonly flags: ControlFlags;
  /** Ids of triggers, for `clear-triggers`. */
  readonly ids?: readonly string[];
}

/** A running bot, and the path of its control socket. */
interface Running {
  readonly path: string;
  readonly status: BotStatus;
}

/** Runs one of the commands `status`, `pause`, `resume`, `halt`, `flatten`, `restart-strategy`, `reload`, `guard clear`. */
export async function runControl(order: Order, context: CliContext): Promise<void> {
  const { command, flags } = order;
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const running = await findRunning(order, context);
  const said =
    command === 'status'
      ? running.status
      : await ask(running.path, { command, text: flags.reason, ids: order.ids });
  const status = command === 'reload' ? await untilReloaded(running.path, context) : said;
  if (status === undefined) throw await notRunning(order, [running.path], context);
  if (flags.json !== undefined) await writeOutput(flags.json, formatStatusJson(status), context);
  if (flags.json === '-') return;
  if (command === 'reload') confirmReload(status, context);
  else
    context.stdout.write(
      command === 'status' ? describe(status, context) : confirm(command, status),
    );
}

/** Waits for the result of a reload; undefined if the bot has ended. */
async function untilReloaded(path: string, { signal }: CliContext): Promise<BotStatus | undefined> {
  for (;;) {
    const status = await ask(path, { command: 'status' });
    const state = status?.reload?.state;
    if (state !== 'checking' && state !== 'replacing') return status;
    await setTimeout(RELOAD_LOOK_MS, undefined, { signal });
  }
}

function confirmReload({ name, mode, reload }: BotStatus, context: CliContext): void {
  const text = reload?.text ?? 'it was not reloaded';
  if (reload?.state === 'done') context.stdout.write(`${name} (${mode}) ${text}\n`);
  else {
    context.stderr.write(`${name} (${mode}) was not reloaded and continues unchanged: ${text}\n`);
    context.setExitCode(3);
  }
}

async function findRunning(order: Order, context: CliContext): Promise<Running> {
  const { bot, flags } = order;
  const sockets = await findSockets(bot, context);
  const asked = await Promise.all(
    sockets.map(async (path) => ({ path, status: await ask(path, { command: 'status' }) })),
  );
  const found = asked.flatMap(({ path, status }): readonly Running[] => {
    const isMeant = flags.mode === undefined || flags.mode === status?.mode;
    return status !== undefined && isMeant ? [{ path, status }] : [];
  });
  const [first, second] = found;
  if (first === undefined) throw await notRunning(order, sockets, context);
  if (second === undefined) return first;
  throw new UsageError(
    'E_BOT_AMBIGUOUS',
    `several bots ${bot} are running; select one with --mode or its journal`,
  );
}

/** Makes the error for a bot that does not run. For a live bot it also says what the bot has left at the venue, because nothing else would say it. */
async function notRunning(
  { bot, flags }: Order,
  sockets: readonly string[],
  context: CliContext,
): Promise<TransportError> {
  const what = flags.mode === undefined ? '' : ` ${flags.mode}`;
  const { describeUnwatched } = await import('./describe-unwatched.js');
  const left =
    flags.mode === 'paper'
      ? []
      : await describeUnwatched(await findJournals(bot, context.cwd), context);
  return new TransportError(
    'E_BOT_NOT_RUNNING',
    [`no${what} bot ${bot} is running: no answer at ${sockets.join(' or ')}`, ...left].join('; '),
  );
}

/** Sends a request; undefined if no bot answers. */
async function ask(path: string, request: ControlRequest): Promise<BotStatus | undefined> {
  const answer = await askBot(request, { path });
  if (answer === undefined) return undefined;
  if (answer.ok) return answer.status;
  throw new TransportError(answer.code, `${path}: ${answer.message}`);
}

function describe(status: BotStatus, context: CliContext): string {
  return `${renderStatus(status, { color: usesColor(context) }).join('\n')}\n`;
}

function confirm(command: ControlCommand, { name, mode, state, reasons }: BotStatus): string {
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  const said = command === 'clear-triggers' ? 'guard clear' : command;
  return `${name} (${mode}) received ${said} and is ${state}${why}\n`;
}
