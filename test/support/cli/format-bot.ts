import { stringify } from 'yaml';
import type { BotConfig, SimulationConfig } from '../../../src/assembly/index.js';
import { formatFixed, formatUtc } from '../../../src/domain/index.js';

/** Writes a parsed bot as the YAML it could have come from. */
export function formatBot(config: BotConfig): string {
  const { version, name, strategy, instruments, equityCurrency, risk, warmUp, simulation, live } =
    config;
  return stringify(
    {
      version,
      name,
      strategy,
      equityCurrency,
      instruments: instruments.map(({ kind, symbol, intervals }) => ({
        product: kind,
        symbol,
        intervals,
      })),
      risk: riskBlock(risk),
      warmUp,
      live: liveBlock(live),
      ...(simulation === undefined ? {} : { simulation: simulationBlock(simulation) }),
    },
    { defaultStringType: 'QUOTE_DOUBLE', keepUndefined: false },
  );
}

function riskBlock({ protections, ...terms }: BotConfig['risk']): unknown {
  const {
    maxPositionQuantity,
    maxAssetExposure,
    maxPriceAgeMs,
    minEntryIntervalMs,
    cooldownAfterStopMs,
    drawdownWindowMs,
    haltMs,
    fundingBlock,
    tradingHours,
    ...limits
  } = protections;
  return amountsAsText({
    ...terms,
    ...limits,
    maxPositionQuantity: maxPositionQuantity && Object.fromEntries(maxPositionQuantity),
    maxAssetExposure: maxAssetExposure && Object.fromEntries(maxAssetExposure),
    maxPriceAge: duration(maxPriceAgeMs),
    minEntryInterval: duration(minEntryIntervalMs),
    cooldownAfterStop: duration(cooldownAfterStopMs),
    drawdownWindow: duration(drawdownWindowMs),
    haltFor: duration(haltMs),
    fundingBlock: fundingBlock && {
      before: duration(fundingBlock.beforeMs),
      after: duration(fundingBlock.afterMs),
    },
    tradingHours: tradingHours?.map(({ days, from, to }) => ({
      days: days.map((day) => ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][day]),
      from: clock(from),
      to: clock(to),
    })),
  });
}

function duration(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${String(ms)}ms`;
}

function clock(minutes: number): string {
  const padded = (value: number): string => String(value).padStart(2, '0');
  return `${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}

function simulationBlock(config: SimulationConfig): unknown {
  const { maxGapMs, from, to, latency, feeChanges, fees, futures, ...simulation } = config;
  const { fundingIntervalMs, tiers, ...contracts } = futures;
  return amountsAsText({
    ...simulation,
    fees: {
      ...fees,
      changes: feeChanges.map(({ instrumentId, ...change }) => ({
        ...change,
        from: formatUtc(change.from),
        symbol: instrumentId,
      })),
    },
    latencyMs: latency.submit,
    cancelLatencyMs: latency.cancel,
    futures: {
      ...contracts,
      fundingInterval: duration(fundingIntervalMs),
      tiers: Object.fromEntries(tiers),
    },
    balances: Object.fromEntries(simulation.balances.spot ?? []),
    rules: Object.fromEntries(simulation.rules),
    from: from === undefined ? undefined : formatUtc(from),
    to: to === undefined ? undefined : formatUtc(to),
    maxGap: duration(maxGapMs),
  });
}

function liveBlock({ allocation, ...live }: BotConfig['live']): unknown {
  return amountsAsText({ ...live, allocation: Object.fromEntries(allocation.spot ?? []) });
}

function amountsAsText(value: unknown): unknown {
  if (typeof value === 'bigint') return formatFixed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(amountsAsText);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, amountsAsText(member)]),
  );
}
