import { nominalIntervalMs, type FundingRateKnown, type Instrument } from '../../domain/index.js';
import {
  Activity,
  createSessionTime,
  LiveBot,
  Warming,
  type EngineSessionOptions,
  type MarksAt,
  type OpenSession,
  type SessionHooks,
} from '../../live/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { Engine } from '../../engine/index.js';
import { watchJournalFile } from '../../journal/index.js';
import { createInstrument } from '../market/create-instruments.js';
import type { Begun, Beginning, BotParts } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { describeStandby } from './describe-troubles.js';
import { listStreams } from './open-engine.js';

/** Options that every session needs about its market. */
interface MarketOptions extends Omit<EngineSessionOptions, keyof SessionHooks> {
  readonly instruments: readonly Instrument[];
  readonly fundingRateKnown: FundingRateKnown;
}

export function marketOptions(
  { config, connection, breathe }: BotInputs,
  begun: Begun,
): MarketOptions {
  const { simulation, live } = config;
  const { engine, streams, openingPrices, isReplayed } = begun;
  return {
    engine,
    streams,
    openingPrices,
    isReplayed,
    breathe,
    venue: connection.venue,
    time: createSessionTime(connection.time),
    activity: new Activity(),
    instruments: config.instruments.map(createInstrument),
    marksAt: withCandles(config),
    dataDelayMs: simulation.dataDelayMs,
    fundingRateKnown: simulation.futures.fundingRateKnown,
    alignMs: live.alignMs,
    lateMs: live.staleAfterMs + live.alignMs,
  };
}

/** Makes a bot from its engine and its other parts. It runs once it is started. */
export async function wireBot(
  inputs: BotInputs,
  { journal, controller, gone }: BotParts,
  begin: (
    onVerdict: Beginning['onVerdict'],
  ) => Promise<{ readonly begun: Begun; readonly openSession: OpenSession }>,
): Promise<LiveBot> {
  const { config, connection, machine, mode, log, guardOf } = inputs;
  const { live } = config;
  const hooks: { bot?: LiveBot } = {};
  const { begun, openSession } = await begin((verdict, id) => hooks.bot?.onVerdict(verdict, id));
  const { engine, isReplayed } = begun;
  const bot = new LiveBot({
    engine,
    isReplayed,
    streams: listStreams(config),
    name: config.name,
    mode,
    log,
    machine,
    time: createSessionTime(connection.time),
    instruments: config.instruments.map(createInstrument),
    staleAfterMs: live.staleAfterMs,
    loopStallMs: live.loopStallMs,
    budgets: () => connection.budgets(),
    // On paper nothing is carried over from one epoch to the next.
    ...(mode === 'live' && {
      keepCheckpoint: () => {
        if (journal.isCheckpointDue && engine.isWarm) journal.keepCheckpoint(engine.checkpoint());
      },
    }),
    troubles: () => new Map([...connection.troubles(), ...describeStandby(inputs.guarded?.())]),
    warming: new Warming({
      // Entries in other instruments do not wait for candles that no longer exist.
      streams: begun.warmings.filter(({ instrumentId }) => !gone.has(instrumentId)),
      waits: config.warmUp.incomplete === 'wait',
    }),
    openSession,
    watchJournal: (onState) =>
      watchJournalFile({
        file: inputs.journal,
        isHeld: () => journal.isHeld,
        time: machine,
        onState,
      }),
    guarded: inputs.guarded,
    isGuard: guardOf !== undefined,
    onEnd: (end) => {
      controller.abort();
      closeJournal(journal, engine, mode === 'live' && end.kind === 'stopped');
      return Promise.resolve();
    },
  });
  hooks.bot = bot;
  return bot;
}

/**
 * Closes the journal, and its epoch after a stop in order. With an unknown outcome the epoch stays open: the next start looks for the outcome. On paper the
 * open epoch also contains the venue.
 */
function closeJournal(journal: BotParts['journal'], engine: Engine, endsEpoch: boolean): void {
  try {
    if (endsEpoch && !engine.isUncertain) journal.closeEpoch('stopped', engine.checkpoint());
  } finally {
    journal.close();
  }
}

/** Contracts whose marks are read with every candle of their finest interval. */
function withCandles({ instruments }: SessionConfig): MarksAt {
  const contracts = instruments
    .filter(({ kind }) => kind === 'futures')
    .map(({ instrumentId, intervals }) => {
      return { instrumentId, intervalMs: Math.min(...intervals.map(nominalIntervalMs)) };
    });
  return (closeTime) =>
    contracts
      .filter(({ intervalMs }) => closeTime % intervalMs === 0)
      .map(({ instrumentId }) => instrumentId);
}
