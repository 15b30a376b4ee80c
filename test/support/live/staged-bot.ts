import { MINUTE_MS } from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';
import {
  createSessionTime,
  LiveBot,
  SILENT_BOT_LOG,
  type BotEnd,
  type LiveBotOptions,
} from '../../../src/live/index.js';
import { SPOT } from '../risk/builders.js';
import type { VirtualTime } from '../virtual-time.js';
import { StagedSession } from './staged-session.js';

/** A bot over a staged session, and what it has said. */
export interface StagedBot {
  readonly time: VirtualTime;
  readonly session: StagedSession;
  readonly states: readonly string[];
  readonly warnings: readonly string[];
  readonly ends: readonly BotEnd[];
  readonly bot: LiveBot;
}

/** A bot that trades SPOT live. `options` replaces its own. */
export function aStagedBot(
  engine: Engine,
  time: VirtualTime,
  options: Partial<LiveBotOptions> = {},
): StagedBot {
  const session = new StagedSession(engine, () => time.now());
  const states: string[] = [];
  const warnings: string[] = [];
  const ends: BotEnd[] = [];
  const bot = new LiveBot({
    name: 'a',
    mode: 'live',
    engine,
    machine: time,
    time: createSessionTime(time),
    instruments: [SPOT],
    streams: [],
    staleAfterMs: MINUTE_MS,
    loopStallMs: MINUTE_MS,
    budgets: () => [],
    openSession: session.open,
    log: {
      ...SILENT_BOT_LOG,
      stateChanged: ({ to }) => states.push(to),
      warning: ({ text }) => warnings.push(text),
    },
    onEnd: (end) => {
      ends.push(end);
      return Promise.resolve();
    },
    ...options,
  });
  return { time, session, states, warnings, ends, bot };
}
