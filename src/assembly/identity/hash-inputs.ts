import { hash } from 'node:crypto';
import type { BacktestConfig } from '../../config/index.js';
import { canonical, canonicalObject } from './canonical.js';
import type { LoadedSeries } from '../market/load-market.js';
import { stopGridsOf } from '../replay/stop-grids.js';
import { ENGINE_VERSION } from './version.js';

/** The hashes of a run's identity. Equal inputs give equal hashes on every machine: paths and clocks are not included. */
export interface InputHashes {
  readonly config: string;
  readonly data: string;
  /** All inputs together: config, data, strategy source, engine version. */
  readonly run: string;
}

/** The parts of a series that the hash of data covers. */
export type HashedSeries = Pick<LoadedSeries, 'instrumentId' | 'interval'> & {
  readonly info: Pick<LoadedSeries['info'], 'columnsSha256'>;
};

/** `terms`: hash of the data stored beside the candles; empty if there is none. */
export function hashInputs(
  config: BacktestConfig,
  data: { readonly series: readonly HashedSeries[]; readonly terms: string },
  sourceHash: string,
): InputHashes {
  const configHash = hashConfig(config);
  const dataHash = sha256(
    data.series
      .map(
        ({ instrumentId, interval, info }) => `${instrumentId} ${interval} ${info.columnsSha256}\n`,
      )
      .join('') + data.terms,
  );
  return {
    config: configHash,
    data: dataHash,
    run: sha256([configHash, dataHash, sourceHash, ENGINE_VERSION].join('\n')),
  };
}

/**
 * Hash of the meaning of a configuration: two files with the same meaning have the same hash. Paths are not included.
 *
 * Configurations never change, so a part that several of them share is serialized only once.
 */
export function hashConfig(config: BacktestConfig): string {
  return sha256(writeConfig(config));
}

/** Returns the input of {@link hashConfig} as plain values. */
export function describeConfig(config: BacktestConfig): Readonly<Record<string, unknown>> {
  return JSON.parse(writeConfig(config)) as Readonly<Record<string, unknown>>;
}

function writeConfig(config: BacktestConfig): string {
  const { strategy, simulation, instruments, risk, warmUp, name, equityCurrency, version } = config;
  return canonicalObject([
    ['version', canonical(version)],
    ['name', canonical(name)],
    ['instruments', writtenOnce(instruments, (list) => list)],
    // The distance for warnings of a liquidation changes no trade.
    [
      'risk',
      writtenOnce(risk, ({ protections, ...terms }) => ({
        ...terms,
        ...protections,
        liquidationWarning: undefined,
      })),
    ],
    ['equityCurrency', canonical(equityCurrency)],
    // `lookback` is not written, so that its hashes are the same as before the key existed. Whether a bot waits changes no decision: its journal contains the
    // events about that.
    ...(warmUp.length === 'lookback'
      ? []
      : [['warmUp', canonical({ length: warmUp.length })] as const]),
    ['strategy', canonical({ export: strategy.export, parameters: strategy.parameters })],
    // Written as the sampling grids in effect, whether they are set or computed.
    [
      'simulation',
      writtenOnce(simulation, ({ models, ...terms }) => ({
        ...terms,
        ...(models?.fees && { fees: { model: models.fees.id }, feeChanges: undefined }),
        ...(models?.slippage && { slippage: { model: models.slippage.id } }),
        stopPollMs: stopGridsOf(config),
        archive: undefined,
      })),
    ],
  ]);
}

/** Hash of a strategy's parameters, defaults filled in. */
export function hashParameters(parameters: Readonly<Record<string, unknown>>): string {
  return sha256(canonical(parameters));
}

/** Start of the bot's client order ids: 8 hexadecimal digits of the hash of its name. */
export function createBotId(name: string): string {
  if (name !== latest.name) latest = { name, botId: sha256(name).slice(0, 8) };
  return latest.botId;
}

/** The latest name with its id: all runs of a sweep have one name. */
let latest = { name: '', botId: sha256('').slice(0, 8) };

/** Serialized text by part of a configuration. The runs of a sweep differ in parameters and share the other parts. */
const written = new WeakMap<object, string>();

function writtenOnce<Part extends object>(part: Part, meaning: (part: Part) => unknown): string {
  const known = written.get(part) ?? canonical(meaning(part));
  written.set(part, known);
  return known;
}

function sha256(text: string): string {
  return hash('sha256', text);
}
