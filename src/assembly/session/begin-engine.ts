import type { Archive } from '../../archive/index.js';
import { UsageError, type EpochMs } from '../../domain/index.js';
import {
  divergenceError,
  NO_JOURNAL,
  readJournal,
  replayEntry,
  type Engine,
  type Epoch,
  type Journal,
  type LiveBotOptions,
  type SqliteJournal,
  type WarmStream,
} from '../../runtime/index.js';
import { createEngine, type CreateEngineOptions } from '../create-engine.js';
import type { MarketTerms } from '../load-terms.js';
import { describeEpoch } from '../replay-journal.js';
import type { BotInputs } from './bot-inputs.js';
import { watchJournal } from './boundaries.js';
import { listStreams, openEngine } from './open-engine.js';

/** What a bot is made of beside what it was given. */
export interface BotParts {
  readonly archive: Archive;
  readonly terms: MarketTerms;
  readonly journal: SqliteJournal;
  readonly controller: AbortController;
}

type Entry = Parameters<typeof replayEntry>[1];

/** Who follows an engine as it begins. */
export interface Beginning {
  readonly onVerdict: NonNullable<CreateEngineOptions['onVerdict']>;
  /** What has to be done before a bot begins that is not replayed. */
  readonly beforeNew?: (() => Promise<void>) | undefined;
  /** Called before an engine begins with nothing behind it, a second time where what was replayed is begun anew. */
  readonly onFirst?: (() => void) | undefined;
  /** Called after each entry of the journal that the engine has done again. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
}

/** What a session begins with: a new engine, or one that was replayed. */
export interface Begun {
  readonly engine: Engine;
  readonly streams: readonly WarmStream[];
  readonly isReplayed: boolean;
  readonly initialEquity: LiveBotOptions['initialEquity'];
  /** When the bot began: what was traded before is not its own. */
  readonly since: EpochMs;
}

/**
 * Makes a bot's engine: one that was running when its process ended is fed its journal and goes on, any other warms up.
 *
 * @throws {UsageError} `E_REPLAY_INPUTS`; {JournalError} `E_REPLAY_DIVERGED` when the engine does not do what the journal says; as `openEngine`
 * and `beforeNew`.
 */
export async function beginEngine(
  inputs: BotInputs,
  parts: BotParts,
  beginning: Beginning,
): Promise<Begun> {
  const { journal: file } = inputs;
  const reader = await readJournal(file);
  try {
    const epoch = reader.epochs().at(-1);
    if (epoch === undefined || epoch.closed !== undefined)
      return await beginAnew(inputs, parts, beginning);
    refuseOtherInputs(epoch, inputs, parts.terms);
    const begun = replay(inputs, parts, { ...beginning, epoch, entries: reader.entries(epoch) });
    if (begun.engine.isWarm) return begun;
    // It has never traded, and its warm-up is read again.
    begun.engine.stop();
    parts.journal.closeEpoch('ended before it was warm');
    return await beginAnew(inputs, parts, beginning);
  } finally {
    reader.close();
  }
}

async function beginAnew(
  inputs: BotInputs,
  { archive, terms, journal, controller }: BotParts,
  { onVerdict, onFirst, beforeNew }: Beginning,
): Promise<Begun> {
  const { connection, mode, source, log, onBoundary = () => undefined } = inputs;
  await beforeNew?.();
  const now = (): EpochMs => connection.time.now();
  onFirst?.();
  const opened = await openEngine({
    ...inputs,
    terms,
    now: now(),
    source: connection.venue.market,
    archive,
    journal: watchJournal(journal, onBoundary),
    log: log.strategy(now),
    onVerdict,
    signal: controller.signal,
    patience: { time: inputs.machine },
    onBegin: (begin) => {
      journal.beginEpoch(describeEpoch(inputs, begin, { mode, source }));
    },
  });
  return { ...opened, isReplayed: false, initialEquity: undefined, since: now() };
}

/** Feeds the journal's open epoch to a fresh engine. Nothing is sent; what it does not do again stops the start. */
function replay(
  inputs: BotInputs,
  { terms, journal }: BotParts,
  {
    onVerdict,
    onFirst,
    onEntry,
    epoch,
    entries,
  }: Beginning & { readonly epoch: Epoch; readonly entries: Iterable<Entry> },
): Begun {
  const { config, connection, log, onBoundary = () => undefined } = inputs;
  const sink: { target: Journal } = { target: NO_JOURNAL };
  onFirst?.();
  const engine = createEngine({
    ...inputs,
    terms,
    constructed: epoch.header.constructed,
    checkpoint: epoch.header.checkpoint,
    journal: {
      append: (event, commands) => {
        sink.target.append(event, commands);
      },
    },
    log: log.strategy(() => connection.time.now()),
    onVerdict,
  });
  engine.construct();
  engine.start(epoch.header.started);
  const lastOpen = new Map<string, EpochMs>();
  let initialEquity: Begun['initialEquity'];
  for (const entry of entries) {
    onBoundary('replay');
    const divergence = replayEntry(engine, entry);
    if (divergence !== undefined) throw divergenceError(divergence);
    onEntry?.(entry);
    const { event } = entry;
    if (event.kind === 'opening') initialEquity = engine.portfolio.equity();
    if (event.kind !== 'candles') continue;
    for (const { instrumentId, interval, openTime } of event.candles)
      lastOpen.set(`${instrumentId} ${interval}`, openTime);
  }
  journal.resumeEpoch();
  sink.target = watchJournal(journal, onBoundary);
  return {
    engine,
    streams: listStreams(config).map((stream) => ({
      ...stream,
      history: [],
      after: lastOpen.get(`${stream.instrumentId} ${stream.interval}`),
    })),
    isReplayed: true,
    initialEquity,
    since: epoch.header.constructed,
  };
}

/**
 * A bot's state is rebuilt by what built it.
 *
 * @throws {UsageError} `E_REPLAY_INPUTS` when plugin, parameters, configuration, terms or engine are others than those of the open epoch.
 */
function refuseOtherInputs(epoch: Epoch, inputs: BotInputs, terms: MarketTerms): void {
  const { header } = epoch;
  const { constructed, started } = header;
  const now = describeEpoch(inputs, { constructed, started, terms: terms.hash }, header);
  for (const name of ['engine', 'plugin', 'parameters', 'config', 'terms'] as const) {
    if (header.hashes[name] === now.hashes[name]) continue;
    throw new UsageError(
      'E_REPLAY_INPUTS',
      `${inputs.journal}: expected the ${name} with which the bot was running, received another; start it once as it was and stop it in order, or move its journal away once nothing of it is at the venue`,
    );
  }
}
