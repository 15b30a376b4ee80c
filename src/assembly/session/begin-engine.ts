import type { Archive } from '../../archive/index.js';
import { UsageError, type EpochMs } from '../../domain/index.js';
import {
  divergenceError,
  NO_JOURNAL,
  readJournal,
  replayEntry,
  type Engine,
  type EngineCheckpoint,
  type Epoch,
  type Journal,
  type OrderHistory,
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
  /** What became of orders before, in all epochs; undefined for a bot that is new. */
  readonly history: OrderHistory | undefined;
  /** Executions of others before this are no concern of the bot. */
  readonly since: EpochMs;
}

/** Where an epoch has ended, and what the next one has to know of those before it. */
interface Predecessor {
  readonly ending: EngineCheckpoint;
  /** Why it is to be closed, where it is not yet. */
  readonly reason?: string;
  readonly since: EpochMs;
  readonly history: OrderHistory;
}

/**
 * Makes a bot's engine from what its journal says:
 *
 * - nothing: the bot is new, and warms up;
 * - an epoch that was closed in order: a new one goes on from what the engine owned then, with a strategy that warms up;
 * - an epoch that is open, because the process was ended: it is fed to a fresh engine and goes on. One that never was warm is closed, and a
 *   new one goes on from it.
 *
 * @throws {UsageError} `E_REPLAY_INPUTS`; {JournalError} `E_REPLAY_DIVERGED` when the engine does not do what the journal says; {DomainError}
 * `E_CHECKPOINT` when what is carried over does not fit the configuration; as `openEngine` and `beforeNew`.
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
    if (epoch === undefined) return await beginAnew(inputs, parts, beginning);
    const history = reader.orderHistory();
    const { constructed: since, checkpoint } = epoch.header;
    if (epoch.closed !== undefined) {
      const { ending = checkpoint } = epoch;
      return await beginAnew(inputs, parts, beginning, { ending, since, history });
    }
    refuseOtherInputs(epoch, inputs, parts.terms);
    const entries = reader.entries(epoch);
    const begun = replay(inputs, parts, { ...beginning, epoch, entries, history });
    if (begun.engine.isWarm) return begun;
    // Its strategy has never traded, and its warm-up is read again.
    const ending = begun.engine.checkpoint();
    begun.engine.stop();
    const reason = 'ended before it was warm';
    return await beginAnew(inputs, parts, beginning, { ending, reason, since, history });
  } finally {
    reader.close();
  }
}

async function beginAnew(
  inputs: BotInputs,
  { archive, terms, journal, controller }: BotParts,
  { onVerdict, onFirst, beforeNew }: Beginning,
  before?: Predecessor,
): Promise<Begun> {
  const { connection, mode, source, log, onBoundary = () => undefined } = inputs;
  // On paper the venue begins anew with its strategy: nothing is carried over.
  const checkpoint = mode === 'live' ? before?.ending : undefined;
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
    checkpoint,
    log: log.strategy(now),
    servesReadings: true,
    onVerdict,
    signal: controller.signal,
    patience: { time: inputs.machine },
    onBegin: (begin) => {
      if (before?.reason !== undefined) journal.closeEpoch(before.reason, checkpoint);
      const run = { mode, source, ...(checkpoint && { checkpoint }) };
      journal.beginEpoch(describeEpoch(inputs, begin, run));
    },
  });
  const { history, since = now() } = before ?? {};
  return { ...opened, isReplayed: false, history, since };
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
    history,
  }: Beginning & {
    readonly epoch: Epoch;
    readonly entries: Iterable<Entry>;
    readonly history: OrderHistory;
  },
): Begun {
  const { config, connection, log, onBoundary = () => undefined } = inputs;
  const sink: { target: Journal } = { target: NO_JOURNAL };
  onFirst?.();
  const engine = createEngine({
    ...inputs,
    terms,
    constructed: epoch.header.constructed,
    checkpoint: epoch.header.checkpoint,
    servesReadings: true,
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
  for (const entry of entries) {
    onBoundary('replay');
    const divergence = replayEntry(engine, entry);
    if (divergence !== undefined) throw divergenceError(divergence);
    onEntry?.(entry);
    const { event } = entry;
    if (event.kind !== 'candles') continue;
    for (const { instrumentId, interval, openTime } of event.candles)
      lastOpen.set(`${instrumentId} ${interval}`, openTime);
  }
  if (engine.isWarm) {
    journal.resumeEpoch();
    sink.target = watchJournal(journal, onBoundary);
  }
  return {
    engine,
    streams: listStreams(config).map((stream) => ({
      ...stream,
      history: [],
      after: lastOpen.get(`${stream.instrumentId} ${stream.interval}`),
    })),
    isReplayed: true,
    history,
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
