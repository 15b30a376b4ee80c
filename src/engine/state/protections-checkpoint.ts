import type { Direction, EpochMs, Fixed, Halt, InstrumentId } from '../../domain/index.js';
import type { Degradation, ProtectionState } from '../../risk/index.js';

/** Members that may be undefined; a checkpoint leaves them out then, as its JSON does. */
type Uncertain = 'degraded' | 'equity' | 'dayEquity';

/** State that protections continue from, with the result so far of trades that are not over. */
export interface ProtectionsCheckpoint
  extends
    Omit<ProtectionState, 'halts' | 'lastEntries' | 'lastStops' | 'closed' | Uncertain>,
    Partial<Pick<ProtectionState, Uncertain>> {
  readonly halts: readonly (Omit<Halt, 'until'> & Partial<Pick<Halt, 'until'>>)[];
  readonly lastEntries: readonly InstrumentTime[];
  readonly lastStops: readonly InstrumentTime[];
  readonly trades: readonly TradeCheckpoint[];
  /** Instruments that are closed for entries. @defaultValue none */
  readonly closed?: readonly (Degradation & { readonly instrumentId: InstrumentId })[];
}

interface InstrumentTime {
  readonly instrumentId: InstrumentId;
  readonly time: EpochMs;
}

/** The trade of one side since it was last flat. */
interface TradeCheckpoint {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Realized by closes, without costs: in quote, for inverse contracts in base. */
  readonly profit: Fixed;
  /** In the equity currency. */
  readonly costs: Fixed;
}

export function takeProtectionState(
  state: ProtectionState,
  trades: readonly TradeCheckpoint[],
): ProtectionsCheckpoint {
  const { halts, degraded, equity, dayEquity, lastEntries, lastStops, closed, ...certain } = state;
  return {
    ...certain,
    halts: halts.map(({ until, ...halt }) => ({ ...halt, ...(until !== undefined && { until }) })),
    ...(degraded && { degraded }),
    ...(closed.size > 0 && {
      closed: [...closed].map(([instrumentId, why]) => ({ instrumentId, ...why })),
    }),
    ...(equity !== undefined && { equity }),
    ...(dayEquity !== undefined && { dayEquity }),
    lastEntries: listTimes(lastEntries),
    lastStops: listTimes(lastStops),
    trades,
  };
}

export function restoreProtectionState(checkpoint: ProtectionsCheckpoint): ProtectionState {
  const { halts, isReduceOnly, degraded, equity, dayStart, dayEquity, dayOrders } = checkpoint;
  const { peaks, consecutiveLosses, recentOrders, lastEntries, lastStops } = checkpoint;
  const closed = new Map(
    (checkpoint.closed ?? []).map(({ instrumentId, ...why }) => [instrumentId, why]),
  );
  return {
    closed,
    ...{ isReduceOnly, degraded, equity, dayStart, dayEquity, dayOrders },
    ...{ peaks, consecutiveLosses, recentOrders },
    halts: halts.map((halt) => ({ ...halt, until: halt.until })),
    lastEntries: mapTimes(lastEntries),
    lastStops: mapTimes(lastStops),
  };
}

function listTimes(times: ReadonlyMap<InstrumentId, EpochMs>): readonly InstrumentTime[] {
  return [...times].map(([instrumentId, time]) => ({ instrumentId, time }));
}

function mapTimes(times: readonly InstrumentTime[]): ReadonlyMap<InstrumentId, EpochMs> {
  return new Map(times.map(({ instrumentId, time }) => [instrumentId, time]));
}
