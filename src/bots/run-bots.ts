import { TradingError } from '../domain/index.js';
import {
  describeLeftBehind,
  type BotControl,
  type BotEnd,
  type StopPolicy,
} from '../live/index.js';
import { controlPath, preparePlace, type SocketPlace } from './control/control-path.js';
import { serveControl, type ControlServer } from './control/control-server.js';
import { takeBack } from './control/take-back.js';

/** A bot that runs, and what its owner wants of it. */
export interface RunningBot {
  readonly control: BotControl;
  readonly onStop: StopPolicy;
  readonly journal: string;
}

export interface RunBotsOptions {
  readonly bots: readonly RunningBot[];
  /** The operator's request that all end. */
  readonly stop: AbortSignal;
  readonly place: SocketPlace;
  /** Says something to the operator, a line at a time. */
  readonly say: (line: string) => void;
  /** Writes a failure for the operator, a line at a time. */
  readonly describeFailure: (error: TradingError) => readonly string[];
  /** Whether a bot that has stopped leaves what it held to nobody: the operator is told what that is. @defaultValue false */
  readonly leavesHoldings?: boolean;
}

/**
 * Lets bots run until each has ended, by itself or because the operator ended the process: then each stops by its own policy. One that
 * fails does not stop the others.
 *
 * @returns what they failed by; none where all ended as they should.
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

/** Serves a bot's control until it has ended. A bot that nobody could halt is not left running. */
async function accompany(bot: RunningBot, options: RunBotsOptions): Promise<BotEnd> {
  const { place } = options;
  const { control, onStop, journal } = bot;
  const path = controlPath(journal, place);
  try {
    await preparePlace(path, place);
    const server = await serveWhenFree(path, bot, place);
    const end = await control.ended;
    await server.close();
    report(control, end, options);
    return end;
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    const failed: BotEnd = { kind: 'failed', error };
    report(control, failed, options);
    await control.stop(onStop);
    return failed;
  }
}

/** What guards a bot in its place may have begun to at the same instant, and have its socket: it hands back. */
async function serveWhenFree(
  path: string,
  { control, journal }: RunningBot,
  place: SocketPlace,
): Promise<ControlServer> {
  try {
    return await serveControl(path, control);
  } catch (error: unknown) {
    if (control.status().guardedBy.process === 'guard') throw error;
    await takeBack(journal, place);
    return serveControl(path, control);
  }
}

function report(
  control: BotControl,
  end: BotEnd,
  { say, describeFailure, leavesHoldings = false }: RunBotsOptions,
): void {
  const { name } = control;
  if (end.kind === 'failed') {
    for (const line of describeFailure(end.error)) say(`${name} has failed: ${line}`);
    return;
  }
  const left = leavesHoldings ? describeLeftBehind(control.status()) : [];
  const leaving =
    left.length === 0
      ? ''
      : `, and leaves ${left.join(', ')}: nothing of evenkeel watches that until it runs again`;
  say(`${name} has stopped${leaving}`);
}
