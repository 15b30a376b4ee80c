import { checkOptions } from '../config/index.js';
import { createRandom, systemTime, wallClock } from '../engine/index.js';
import type { BotControl, StopPolicy } from '../live/index.js';
import { accompany } from './accompany-bot.js';
import { readPreparedBot, type PreparedBot } from './prepare-bot.js';
import { PulledEvents } from './pulled-events.js';
import { RunAbortedError } from './run-aborted.js';
import { BOT_CHECKS, type RunBotOptions } from './run-bot-options.js';
import { createRunStreams, forwardEvents, type RunEvent, type RunStreams } from './run-event.js';

/**
 * A running bot. You may iterate it once for its events: the events wait for their reader, but the bot does not wait. Leaving the loop does not stop the
 * bot. The loop and the streams carry what the strategy receives from now on, not what it receives again from a journal.
 */
export interface RunningBot
  extends
    AsyncIterable<RunEvent>,
    RunStreams,
    Pick<BotControl, 'name' | 'status' | 'pause' | 'resume' | 'halt' | 'flatten'> {
  /** Absolute path of the journal. */
  readonly journal: string;
  /** Resolves when the bot has stopped in order. Rejects with the error that the bot has failed with. */
  readonly ended: Promise<void>;
  /** Stops the bot in order. @defaultValue by `config.live.onStop` */
  stop(policy?: StopPolicy): Promise<void>;
}

/**
 * Runs a bot in this process, as `evenkeel live` and `evenkeel paper` do, without a terminal. Everything is checked before anything is sent. A live bot
 * needs `live.guard: off`: a guard process reads the bot's file, and this bot has no file. So nothing samples its stops after this process has died.
 * `evenkeel status`, `halt` and the like find the bot by its journal.
 *
 * @throws {ConfigError} or AggregateError of them for a configuration that cannot be used. The texts are those of the command line, with `config` in
 * place of file and line; {UsageError} `E_USAGE` for an unknown or wrong option; {RunAbortedError} `E_RUN_ABORTED` if the signal is aborted before the
 * start. `ended` and `status` report later failures.
 */
export async function runBot(options: RunBotOptions): Promise<RunningBot> {
  checkOptions(options, BOT_CHECKS);
  const { signal = new AbortController().signal } = options;
  if (signal.aborted) throw new RunAbortedError(signal.reason);
  const { streams, next, complete } = createRunStreams();
  const pulled = new PulledEvents<RunEvent>(() => undefined);
  const bot = await readPreparedBot(options);
  const control = await beginBot(bot, options, (event) => {
    pulled.push(event);
    next(event);
  });
  const ended = accompany({ bot, control, signal }).finally(() => {
    complete();
    pulled.close();
  });
  pulled.end = ended;
  return {
    name: control.name,
    journal: bot.setup.journal,
    ended,
    status: () => control.status(),
    pause: () => {
      control.pause();
    },
    resume: () => {
      control.resume();
    },
    halt: (text) => {
      control.halt(text);
    },
    flatten: () => {
      control.flatten();
    },
    stop: (policy = bot.setup.config.live.onStop) => {
      void control.stop(policy);
      return ended;
    },
    ...streams,
    [Symbol.asyncIterator]: () => pulled.read(),
  };
}

async function beginBot(
  { setup }: PreparedBot,
  { time, onLog, venue }: RunBotOptions,
  tell: (event: RunEvent) => void,
): Promise<BotControl> {
  const [{ createBots, createBotLogger, openBanMemory, SILENT_BOT_LOG }, { socketPlace }] =
    await Promise.all([import('../bots/index.js'), import('../bots/control/index.js')]);
  const { config, mode, credentials } = setup;
  const log =
    onLog === undefined
      ? SILENT_BOT_LOG
      : createBotLogger({
          ...{ bot: config.name, mode, level: 'info', clock: time ?? wallClock, write: onLog },
          secrets: credentials === undefined ? [] : [credentials.key, credentials.secret],
        });
  const [control] = await createBots(
    [
      {
        ...setup,
        log,
        // The caller opened the venue and closes it.
        openVenue: venue && (() => ({ ...venue, close: () => Promise.resolve() })),
        onMade: (context) => {
          forwardEvents(context, tell);
        },
      },
    ],
    {
      time: time ?? systemTime,
      random: createRandom((time ?? systemTime).now()),
      isDryRun: false,
      probes: false,
      bans: openBanMemory(socketPlace()),
    },
  );
  return control as BotControl;
}
