import type { Engine } from '../../engine/index.js';
import {
  GUARDED_PAUSE_MS,
  patiently,
  resolveOrders,
  restoreSessionOrders,
  type Activity,
  type MarketSession,
} from '../../live/index.js';
import type { TransportTime } from './transport-time.js';

interface StartOptions {
  readonly engine: Engine;
  /** Whether the engine was replayed from a journal. */
  readonly isReplayed: boolean | undefined;
  readonly activity: Activity;
  readonly transport: TransportTime;
  /** Whether the process still runs. */
  readonly isRunning: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts a session as a live bot does. What became of the orders of an earlier process is found out first: the bot tries until the venue answers, and the search
 * for a lost order takes market time. Returns a function that says whether this is under way.
 */
export function startSession(session: MarketSession, options: StartOptions): () => boolean {
  const { engine, isReplayed = false, activity, isRunning, onFailure } = options;
  const hasPast = isReplayed || engine.workingOrders.length > 0;
  const lost = hasPast ? restoreSessionOrders(session, engine) : [];
  if (!isReplayed) void session.warmUp();
  if (!hasPast) {
    session.run();
    return () => false;
  }
  const state = { isUnderWay: true };
  const resolve = async (): Promise<void> => {
    try {
      await patiently(() => resolveOrders(session, engine, lost), {
        time: options.transport,
        tries: Number.POSITIVE_INFINITY,
        longestPauseMs: GUARDED_PAUSE_MS,
        isWanted: isRunning,
      });
      if (isRunning()) session.run();
    } catch (error: unknown) {
      if (isRunning()) onFailure(error);
    } finally {
      state.isUnderWay = false;
    }
  };
  void activity.during(resolve);
  return () => state.isUnderWay;
}
