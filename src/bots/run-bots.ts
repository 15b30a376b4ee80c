import { TradingError } from '../domain/index.js';
import type { EngineCheckpoint } from '../engine/index.js';
import {
  describeLeftBehind,
  leftByEnding,
  type BotControl,
  type BotEnd,
  type BotStatus,
  type StopPolicy,
} from '../live/index.js';
import { controlPath, preparePlace, type SocketPlace } from './control/control-path.js';
import { serveControl, type ControlServer } from './control/control-server.js';
import { isAnswered } from './control/control-socket.js';
import { takeBack } from './control/take-back.js';

/** A running bot, and its owner's settings. */
export interface BotWithSettings {
  readonly control: BotControl;
  readonly onStop: StopPolicy;
  readonly journal: string;
  /** Reads what it owned last from its journal; undefined if that has nothing. @defaultValue it is not read */
  readonly ending?: (() => Promise<EngineCheckpoint | undefined>) | undefined;
}

interface RunBotsOptions {
  readonly bots: readonly BotWithSettings[];
  /** Aborted when the operator wants all bots to end. */
  readonly stop: AbortSignal;
  readonly place: SocketPlace;
  /** Takes lines for the operator. */
  readonly say: (line: string) => void;
  /** Describes a failure for the operator, in lines. */
  readonly describeFailure: (error: TradingError) => readonly string[];
  /** Whether to tell the operator what a bot leaves at the venue when it ends. @defaultValue false */
  readonly leavesHoldings?: boolean;
}

/**
 * Runs bots until each has ended, by itself or because the operator ended the process. In the second case each stops by its own policy. A failed bot
 * does not stop the others.
 *
 * @returns the failures; empty if all bots ended normally.
 */
export async function runBots(options: RunBotsOptions): Promise<readonly TradingError[]> {
  const { bots, stop, say } = options;
  const stopAll = (): void => {
    for (const { control, onStop } of bots) {
      if (control.status().state === 'stopped') continue;
      say(`${control.name} is stopping (${onStop})`);
      void control.stop(onStop);
    }
  };
  if (stop.aborted) stopAll();
  else stop.addEventListener('abort', stopAll, { once: true });
  const ends = await Promise.all(bots.map((bot) => accompany(bot, options)));
  stop.removeEventListener('abort', stopAll);
  return ends.flatMap((end) => (end.kind === 'failed' ? [end.error] : []));
}

/** Serves a bot's control until the bot has ended. A bot that could not be halted is stopped. */
async function accompany(bot: BotWithSettings, options: RunBotsOptions): Promise<BotEnd> {
  const { place } = options;
  const { control, onStop, journal } = bot;
  const path = controlPath(journal, place);
  try {
    await preparePlace(path, place);
    const server = await serveWhenFree(path, bot, place);
    const end = await control.ended;
    await server?.close();
    await report(bot, end, options);
    // Without a control of its own, another process has the bot. A bot that has begun says in its log what it leaves.
    if (server !== undefined && end.kind === 'failed' && !knowsHoldings(control.status()))
      await reportLeft(bot, end, options);
    return end;
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    const failed: BotEnd = { kind: 'failed', error };
    await report(bot, failed, options);
    const end = await control.stop(onStop);
    if (!(await isAnswered(path))) await reportLeft(bot, end, options);
    return failed;
  }
}

/**
 * Serves the control. A guard process that began at the same time may have the socket: it hands back first. A bot that has already ended leaves it to that
 * process, and returns undefined.
 */
async function serveWhenFree(
  path: string,
  { control, journal }: BotWithSettings,
  place: SocketPlace,
): Promise<ControlServer | undefined> {
  try {
    return await serveControl(path, control);
  } catch (error: unknown) {
    const { state, guardedBy } = control.status();
    if (guardedBy.process === 'guard') throw error;
    if (state === 'stopped') return undefined;
    await takeBack(journal, place);
    return serveControl(path, control);
  }
}

async function report(
  bot: BotWithSettings,
  end: BotEnd,
  { say, describeFailure, leavesHoldings = false }: RunBotsOptions,
): Promise<void> {
  const { name } = bot.control;
  if (end.kind === 'failed') {
    for (const line of describeFailure(end.error)) say(`${name} has failed: ${line}`);
    return;
  }
  const left = leavesHoldings ? await describeLeft(bot) : [];
  const leaving =
    left.length === 0
      ? ''
      : `, and leaves ${left.join(', ')}: evenkeel does not watch this until the bot runs again`;
  say(`${name} has stopped${leaving}`);
}

/** Whether a bot has read its journal. */
function knowsHoldings({ positions, orders, guardedBy }: BotStatus): boolean {
  return guardedBy.since !== undefined || positions.length + orders.length > 0;
}

/** Tells the operator what a bot that could not run leaves at the venue, and who watches it. */
async function reportLeft(
  bot: BotWithSettings,
  end: BotEnd,
  { say, leavesHoldings = false }: RunBotsOptions,
): Promise<void> {
  const left = leavesHoldings ? await describeLeft(bot) : [];
  if (left.length === 0) return;
  const { name, guardedBy } = bot.control.status();
  const isGuarded = guardedBy.standby === 'ready' || guardedBy.standby === 'starting';
  const watched =
    end.kind === 'failed' && isGuarded
      ? 'its guard process takes over'
      : 'evenkeel does not watch this until the bot runs again';
  say(`${name} leaves ${left.join(', ')}: ${watched}`);
}

/** Describes what a bot leaves at the venue. If it ended before it began, only its journal knows that. */
async function describeLeft({ control, ending }: BotWithSettings): Promise<readonly string[]> {
  const status = control.status();
  if (status.guardedBy.since !== undefined) return describeLeftBehind(status);
  try {
    const owned = await ending?.();
    return owned === undefined ? [] : describeLeftBehind(leftByEnding(owned));
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    return [`what its journal does not tell (${error.message})`];
  }
}
