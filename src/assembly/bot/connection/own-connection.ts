import { ServerClock } from '../../../client/index.js';
import type { SessionConfig } from '../../../config/index.js';
import { present, type EpochMs } from '../../../domain/index.js';
import type { FeedTime } from '../../../feed/index.js';
import { planStops, type StopPlan, type Venue } from '../../../venue/index.js';
import { checkedAnswers } from '../checked-answers.js';
import { namedErrors } from '../named-errors.js';
import { SpotClaims } from '../spot-claims.js';
import { DryRunExecution } from './dry-run-execution.js';
import {
  clockHostOf,
  shareVenue,
  type LiveConnection,
  type MachineTime,
} from './live-connection.js';

interface ConnectOwnOptions {
  readonly config: SessionConfig;
  readonly venue: Venue;
  readonly machine: MachineTime;
  /** Whether no commands are sent. @defaultValue false */
  readonly isDryRun?: boolean | undefined;
  /** As in `connectLive`. */
  readonly stopPlan?: StopPlan | undefined;
}

/** Connects to a venue that the program or a module gives. The venue keeps its limits itself. Nothing is sent before the first call. */
export function connectOwn(options: ConnectOwnOptions): LiveConnection {
  const { config, machine, isDryRun = false } = options;
  const { stopPlan = planStops(config.instruments) } = options;
  const { staleAfterMs, maxClockOffsetMs } = config.live;
  const own = checkedAnswers(namedErrors(options.venue));
  const server = new ServerClock({
    host: 'the venue',
    clock: machine,
    wall: machine.wall,
    log: { debug: say, info: say, warn: say, error: say },
    askServer: async () => {
      const sentAt = machine.now();
      const serverTime = await own.marketData.serverTime(clockHostOf(config), UNENDING);
      return { sentAt, serverTime, receivedAt: machine.now() };
    },
    options: { maxOffsetMs: maxClockOffsetMs },
  });
  const time: FeedTime = {
    now: (): EpochMs => {
      // `now()` starts a new measurement when the reading is old.
      server.now();
      return Math.round(machine.now() + (server.reading?.offsetMs ?? 0));
    },
    passed: () => server.passed() ?? time.now(),
    after: (delayMs, action) => machine.after(delayMs, action),
  };
  return {
    clock: {
      key: 'venue',
      now: async (signal) => {
        for (;;) {
          const known = server.now();
          if (known !== undefined) return known;
          signal.throwIfAborted();
          await server.measure();
        }
      },
      measure: async () => {
        await server.measure();
        return present(server.reading, 'reading of a clock');
      },
    },
    claims: new SpotClaims(),
    time,
    stopPlan,
    venue: shareVenue(isDryRun ? { ...own, execution: new DryRunExecution() } : own, {
      time,
      stopPlan,
      staleAfterMs,
    }),
    clockBoundMs: () => server.reading?.uncertaintyMs ?? maxClockOffsetMs,
    troubles: () => new Map(),
    budgets: () => [],
    close: async () => {
      await options.venue.close?.();
    },
  };
}

/** No log: the bot itself reports troubles with the clock. */
function say(): void {
  return undefined;
}

/** A reading of the clock is never aborted, because several callers may wait for it. */
const UNENDING = { signal: new AbortController().signal };
