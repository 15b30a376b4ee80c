import type {
  BacktestConfig,
  InstrumentConfig,
  SimulationConfig,
} from '../../src/assembly/index.js';
import {
  formatFixed,
  HOUR_MS,
  type AccountBalances,
  type DatedTiers,
} from '../../src/domain/index.js';
import type { ProtectionConfig } from '../../src/risk/index.js';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export interface BotFile {
  /** Relative to the file, as `archive`. */
  readonly strategy: string;
  readonly archive: string;
  /** Name of the exported class. */
  readonly exportName: string;
}

/**
 * Writes a config as a file that is read back as the same config: JSON, which is also YAML. Keys that only a paper or live bot reads are
 * left out.
 */
export function botFile(config: BacktestConfig, file: BotFile): string {
  const { name, strategy, instruments, equityCurrency, risk, simulation } = config;
  const { protections, ...policies } = risk;
  return JSON.stringify(
    {
      name,
      strategy: {
        path: file.strategy,
        export: file.exportName,
        parameters: strategy.parameters,
      },
      instruments: instruments.map(instrumentNode),
      equityCurrency,
      risk: toNode({ ...policies, ...protectionNodes(protections) }),
      simulation: toNode(simulationNodes(simulation, file.archive)),
    },
    undefined,
    1,
  );
}

export function instrumentNode(instrument: InstrumentConfig): unknown {
  const { kind, symbol, base, quote, intervals } = instrument;
  const common = { product: kind, symbol, base, quote, intervals };
  if (kind === 'spot') return common;
  if (kind === 'margin') return { ...common, leverage: formatFixed(instrument.leverage) };
  const { leverage, marginMode, contract, multiplier } = instrument;
  return toNode({ ...common, leverage, marginMode, contract, multiplier });
}

export function simulationNodes(simulation: SimulationConfig, archive: string): unknown {
  const { from, to, latency, fees, feeChanges, futures, maxGapMs, balances, ...rest } = simulation;
  const { fundingIntervalMs, tiers, ...terms } = futures;
  return {
    ...rest,
    archive,
    from: utcOf(from),
    to: utcOf(to),
    balances: balanceNodes(balances),
    latencyMs: latency.submit,
    cancelLatencyMs: latency.cancel,
    maxGap: durationOf(maxGapMs),
    fees: {
      ...fees,
      changes: feeChanges.map(({ instrumentId, from: since, maker, taker }) => ({
        maker,
        taker,
        from: utcOf(since),
        symbol: instrumentId?.split(':')[1],
      })),
    },
    futures: {
      ...terms,
      // A file has whole hours only.
      fundingInterval: `${String(Math.ceil(fundingIntervalMs / HOUR_MS))}h`,
      tiers: new Map([...tiers].map(([id, dated]) => [id, dated.map(tierNode)])),
    },
  };
}

function tierNode({ from, tiers }: DatedTiers): unknown {
  return { from: utcOf(from), tiers: tiers.map((tier) => ({ ...tier })) };
}

/** Balances by account if there are several accounts. */
function balanceNodes(balances: AccountBalances): unknown {
  return Object.fromEntries(
    Object.entries(balances as Readonly<Record<string, ReadonlyMap<string, bigint>>>).flatMap(
      ([account, amounts]) =>
        [...amounts].map(([asset, amount]) => [`${account}:${asset}`, amount]),
    ),
  );
}

export function protectionNodes(protections: ProtectionConfig): object {
  const {
    maxPriceAgeMs,
    minEntryIntervalMs,
    cooldownAfterStopMs,
    drawdownWindowMs,
    haltMs,
    fundingBlock,
    tradingHours,
    ...limits
  } = protections;
  return {
    ...limits,
    maxPriceAge: durationOf(maxPriceAgeMs),
    minEntryInterval: durationOf(minEntryIntervalMs),
    cooldownAfterStop: durationOf(cooldownAfterStopMs),
    drawdownWindow: durationOf(drawdownWindowMs),
    haltFor: durationOf(haltMs),
    fundingBlock: fundingBlock && {
      before: durationOf(fundingBlock.beforeMs),
      after: durationOf(fundingBlock.afterMs),
    },
    tradingHours: tradingHours?.map(({ days, from, to }) => ({
      days: days.map((day) => DAYS[day]),
      from: clockOf(from),
      to: clockOf(to),
    })),
  };
}

/** Turns amounts into quoted decimals and maps into mappings. */
export function toNode(value: unknown): unknown {
  if (typeof value === 'bigint') return formatFixed(value);
  if (value instanceof Map) return toNode(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(toNode);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toNode(member)]));
}

function utcOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

function durationOf(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : `${String(milliseconds / 1_000)}s`;
}

/** Minutes after midnight as a time of day. */
function clockOf(minutes: number): string {
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
