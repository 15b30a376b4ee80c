import type { EpochMs } from '../../domain/index.js';
import type { FeedTime } from '../../feed/index.js';
import type { BotStatus } from './bot-control.js';
import type { BotLog } from './bot-log.js';

interface HeartbeatOptions {
  readonly time: FeedTime;
  readonly log: BotLog;
  readonly status: () => BotStatus;
  /** Time of the engine's last event; undefined before the first. */
  readonly lastEvent: () => EpochMs | undefined;
  /** Largest lateness of the process since the last call, in ms. */
  readonly takeWorstLagMs: () => number;
  /** Time between two lines, in ms. @defaultValue 60000 */
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;

/** Writes a line at fixed intervals, as proof that a bot is awake and its data is fresh. Returns a function that ends it. */
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
