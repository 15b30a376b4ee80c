import { present, type EpochMs } from '../domain/index.js';
import { Engine, NO_JOURNAL, type EngineOptions } from '../engine/index.js';
import type { StrategyClass, StrategyLog } from '../strategy/index.js';
import type { BacktestConfig } from '../config/index.js';
import { createInstrument } from './market/create-instruments.js';
import { createFundingRates, createFundingTimes } from './market/funding-times.js';
import { createBotId } from './identity/hash-inputs.js';
import type { MarketTerms } from './market/load-terms.js';
import { createRiskPolicy } from './risk-policy.js';
import { describePlace } from './plugins/plugin-places.js';
import { resolveParameters } from './plugins/resolve-parameters.js';

export interface CreateEngineOptions extends Partial<
  Pick<
    EngineOptions,
    | 'checkpoint'
    | 'journal'
    | 'records'
    | 'log'
    | 'onVerdict'
    | 'onConstructed'
    | 'reviseIntent'
    | 'servesReadings'
    | 'cashWatch'
    | 'inputs'
    | 'outlivesStrategy'
  >
> {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  readonly terms: MarketTerms;
  /** Whether funding rates are read from a venue and so are unknown before they are read. @defaultValue false: the rates of `terms` */
  readonly readsFundingRates?: boolean | undefined;
  /** The clock while the strategy is constructed. */
  readonly constructed: EpochMs;
}

/** Adds a day's interest to debts that the venue does not show. This holds in every mode, so that a backtest has the limits of the bot. */
const HOURS_OF_RESERVE = 24n;

const SILENT: StrategyLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};

/**
 * Makes the engine that a configuration describes: the same one for a backtest and for the replay of its journal.
 *
 * @throws {ConfigError} when the configuration does not fit the strategy.
 */
export function createEngine(options: CreateEngineOptions): Engine {
  return new Engine(engineOptions(options));
}

/** The engine options of a configuration. @throws as {@link createEngine}. */
export function engineOptions(options: CreateEngineOptions): EngineOptions {
  const { config, strategyClass, terms, constructed, journal, log, onVerdict } = options;
  const { simulation, risk } = config;
  const instruments = config.instruments.map(createInstrument);
  return {
    botId: createBotId(config.name),
    strategyClass,
    parameters: resolveParameters(config, strategyClass),
    instruments: config.instruments.map(({ intervals }, index) => ({
      instrument: present(instruments[index], 'instrument'),
      intervals,
    })),
    rules: terms.rules,
    policy: createRiskPolicy(config, terms.tiers),
    positionMode: simulation.futures.positionMode,
    fundingTimes: createFundingTimes(terms, simulation.futures),
    fundingRateAt: options.readsFundingRates
      ? undefined
      : createFundingRates(terms, simulation.futures),
    hourlyRate: simulation.margin.hourlyRate,
    owedReserve: config.live.blindMargin ? HOURS_OF_RESERVE * simulation.margin.hourlyRate : 0n,
    maxFeeRate: simulation.futures.maxFeeRate,
    venueStops: venueStopsOf(config.live),
    protections: risk.protections,
    balances: simulation.balances,
    checkpoint: options.checkpoint,
    equityCurrency: config.equityCurrency,
    remainder: simulation.remainder,
    warmUpLength: config.warmUp.length,
    seed: simulation.seed,
    startTime: constructed,
    journal: journal ?? NO_JOURNAL,
    log: log ?? SILENT,
    servesReadings: options.servesReadings,
    records: options.records,
    cashWatch: options.cashWatch,
    inputs: options.inputs,
    outlivesStrategy: options.outlivesStrategy,
    describePlace: (error) => describePlace(strategyClass, error),
    onVerdict,
    onConstructed: options.onConstructed,
    reviseIntent: options.reviseIntent,
  };
}

/** Which stops the venue also holds. The same in every mode. */
function venueStopsOf({
  venueStops: kind,
  disasterDistance: distance,
  orphans,
}: BacktestConfig['live']): EngineOptions['venueStops'] {
  return kind === 'off' ? undefined : { kind, distance, orphans };
}
