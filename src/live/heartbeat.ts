import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';
import type { BotStatus } from './bot-control.js';
import type { BotLog } from './bot-log.js';

export interface HeartbeatOptions {
  readonly time: FeedTime;
  readonly log: BotLog;
  readonly status: () => BotStatus;
  /** When the engine took its last event in; undefined before the first. */
  readonly lastEvent: () => EpochMs | undefined;
  /** How late the process was at worst since this was last asked, in ms. */
  readonly takeWorstLagMs: () => number;
  /** From one line to the next, in ms. @defaultValue 60000 */
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;

/** Writes a line at fixed intervals that proves that a bot is awake and its data fresh. Returns what ends it. */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const { time, log, everyMs = EVERY_MS } = options;
  let cancel = (): void => undefined;
  const beat = (): void => {
    cancel = time.after(everyMs, beat);
    log.heartbeat(read(options));
  };
  cancel = time.after(everyMs, beat);
  return () => {
    cancel();
  };
}

function read(options: HeartbeatOptions): Parameters<BotLog['heartbeat']>[0] {
  const now = options.time.now();
  const { state, reasons, streams, events, commands, equity, orders } = options.status();
  const lastEvent = options.lastEvent();
  return {
    time: now,
    state,
    reasons,
    lastEventAgeMs: lastEvent === undefined ? undefined : now - lastEvent,
    loopLagMs: options.takeWorstLagMs(),
    streams: streams.map(({ name, state: streamState, lastData }) => ({
      name,
      state: streamState,
      ageMs: lastData === undefined ? undefined : now - lastData,
    })),
    events,
    commands,
    equity,
    workingOrders: orders.length,
  };
}
