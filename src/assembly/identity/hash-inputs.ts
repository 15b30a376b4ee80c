import { hash } from 'node:crypto';
import type { BacktestConfig } from '../../config/index.js';
import { canonical, canonicalObject } from './canonical.js';
import type { LoadedSeries } from '../market/load-market.js';
import { stopGridsOf } from '../replay/stop-grids.js';
import { ENGINE_VERSION } from './version.js';

/** What a run's identity is made of. Equal inputs give equal hashes on every machine: no path and no clock goes in. */
export interface InputHashes {
  readonly config: string;
  readonly data: string;
  /** All inputs together: config, data, strategy source, engine version. */
  readonly run: string;
}

/** What of a series goes into the hash of data. */
export type HashedSeries = Pick<LoadedSeries, 'instrumentId' | 'interval'> & {
  readonly info: Pick<LoadedSeries['info'], 'columnsSha256'>;
};

/** `terms`: hash of what was stored beside the candles; empty when nothing was. */
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
 * Hash of what a configuration means: two files that say the same have the same. No path goes in.
 *
 * Configurations are never written to: a part that several share is written out once.
 */
export function hashConfig(config: BacktestConfig): string {
  return sha256(writeConfig(config));
}

/** What {@link hashConfig} hashes, as plain values. */
export function describeConfig(config: BacktestConfig): Readonly<Record<string, unknown>> {
  return JSON.parse(writeConfig(config)) as Readonly<Record<string, unknown>>;
}

function writeConfig(config: BacktestConfig): string {
  const { strategy, simulation, instruments, risk, warmUp, name, equityCurrency, version } = config;
  return canonicalObject([
    ['version', canonical(version)],
    ['name', canonical(name)],
    ['instruments', writtenOnce(instruments, (list) => list)],
    // Below which distance the operator is told of a liquidation changes nothing that is traded.
    [
      'risk',
      writtenOnce(risk, ({ protections, ...terms }) => ({
        ...terms,
        ...protections,
        liquidationWarning: undefined,
      })),
    ],
    ['equityCurrency', canonical(equityCurrency)],
    // What it was before it could be said is not written.
    // Whether a bot waits changes no decision: its journal has what it was told of that.
    ...(warmUp.length === 'lookback'
      ? []
      : [['warmUp', canonical({ length: warmUp.length })] as const]),
    ['strategy', canonical({ export: strategy.export, parameters: strategy.parameters })],
    // How often stops are sampled is what counts, said or worked out.
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

/** The name that was asked for last: all runs of a sweep have one. */
let latest = { name: '', botId: sha256('').slice(0, 8) };

/** By part of a configuration: those of a sweep's runs differ in parameters, and have the rest in common. */
const written = new WeakMap<object, string>();

function writtenOnce<Part extends object>(part: Part, meaning: (part: Part) => unknown): string {
  const known = written.get(part) ?? canonical(meaning(part));
  written.set(part, known);
  return known;
}

function sha256(text: string): string {
  return hash('sha256', text);
}
