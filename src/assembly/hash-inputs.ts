import { createHash } from 'node:crypto';
import { formatFixed } from '../domain/index.js';
import type { BacktestConfig } from './bot-config.js';
import type { LoadedSeries } from './load-market.js';
import { ENGINE_VERSION } from './version.js';

/** What a run's identity is made of. Equal inputs give equal hashes on every machine: no path and no clock goes in. */
export interface InputHashes {
  readonly config: string;
  readonly data: string;
  /** All inputs together: config, data, strategy source, engine version. */
  readonly run: string;
}

export function hashInputs(
  config: BacktestConfig,
  series: readonly LoadedSeries[],
  sourceHash: string,
): InputHashes {
  const configHash = sha256(canonical(withoutPaths(config)));
  const dataHash = sha256(
    series
      .map(
        ({ instrumentId, interval, info }) => `${instrumentId} ${interval} ${info.columnsSha256}\n`,
      )
      .join(''),
  );
  return {
    config: configHash,
    data: dataHash,
    run: sha256([configHash, dataHash, sourceHash, ENGINE_VERSION].join('\n')),
  };
}

/** Start of the bot's client order ids: 8 hexadecimal digits of the hash of its name. */
export function createBotId(name: string): string {
  return sha256(name).slice(0, 8);
}

function withoutPaths(config: BacktestConfig): unknown {
  const { strategy, simulation, instruments, risk, name, equityCurrency, version } = config;
  const { protections, ...terms } = risk;
  return {
    version,
    name,
    instruments,
    risk: { ...terms, ...protections },
    equityCurrency,
    strategy: { export: strategy.export, parameters: strategy.parameters },
    simulation: { ...simulation, archive: undefined },
  };
}

/** JSON with sorted keys, exact amounts as decimal text and maps as objects: one text for one meaning. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(formatFixed(value));
  if (value instanceof Map) return canonical(Object.fromEntries(value as Map<string, unknown>));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
