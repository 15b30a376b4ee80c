import { present, TierBook, type InstrumentId, type RuleBook } from '../domain/index.js';
import {
  createGuards,
  INITIAL_PROTECTION_STATE,
  listChecks,
  type ActiveCheck,
  type EntryGuard,
  type ProtectionConfig,
  type ProtectionView,
} from '../risk/index.js';
import type { BacktestConfig, BotConfig } from '../config/index.js';
import { createInstrument } from './market/create-instruments.js';
import { createRiskPolicy } from './risk-policy.js';

/** An empty view: only names and limits of the guards are read here, and they do not depend on the state of a run. */
const NOTHING_YET: ProtectionView = {
  state: INITIAL_PROTECTION_STATE,
  exposures: () => [],
  usedMargin: () => 0n,
  openOrders: () => 0,
  priceTime: () => undefined,
  fundingTimes: () => undefined,
};

const HALTING = [
  'maxDailyLoss',
  'maxDailyLossRatio',
  'maxDrawdown',
  'maxDrawdownRatio',
  'maxConsecutiveLosses',
] as const satisfies readonly (keyof ProtectionConfig)[];

/** Lists, by instrument, the checks that an order must pass: the venue's limits and the operator's, in the order in which they are applied. */
export function listActiveChecks(
  config: BacktestConfig,
  book: RuleBook,
): ReadonlyMap<InstrumentId, readonly ActiveCheck[]> {
  const { risk, simulation } = config;
  const policy = createRiskPolicy(config, new TierBook());
  const guards = createGuards(risk.protections, NOTHING_YET);
  return new Map(
    config.instruments.map((each) => {
      const instrument = createInstrument(each);
      const rules = present(
        book.at(instrument.id, simulation.from ?? 0),
        `rules of ${instrument.id}`,
      );
      return [instrument.id, listChecks(instrument, rules, policy, guards)];
    }),
  );
}

/** Guards that no configuration turns on or off. */
const ALWAYS_ON: readonly string[] = ['reduce-only', 'degraded'];

/** Lists the protections that a configuration turns on, with their limits. */
export function listProtections(
  config: ProtectionConfig,
): readonly Pick<EntryGuard, 'name' | 'limit'>[] {
  const canHalt = HALTING.some((key) => config[key] !== undefined);
  return createGuards(config, NOTHING_YET)
    .filter(({ name }) => !ALWAYS_ON.includes(name) && (name !== 'halted' || canHalt))
    .map(({ name, limit }) => ({ name, limit }));
}

/** A key of `risk` without effect. */
interface IdleProtection {
  readonly key: string;
  /** What it needs that the bot does not have. */
  readonly needs: string;
}

/** Finds the keys of protections that have no effect: they concern only contracts and the bot trades none, or they belong to a limit that is not set. */
export function findIdleProtections({ instruments, risk }: BotConfig): readonly IdleProtection[] {
  const { protections } = risk;
  const { maxMarginUse, fundingBlock, priceBand, maxDrawdown, maxDrawdownRatio } = protections;
  const { maxPositionQuantity, maxAssetExposure } = protections;
  const hasFutures = instruments.some(({ kind }) => kind === 'futures');
  const hasDrawdown = maxDrawdown !== undefined || maxDrawdownRatio !== undefined;
  const halts = hasDrawdown || protections.maxConsecutiveLosses !== undefined;
  const idle: IdleProtection[] = [];
  const need = (isIdle: boolean, key: string, needs: string): void => {
    if (isIdle) idle.push({ key, needs });
  };
  need(!hasFutures && maxMarginUse !== undefined, 'maxMarginUse', CONTRACTS);
  need(!hasFutures && fundingBlock !== undefined, 'fundingBlock', CONTRACTS);
  need(!hasFutures && priceBand?.mark !== undefined, 'priceBand.mark', CONTRACTS);
  const isEmptyBand = priceBand?.last === undefined && priceBand?.mark === undefined;
  need(priceBand !== undefined && isEmptyBand, 'priceBand', 'last or mark');
  need(maxPositionQuantity?.size === 0, 'maxPositionQuantity', 'a symbol and its amount');
  need(maxAssetExposure?.size === 0, 'maxAssetExposure', 'an asset and its amount');
  const window = protections.drawdownWindowMs;
  need(window !== undefined && !hasDrawdown, 'drawdownWindow', DRAWDOWN);
  need(
    protections.haltMs !== undefined && !halts,
    'haltFor',
    `${DRAWDOWN}, or maxConsecutiveLosses`,
  );
  return idle;
}

const CONTRACTS = 'an instrument of futures';
const DRAWDOWN = 'maxDrawdown or maxDrawdownRatio';
