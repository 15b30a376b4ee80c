import type { BacktestConfig } from '../../../config/index.js';
import { TradingError, UsageError } from '../../../domain/index.js';
import {
  describeEvent,
  startingCheckpoint,
  type Engine,
  type EngineOptions,
} from '../../../engine/index.js';
import {
  compareEnding,
  replayEntry,
  type Divergence,
  type Epoch,
  type EpochHeader,
  type StoredEntry,
} from '../../../journal/index.js';
import type { StrategyClass } from '../../../strategy/index.js';
import { createEngine } from '../../create-engine.js';
import { hashConfig, hashParameters } from '../../identity/hash-inputs.js';
import { ENGINE_VERSION } from '../../identity/version.js';
import type { MarketTerms } from '../../market/load-terms.js';
import { resolveParameters } from '../../plugins/resolve-parameters.js';
import type { RunBegin } from '../../run-options.js';
import { PaperVenue } from '../paper-venue.js';
import { isGuardEpoch, withGuard } from '../position-guard.js';

/** The inputs that describe and replay a run of a bot. */
export interface RunInputs {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  /** Hash of the plugin and its imports. */
  readonly sourceHash: string;
}

/** Options to read a long epoch while the process does other work. */
export interface Breathing {
  /** Lets the process do other work; resolves when the reading may go on. @defaultValue no other work */
  readonly breathe?: (() => Promise<void>) | undefined;
  /** Ends the reading between two entries. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReplayJournalOptions
  extends RunInputs, Pick<Partial<EngineOptions>, 'log' | 'onVerdict'>, Breathing {
  /** As read by `readTerms`. */
  readonly terms: MarketTerms;
  readonly epoch: Epoch;
  readonly entries: Iterable<StoredEntry>;
  /** Called with the started engine before the first entry. */
  readonly onStarted?: ((engine: Engine) => void) | undefined;
  /** Called before each entry is replayed. */
  readonly onEntry?: ((entry: StoredEntry) => void) | undefined;
  /** Called with the engine after the last entry, before it is stopped. */
  readonly onReplayed?: ((engine: Engine) => void) | undefined;
}

/** The result of a replay: all commands are the same, or the first difference. */
export type ReplayOutcome = {
  readonly events: number;
  readonly commands: number;
} & (
  { readonly kind: 'identical' } | { readonly kind: 'diverged'; readonly divergence: Divergence }
);

const ENTRIES_PER_BREATH = 64;

/**
 * Yields entries of a journal, or candles, and lets the process do other work between them. Many entries take seconds, and a process that does nothing
 * else for seconds counts as stuck.
 *
 * @throws the signal's reason when interrupted.
 */
export async function* breathing<T>(
  entries: Iterable<T>,
  { breathe, signal }: Breathing,
): AsyncGenerator<T, void> {
  let taken = 0;
  for (const entry of entries) {
    yield entry;
    taken += 1;
    if (taken % ENTRIES_PER_BREATH !== 0) continue;
    await breathe?.();
    signal?.throwIfAborted();
  }
}

/** Hash of today's terms, to be compared with those of an epoch. Earlier versions counted marks and funding of the archive for bots, too. */
export function comparedTerms(
  { mode, hashes }: Pick<EpochHeader, 'mode' | 'hashes'>,
  { hash, rulesHash }: Pick<MarketTerms, 'hash' | 'rulesHash'>,
): string {
  return mode === 'backtest' || hashes.terms === hash ? hash : rulesHash;
}

/** Describes an epoch of a run; without a checkpoint it begins with nothing but its balances. */
export function describeEpoch(
  { config, strategyClass, sourceHash }: RunInputs,
  begin: RunBegin,
  run: Pick<EpochHeader, 'mode' | 'source'> & Partial<Pick<EpochHeader, 'checkpoint'>>,
): EpochHeader {
  const { simulation } = config;
  const { checkpoint = startingCheckpoint(simulation.balances) } = run;
  const { state } = begin;
  return {
    ...run,
    checkpoint: state === undefined ? checkpoint : { ...checkpoint, state },
    constructed: begin.constructed,
    started: begin.started,
    bot: config.name,
    hashes: {
      plugin: sourceHash,
      parameters: hashParameters(resolveParameters(config, strategyClass)),
      config: hashConfig(config),
      terms: begin.terms,
      engine: ENGINE_VERSION,
    },
    seed: simulation.seed,
  };
}

/**
 * Replays an epoch of a journal in a fresh engine and compares every command, and the final checkpoint if the epoch has one; on paper also the updates of
 * its simulated venue. Nothing is sent.
 *
 * @throws {UsageError} `E_REPLAY_INPUTS` when plugin, parameters, configuration or engine are not those of the epoch; {DomainError} `E_CHECKPOINT` when
 * its first checkpoint does not fit them; {JournalError} when it cannot be read; the signal's reason when interrupted.
 */
export async function replayJournal(given: ReplayJournalOptions): Promise<ReplayOutcome> {
  const options = isGuardEpoch(given.epoch) ? withGuard(given) : given;
  refuseOtherInputs(options);
  const { config, strategyClass, epoch, log, onVerdict } = options;
  const engine = createEngine({
    config,
    strategyClass,
    terms: options.terms,
    constructed: epoch.header.constructed,
    checkpoint: epoch.header.checkpoint,
    servesReadings: epoch.header.mode !== 'backtest',
    readsFundingRates: epoch.header.mode !== 'backtest',
    outlivesStrategy: epoch.header.mode !== 'backtest',
    // With a journal the engine checks the strategy's kept state at each event, as in the original run.
    journal: { append: () => undefined },
    ...(log && { log }),
    onVerdict,
  });
  engine.construct();
  engine.start(epoch.header.started);
  options.onStarted?.(engine);
  try {
    const outcome = await replayEntries(engine, options);
    options.onReplayed?.(engine);
    return outcome;
  } finally {
    stop(engine);
  }
}

async function replayEntries(
  engine: Engine,
  options: ReplayJournalOptions,
): Promise<ReplayOutcome> {
  const { config, terms, epoch } = options;
  // A simulated venue must give the same updates again.
  const venue = epoch.header.mode === 'paper' ? new PaperVenue(config, terms) : undefined;
  const count = { events: 0, commands: 0 };
  let last = epoch.firstEvent;
  for await (const entry of breathing(options.entries, options)) {
    options.onEntry?.(entry);
    const divergence = replayEntry(engine, entry) ?? askVenue(venue, entry);
    if (divergence !== undefined) return { ...count, kind: 'diverged', divergence };
    last = entry.id;
    count.events += 1;
    count.commands += entry.commands.length;
  }
  const divergence = compareEnding(engine, epoch, last);
  return divergence === undefined
    ? { ...count, kind: 'identical' }
    : { ...count, kind: 'diverged', divergence };
}

/** Gives an entry to the simulated venue of a session on paper. Returns the difference from the journal; undefined if there is none. */
export function askVenue(
  venue: PaperVenue | undefined,
  { id, event, commands }: StoredEntry,
): Divergence | undefined {
  const difference = venue?.take(event, commands);
  if (difference === undefined) return undefined;
  return { eventId: id, event: describeEvent(event), what: 'venue', ...difference };
}

/** Ignores a failure of the strategy at its end or before: the comparison is already done. */
function stop(engine: Engine): void {
  try {
    engine.stop();
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
  }
}

function refuseOtherInputs({ epoch, terms, ...inputs }: ReplayJournalOptions): void {
  const { header } = epoch;
  const { constructed, started } = header;
  const compared = comparedTerms(header, terms);
  const now = describeEpoch(inputs, { constructed, started, terms: compared }, header);
  for (const name of ['engine', 'plugin', 'parameters', 'config', 'terms'] as const) {
    const [hash, other] = [header.hashes[name], now.hashes[name]];
    if (hash === other) continue;
    const differs =
      name === 'parameters' || name === 'terms' ? 'differ from those' : 'differs from that';
    throw new UsageError(
      'E_REPLAY_INPUTS',
      `the ${name} ${differs} of epoch ${String(epoch.id)}: expected ${hash.slice(0, 12)}, received ${other.slice(0, 12)}; restore it to replay`,
    );
  }
}
