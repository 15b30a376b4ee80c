import path from 'node:path';
import type {
  BotConfig,
  InstrumentConfig,
  LiveConfig,
  ConfiguredSecret,
  SimulationConfig,
  VenueConfig,
} from '../../assembly/index.js';
import {
  DomainError,
  resolveRules,
  type Asset,
  type ConfigError,
  type InstrumentId,
  type InstrumentRules,
} from '../../domain/index.js';
import { buildRisk } from './build-risk.js';
import { buildBalances, buildFeeChanges, buildFutures } from './build-accounts.js';
import { byInstrument, type CheckContext } from './by-instrument.js';
import { combineProblems } from './combine-problems.js';
import { omitUndefined } from './omit-undefined.js';
import type { BotDocument } from './schema.js';
import type { YamlDocument } from './yaml-document.js';

/** How often stops sample last where the file does not say: the venue takes fewer calls of contracts (DESIGN R9). */
const SPOT_STOP_POLL_MS = 1_000;
const FUTURES_STOP_POLL_MS = 2_000;

interface BuildContext {
  /** Absolute folder of the file. */
  readonly directory: string;
  readonly document: YamlDocument;
}

/**
 * Makes the parsed config of a document whose shape is right: resolves paths and names, and checks what keys say about each other.
 *
 * @throws {ConfigError} or AggregateError of them.
 */
export function buildConfig(bot: BotDocument, { directory, document }: BuildContext): BotConfig {
  const problems: ConfigError[] = [];
  const context = { directory, document, problems };
  const equityCurrency = chooseEquityCurrency(bot, context);
  const simulation = bot.simulation && buildSimulation(bot.simulation, bot.instruments, context);
  const risk = buildRisk(bot.risk, bot.instruments, context);
  const live = buildLive(bot, simulation, context);
  if (problems.length > 0) throw combineProblems(problems);
  return {
    version: bot.version,
    name: bot.name,
    strategy: {
      path: path.resolve(directory, bot.strategy.path),
      export: bot.strategy.export,
      parameters: bot.strategy.parameters,
    },
    instruments: bot.instruments,
    equityCurrency,
    risk,
    simulation,
    venue: bot.venue && buildVenue(bot.venue, directory),
    live,
  };
}

function chooseEquityCurrency(bot: BotDocument, { document, problems }: CheckContext): Asset {
  const quotes = [...new Set(bot.instruments.map(({ quote }) => quote))];
  if (bot.equityCurrency === undefined && quotes.length > 1) {
    problems.push(
      document.problem('E_CONFIG_MISSING', ['equityCurrency'], {
        expected: `one of ${quotes.join(', ')}, because the instruments have several quotes`,
      }),
    );
  }
  return bot.equityCurrency ?? quotes[0] ?? '';
}

function buildSimulation(
  simulation: NonNullable<BotDocument['simulation']>,
  instruments: readonly InstrumentConfig[],
  context: BuildContext & CheckContext,
): SimulationConfig {
  const { document, problems } = context;
  const { maxGap, archive, balances, rules, from, to, stopPollMs, ...others } = simulation;
  const { latencyMs, cancelLatencyMs, ...rest } = others;
  const { changes, ...fees } = simulation.fees;
  if (from !== undefined && to !== undefined && from >= to) {
    const expected = `an instant after simulation.from (${document.describe(['simulation', 'from'])})`;
    problems.push(document.problem('E_CONFIG_VALUE', ['simulation', 'to'], { expected }));
  }
  return {
    ...rest,
    archive: path.resolve(context.directory, archive),
    from,
    to,
    balances: buildBalances(balances, ['simulation', 'balances'], instruments, context),
    fees,
    feeChanges: buildFeeChanges(changes, instruments, context),
    latency: { submit: latencyMs, cancel: cancelLatencyMs ?? latencyMs },
    stopPollMs: {
      spot: stopPollMs ?? SPOT_STOP_POLL_MS,
      margin: stopPollMs ?? SPOT_STOP_POLL_MS,
      futures: stopPollMs ?? FUTURES_STOP_POLL_MS,
    },
    maxGapMs: maxGap,
    rules: buildRules(rules, instruments, context),
    futures: buildFutures(simulation.futures, instruments, context),
  };
}

function buildRules(
  rules: NonNullable<BotDocument['simulation']>['rules'],
  instruments: readonly InstrumentConfig[],
  context: CheckContext,
): ReadonlyMap<InstrumentId, InstrumentRules> {
  const place = ['simulation', 'rules'];
  for (const [name, record] of Object.entries(rules)) {
    try {
      resolveRules(omitUndefined(record));
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      context.problems.push(
        context.document.problem('E_CONFIG_VALUE', [...place, name], {
          expected: 'consistent rules',
          received: `others (${error.message})`,
        }),
      );
    }
  }
  const found = byInstrument(rules, place, instruments, context);
  return new Map([...found].map(([id, record]) => [id, omitUndefined(record)]));
}

function buildLive(
  { live, name, instruments }: BotDocument,
  simulation: SimulationConfig | undefined,
  context: BuildContext & CheckContext,
): LiveConfig {
  const { journal, allocation, ...rest } = live;
  return {
    ...rest,
    journal: path.resolve(context.directory, journal ?? `${name}.journal`),
    allocation:
      allocation === undefined
        ? (simulation?.balances ?? {})
        : buildBalances(allocation, ['live', 'allocation'], instruments, context),
  };
}

function buildVenue(venue: NonNullable<BotDocument['venue']>, directory: string): VenueConfig {
  const source = (name?: string, file?: string): ConfiguredSecret | undefined => {
    if (name !== undefined) return { kind: 'environment', name };
    return file === undefined ? undefined : { kind: 'file', path: path.resolve(directory, file) };
  };
  return {
    spotUrl: venue.spotUrl,
    futuresUrl: venue.futuresUrl,
    key: source(venue.keyEnv, venue.keyFile),
    secret: source(venue.secretEnv, venue.secretFile),
  };
}
