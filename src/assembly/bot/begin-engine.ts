import type { Archive } from '../../archive/index.js';
import { StrategyError, UsageError, type Candle, type EpochMs } from '../../domain/index.js';
import {
  historyWith,
  NO_JOURNAL,
  type Engine,
  type EngineCheckpoint,
  type EngineEvent,
  type Journal,
  type OrderHistory,
  type PriceSample,
} from '../../engine/index.js';
import {
  divergenceError,
  readJournal,
  replayEntry,
  type Epoch,
  type JournalReader,
  type SqliteJournal,
  type StoredEntry,
} from '../../journal/index.js';
import {
  claimInto,
  patiently,
  type ClaimedState,
  type GoneInstruments,
  type MarketSessionOptions,
  type PatienceOptions,
  type StreamWarming,
  type WarmStream,
} from '../../live/index.js';
import { createEngine, engineOptions, type CreateEngineOptions } from '../create-engine.js';
import type { MarketTerms } from '../market/load-terms.js';
import { readOpeningPrices } from '../market/opening-prices.js';
import type { EngineInputs } from './bot-inputs.js';
import { watchJournal } from './boundaries.js';
import { requireOwnJournal } from './journal/own-journal.js';
import { recoverEnding } from './journal/recover-ending.js';
import { breathing, comparedTerms, describeEpoch } from './journal/replay-journal.js';
import { toldCandles, type ToldCandles } from './journal/told-candles.js';
import { listStreams, openEngine } from './open-engine.js';
import { needsGuard } from './position-guard.js';
import { warmingOf, warmupOf } from './read-warmup.js';

/** The parts of a bot that are made from its inputs. */
export interface BotParts {
  readonly archive: Archive;
  readonly terms: MarketTerms;
  readonly journal: SqliteJournal;
  readonly controller: AbortController;
  /** How long the start waits for the venue. */
  readonly patience: PatienceOptions;
  /** Instruments that the venue no longer has. */
  readonly gone: GoneInstruments;
  /** Differences between the venue's rules and the tested ones. Only a bot that holds something begins in spite of them. @defaultValue none */
  readonly differing?: MarketSessionOptions['differing'];
}

/** How many of the last orders, fills and other records a session holds in memory, for display. The journal has all of them. */
export const KEPT_RECORDS = 1_000;

/** The most events of an open epoch that are replayed if something has to be guarded: one to three seconds. */
const MOST_REPLAYED = 100_000;

/** Hooks for the beginning of an engine. */
export interface Beginning {
  readonly onVerdict: NonNullable<CreateEngineOptions['onVerdict']>;
  /** Runs before a new bot begins, one without entries in its journal. */
  readonly beforeNew?: (() => Promise<void>) | undefined;
  /** External orders and positions that a stopped bot takes over, in addition to its own. @defaultValue nothing */
  readonly claim?: ClaimedState | undefined;
  /** Called before an engine begins without a past. Called again if the bot begins anew after a replay. */
  readonly onFirst?: (() => void) | undefined;
  /** Called after each journal entry that the engine has replayed. */
  readonly onEntry?: ((entry: StoredEntry) => void) | undefined;
}

interface Past extends Beginning {
  /** The candles that the bot received before. @defaultValue none: the bot is new */
  readonly told?: ToldCandles | undefined;
}

/** The beginning of a session: a new engine, or a replayed one. */
export interface Begun {
  readonly engine: Engine;
  readonly streams: readonly WarmStream[];
  /** For each stream: the candles that it needs, and those that it has received. */
  readonly warmings: readonly StreamWarming[];
  /** Prices of positions, and of coins that serve as margin, if no candle of the warm-up has one. */
  readonly openingPrices: readonly PriceSample[];
  readonly isReplayed: boolean;
  /** Earlier orders and their outcomes, in all epochs; undefined for a new bot. */
  readonly history: OrderHistory | undefined;
  /** Executions by others before this time do not concern the bot. */
  readonly since: EpochMs;
}

/** The end of an epoch. */
interface EndedEpoch {
  /** What its engine owned at the end. */
  readonly ending: EngineCheckpoint;
  /** Reason for closing the epoch; undefined if it is closed already. */
  readonly reason?: string;
  /** Whether a replay of the epoch with its own inputs ends in the same state. @defaultValue true */
  readonly isExact?: boolean;
}

/** The end of an epoch, and what the next epoch must know of the epochs before. */
interface Predecessor extends EndedEpoch {
  readonly since: EpochMs;
  readonly history: OrderHistory;
}

/**
 * Makes a bot's engine from its journal. There are four cases:
 *
 * - The journal is empty: the bot is new, and warms up.
 * - The last epoch was closed in order: a new epoch continues from what the engine owned then, and the strategy warms up.
 * - The last epoch is open and its strategy has failed: what the engine owns is rebuilt without the strategy, and a new epoch continues without it.
 * - The last epoch is open because the process ended: it is replayed in a fresh engine and continues. It is closed instead, and a new epoch continues from
 *   it, if it was never warm, had other inputs, or is long while the bot has something to guard: no stop is sampled during a replay.
 *
 * @throws {UsageError} `E_JOURNAL_BOT`; `E_REPLAY_INPUTS` on paper, and if the configuration lacks a traded instrument; {JournalError} `E_REPLAY_DIVERGED` when the engine
 * does not repeat the journal; {DomainError} `E_CHECKPOINT` when the carried-over state does not fit the configuration; as `openEngine` and `beforeNew`.
 */
export async function beginEngine(
  inputs: EngineInputs,
  parts: BotParts,
  given: Beginning,
): Promise<Begun> {
  const reader = await readJournal(inputs.journal);
  try {
    const epoch = reader.epochs().at(-1);
    if (epoch === undefined) return await beginAnew(inputs, parts, given);
    requireOwnJournal(epoch, inputs);
    const beginning = { ...given, told: toldCandles(reader) };
    const history = reader.orderHistory();
    const { constructed: since, checkpoint } = epoch.header;
    if (epoch.closed !== undefined) {
      const ending = await closedEnding(epoch, reader, inputs, parts);
      const before =
        given.claim === undefined
          ? { ending, since, history }
          : claimNow(given.claim, { ending, history }, inputs, parts);
      return await beginAnew(inputs, parts, beginning, before);
    }
    const ended = await endUnreplayed(epoch, reader, inputs, parts);
    if (ended !== undefined)
      return await beginAnew(inputs, parts, beginning, { ...ended, since, history });
    const entries = reader.entries(epoch);
    const begun = await replay(inputs, parts, { ...beginning, epoch, entries, history });
    const isRestarted =
      checkpoint.strategyFailure !== undefined && begun.engine.failures.inForce === undefined;
    if (begun.engine.isWarm && !isRestarted) return begun;
    // Its strategy has never traded, so its warm-up is read again.
    const ending = begun.engine.checkpoint();
    begun.engine.stop();
    const reason = isRestarted ? 'its strategy begins anew' : 'ended before it was warm';
    return await beginAnew(inputs, parts, beginning, { ending, reason, since, history });
  } finally {
    reader.close();
  }
}

/** What the engine of a closed epoch owned at its end. On paper it does not count: the checkpoint of the epoch's beginning is returned. */
async function closedEnding(
  epoch: Epoch,
  reader: JournalReader,
  inputs: EngineInputs,
  parts: BotParts,
): Promise<EngineCheckpoint> {
  if (inputs.mode !== 'live') return epoch.header.checkpoint;
  return epoch.ending ?? (await recoverEnding(epoch, reader, inputs, parts));
}

/** Ends an open epoch that cannot be replayed, or must not be. Undefined if it is to be replayed. */
async function endUnreplayed(
  epoch: Epoch,
  reader: JournalReader,
  inputs: EngineInputs,
  parts: BotParts,
): Promise<EndedEpoch | undefined> {
  const changes = findChanges(epoch, inputs, parts.terms);
  if (changes.length > 0) {
    if (inputs.mode !== 'live') throw changedInputs(inputs, changes);
    // The state of protections is rebuilt with the limits that hold now. So a replay with the old limits may end in another state.
    const isExact = changes.every((name) => name === 'plugin' || isOfStrategy(name, inputs, epoch));
    const ending = await recoverEnding(epoch, reader, inputs, { ...parts, isSameConfig: isExact });
    return { ending, reason: `followed by one with another ${changes.join(', ')}`, isExact };
  }
  if (inputs.mode !== 'live') return undefined;
  if (reader.hasEvent(epoch, 'strategy-failed')) {
    const ending = await recoverEnding(epoch, reader, inputs, parts);
    return { ending, reason: 'its strategy has failed' };
  }
  if (reader.lastEvent(epoch) - epoch.firstEvent < MOST_REPLAYED) return undefined;
  const ending = await recoverEnding(epoch, reader, inputs, parts);
  const reason = 'too long to be done again while nobody samples its stops';
  return needsGuard(ending) ? { ending, reason } : undefined;
}

/** Begins a new epoch. If a live bot owns orders or positions and its strategy cannot begin, it continues without the strategy. */
async function beginAnew(
  inputs: EngineInputs,
  parts: BotParts,
  beginning: Past,
  before?: Predecessor,
): Promise<Begun> {
  try {
    return await beginWith(inputs, parts, beginning, before);
  } catch (error: unknown) {
    if (!(error instanceof StrategyError) || inputs.mode !== 'live') throw error;
    if (before === undefined || !holdsAnything(before.ending)) throw error;
    const { code, message } = error;
    const ending = { ...before.ending, strategyFailure: { code, message } };
    const reason = before.reason ?? 'its strategy could not begin';
    return beginWith(inputs, parts, beginning, { ...before, ending, reason });
  }
}

function holdsAnything({ positions, orders }: EngineCheckpoint): boolean {
  return orders.length > 0 || positions.some(({ isHeld }) => isHeld);
}

async function beginWith(
  inputs: EngineInputs,
  { archive, terms, journal, controller, patience, gone }: BotParts,
  { onVerdict, onFirst, beforeNew, told }: Past,
  before?: Predecessor,
): Promise<Begun> {
  const { connection, mode, source, log, onBoundary = () => undefined } = inputs;
  // On paper nothing is carried over: the simulated venue begins anew together with the strategy.
  const checkpoint = mode === 'live' ? before?.ending : undefined;
  if (before === undefined) await beforeNew?.();
  const now = (): EpochMs => connection.time.now();
  const { signal } = controller;
  onFirst?.();
  const opened = await openEngine({
    ...inputs,
    terms,
    now: now(),
    source: connection.venue.market,
    told,
    archive,
    isGone: gone.has,
    journal: watchJournal(journal, onBoundary),
    checkpoint,
    log: log.strategy(now),
    servesReadings: true,
    readsFundingRates: true,
    outlivesStrategy: true,
    records: { kept: KEPT_RECORDS },
    onVerdict,
    signal,
    patience,
    onBegin: (begin) => {
      if (before?.reason !== undefined)
        journal.closeEpoch(before.reason, before.isExact === false ? undefined : checkpoint);
      const run = { mode, source, ...(checkpoint && { checkpoint }) };
      journal.beginEpoch(describeEpoch(inputs, begin, run));
    },
  });
  const { history, since = now() } = before ?? {};
  const { streams, engine } = opened;
  const read = (): Promise<readonly PriceSample[]> =>
    readOpeningPrices(
      streams.filter(({ instrumentId }) => !gone.has(instrumentId)),
      engine.portfolio,
      { source: connection.venue.market, signal },
    );
  const openingPrices = await patiently(read, patience);
  return { ...opened, openingPrices, isReplayed: false, history, since };
}

interface OpenEpoch extends Beginning {
  readonly epoch: Epoch;
  readonly entries: Iterable<StoredEntry>;
  readonly history: OrderHistory;
}

/** Replays the journal's open epoch in a fresh engine. Nothing is sent. A difference from the journal stops the start. */
async function replay(
  inputs: EngineInputs,
  { terms, journal, controller }: BotParts,
  { onVerdict, onFirst, onEntry, epoch, entries, history }: OpenEpoch,
): Promise<Begun> {
  const { config, connection, log, onBoundary = () => undefined } = inputs;
  const sink: { target: Journal } = { target: NO_JOURNAL };
  onFirst?.();
  const engine = createEngine({
    ...inputs,
    terms,
    constructed: epoch.header.constructed,
    checkpoint: epoch.header.checkpoint,
    servesReadings: true,
    readsFundingRates: true,
    records: { kept: KEPT_RECORDS },
    outlivesStrategy: true,
    journal: {
      append: (event, commands, intents, state) => {
        sink.target.append(event, commands, intents, state);
      },
    },
    log: log.strategy(() => connection.time.now()),
    onVerdict,
  });
  const needed = engine.construct();
  engine.start(epoch.header.started);
  const told = new ToldCounts();
  const { breathe } = inputs;
  for await (const entry of breathing(entries, { breathe, signal: controller.signal })) {
    onBoundary('replay');
    const divergence = replayEntry(engine, entry);
    if (divergence !== undefined) throw divergenceError(divergence);
    onEntry?.(entry);
    told.add(entry.event);
  }
  if (engine.isWarm) {
    journal.resumeEpoch();
    sink.target = watchJournal(journal, onBoundary);
  }
  const { started, constructed: since } = epoch.header;
  const streams = listStreams(config).map((stream) => ({ ...stream, ...told.of(stream) }));
  return {
    engine,
    streams: streams.map(({ instrumentId, interval, last }) => ({
      ...{ instrumentId, interval, history: [], after: last?.openTime },
    })),
    warmings: streams.map(({ count = 0, last, ...stream }) => {
      const until = last?.closeTime ?? started;
      return warmingOf(stream, warmupOf(stream, needed), { told: count, until });
    }),
    openingPrices: [],
    isReplayed: true,
    history,
    since,
  };
}

/** The candles that events told to an engine: their number, and the last of each stream. */
class ToldCounts {
  readonly #told = new Map<string, { readonly count: number; readonly last: Candle }>();

  add(event: EngineEvent): void {
    if (event.kind !== 'candles') return;
    for (const last of event.candles) {
      const name = nameOf(last);
      this.#told.set(name, { last, count: (this.#told.get(name)?.count ?? 0) + 1 });
    }
  }

  of(stream: StreamId): { readonly count: number; readonly last: Candle } | undefined {
    return this.#told.get(nameOf(stream));
  }
}

type StreamId = Pick<Candle, 'instrumentId' | 'interval'>;

function nameOf({ instrumentId, interval }: StreamId): string {
  return `${instrumentId} ${interval}`;
}

/** Claims what others have traded so far, so their executions before now do not count again. */
function claimNow(
  claim: ClaimedState,
  { ending, history }: Pick<Predecessor, 'ending' | 'history'>,
  inputs: EngineInputs,
  { terms }: BotParts,
): Predecessor {
  const { config, strategyClass, connection } = inputs;
  const since = connection.time.now();
  const options = engineOptions({ config, strategyClass, terms, constructed: since });
  const claimed = claimInto(options, ending, claim);
  return { ending: claimed, since, history: historyWith(history, claimed.claimed ?? []) };
}

function changedInputs({ journal }: EngineInputs, changes: readonly string[]): UsageError {
  const names = changes.map((name) => (name === 'terms' ? 'rules or tiers of the archive' : name));
  const text = `${journal}: the bot was running with other inputs (${names.join(', ')}); restore them, or give the bot a new journal`;
  return new UsageError('E_REPLAY_INPUTS', text);
}

/** Names the inputs that differ from those of the open epoch. Only the same inputs can rebuild a strategy. */
function findChanges(
  { header }: Epoch,
  inputs: EngineInputs,
  terms: MarketTerms,
): readonly string[] {
  const { constructed, started } = header;
  const begin = { constructed, started, terms: comparedTerms(header, terms) };
  const now = describeEpoch(inputs, begin, header);
  const names = ['engine', 'plugin', 'parameters', 'config', 'terms'] as const;
  return names.filter((name) => header.hashes[name] !== now.hashes[name]);
}

/** Whether a change comes only from the guard in place of the strategy: the rest of the configuration is the bot's own. */
function isOfStrategy(change: string, { guardOf }: EngineInputs, { header }: Epoch): boolean {
  if (guardOf === undefined) return false;
  return change === 'parameters' || (change === 'config' && header.hashes.config === guardOf);
}
