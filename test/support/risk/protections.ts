import {
  parseFixed,
  type Direction,
  type EpochMs,
  type Halt,
  type Instrument,
} from '../../../src/domain/index.js';
import {
  foldProtections,
  INITIAL_PROTECTION_STATE,
  type Exposure,
  type ProtectionConfig,
  type ProtectionState,
  type ProtectionView,
  type RiskStateEvent,
} from '../../../src/risk/index.js';
import { SPOT } from './builders.js';

/** 2025-06-15, a Sunday, at 15:06:40 UTC. */
export const NOW: EpochMs = 1_750_000_000_000;

/** State after these events, and all halts on the way. */
export function replay(
  events: readonly RiskStateEvent[],
  config: ProtectionConfig,
): { readonly state: ProtectionState; readonly halted: readonly Halt[] } {
  let state = INITIAL_PROTECTION_STATE;
  const halted: Halt[] = [];
  for (const event of events) {
    const step = foldProtections(state, event, config);
    state = step.state;
    halted.push(...step.halted);
  }
  return { state, halted };
}

export const equityAt = (time: EpochMs, equity: string): RiskStateEvent => ({
  kind: 'equity',
  time,
  equity: parseFixed(equity),
});

export const sentAt = (
  time: EpochMs,
  action: 'open' | 'close' = 'open',
  instrument: Instrument = SPOT,
): RiskStateEvent => ({ kind: 'order-sent', time, instrumentId: instrument.id, action });

export const closedAt = (time: EpochMs, profit: string): RiskStateEvent => ({
  kind: 'trade-closed',
  time,
  profit: parseFixed(profit),
});

export function anExposure(
  notional: string,
  overrides: {
    readonly instrument?: Instrument;
    readonly direction?: Direction;
    readonly quantity?: string;
  } = {},
): Exposure {
  return {
    instrument: overrides.instrument ?? SPOT,
    direction: overrides.direction ?? 'long',
    quantity: parseFixed(overrides.quantity ?? '1'),
    notional: parseFixed(notional),
  };
}

/** The view of guards before any event. `overrides` replaces values. */
export function aView(
  overrides: {
    readonly state?: ProtectionState;
    readonly exposures?: readonly Exposure[];
    readonly usedMargin?: string;
    readonly openOrders?: number;
    readonly priceTime?: EpochMs | undefined;
    readonly funding?: { readonly previous: EpochMs; readonly next: EpochMs };
  } = {},
): ProtectionView {
  return {
    state: overrides.state ?? INITIAL_PROTECTION_STATE,
    exposures: () => overrides.exposures ?? [],
    usedMargin: () => parseFixed(overrides.usedMargin ?? '0'),
    openOrders: () => overrides.openOrders ?? 0,
    priceTime: () => ('priceTime' in overrides ? overrides.priceTime : NOW),
    fundingTimes: () => overrides.funding,
  };
}
