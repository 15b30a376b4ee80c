import { TransportError, UsageError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import { usesColor, type CliContext } from '../cli-context.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { askBot } from './control-client.js';
import { formatStatusJson, type ControlCommand, type ControlRequest } from './control-protocol.js';
import { findSockets } from './find-bot.js';
import { renderStatus } from './render-status.js';

/** Options of the commands that speak to a running bot, as commander parses them. */
export interface ControlFlags {
  readonly mode?: BotStatus['mode'];
  readonly json?: string;
  readonly reason?: string;
}

/** An operator's word to a bot. */
interface Order {
  readonly command: ControlCommand;
  /** YAML file, journal or name. */
  readonly bot: string;
  readonly flags: ControlFlags;
  /** Of triggers, for `clear-triggers`. */
  readonly ids?: readonly string[];
}

/** A bot that runs, and where it listens. */
interface Running {
  readonly path: string;
  readonly status: BotStatus;
}

/** Runs one of the commands `status`, `pause`, `resume`, `halt`, `flatten`, `restart-strategy`, `guard clear`. */
export async function runControl(order: Order, context: CliContext): Promise<void> {
  const { command, flags } = order;
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const running = await findRunning(order, context);
  const status =
    command === 'status'
      ? running.status
      : await ask(running.path, { command, text: flags.reason, ids: order.ids });
  if (status === undefined) throw notRunning(order, [running.path]);
  if (flags.json !== undefined) await writeOutput(flags.json, formatStatusJson(status), context);
  if (flags.json === '-') return;
  context.stdout.write(command === 'status' ? describe(status, context) : confirm(command, status));
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
  if (first === undefined) throw notRunning(order, sockets);
  if (second === undefined) return first;
  throw new UsageError(
    'E_BOT_AMBIGUOUS',
    `several bots ${bot} are running; --mode or its journal says which`,
  );
}

function notRunning({ bot, flags }: Order, sockets: readonly string[]): TransportError {
  const what = flags.mode === undefined ? '' : ` ${flags.mode}`;
  return new TransportError(
    'E_BOT_NOT_RUNNING',
    `no${what} bot ${bot} is running: no answer at ${sockets.join(' or ')}`,
  );
}

/** Undefined: no bot runs there. */
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
  return `${name} (${mode}) has taken ${said}, and is ${state}${why}\n`;
}
