import {
  assertNever,
  DAY_MS,
  HOUR_MS,
  type EpochMs,
  type Fixed,
  type Halt,
} from '../../domain/index.js';
import { drawdownHalt, keepPeaks } from './drawdown.js';
import { dailyLossHalt, lossesHalt } from './loss-limits.js';
import type { ProtectionConfig } from './protection-config.js';
import type {
  Degradation,
  HealthEvent,
  OperatorCommand,
  ProtectionState,
  RiskStateEvent,
} from './protection-state.js';

/** Only the owner ends this halt, by `restart-strategy`. `resume` does not end it. */
const FAILED: Halt['reason'] = 'strategy-failed';

/** The state after an event, and the halts that it caused. The engine tells the strategy about them and takes each halt's action. */
interface ProtectionStep {
  readonly state: ProtectionState;
  readonly halted: readonly Halt[];
}

/**
 * Applies one event to the state of the protections.
 *
 * Pure: the same events give the same state and the same halts, so replaying a journal rebuilds both. Events come in order of time.
 */
export function foldProtections(
  before: ProtectionState,
  event: RiskStateEvent,
  config: ProtectionConfig,
): ProtectionStep {
  const state = expireHalts(startDay(before, event.time, config), event.time);
  switch (event.kind) {
    case 'equity':
      return sampleEquity(state, event.time, event.equity, config);
    case 'order-sent':
      return quiet({
        ...state,
        dayOrders: state.dayOrders + 1,
        recentOrders: keepRecent(state.recentOrders, event.time, config),
        lastEntries:
          event.action === 'open'
            ? new Map(state.lastEntries).set(event.instrumentId, event.time)
            : state.lastEntries,
      });
    case 'stop-fired':
      return quiet({
        ...state,
        lastStops: new Map(state.lastStops).set(event.instrumentId, event.time),
      });
    case 'trade-closed': {
      const consecutiveLosses = event.profit < 0n ? state.consecutiveLosses + 1 : 0;
      const next = { ...state, consecutiveLosses };
      return raise(next, [lossesHalt(next, event.time, config)]);
    }
    case 'operator':
      return obey(state, event.time, event.command);
    case 'strategy-failed': {
      const { time: since, text } = event;
      const halt: Halt = { reason: FAILED, since, until: undefined, action: 'cancel', text };
      return raise(state, [halt]);
    }
    case 'health':
      return quiet(afterHealth(state, event));
    default:
      return assertNever(event);
  }
}

function quiet(state: ProtectionState): ProtectionStep {
  return { state, halted: [] };
}

/** Adds halts, each reason once. While a halt is in force, reaching its limit again adds nothing. */
function raise(state: ProtectionState, candidates: readonly (Halt | undefined)[]): ProtectionStep {
  const halted = candidates.filter(
    (halt): halt is Halt =>
      halt !== undefined && !state.halts.some(({ reason }) => reason === halt.reason),
  );
  if (halted.length === 0) return quiet(state);
  return { state: { ...state, halts: [...state.halts, ...halted] }, halted };
}

function startDay(
  state: ProtectionState,
  time: EpochMs,
  { resetHour = 0 }: ProtectionConfig,
): ProtectionState {
  const offset = resetHour * HOUR_MS;
  const dayStart = Math.floor((time - offset) / DAY_MS) * DAY_MS + offset;
  if (dayStart === state.dayStart) return state;
  return { ...state, dayStart, dayEquity: state.equity, dayOrders: 0 };
}

/** Resets the counts of a halt when it ends. Otherwise the next sample would halt again. */
function expireHalts(state: ProtectionState, time: EpochMs): ProtectionState {
  if (state.halts.length === 0) return state;
  const ended = state.halts.filter(({ until }) => until !== undefined && until <= time);
  if (ended.length === 0) return state;
  const reasons = new Set(ended.map(({ reason }) => reason));
  return {
    ...state,
    halts: state.halts.filter((halt) => !ended.includes(halt)),
    peaks: reasons.has('drawdown') ? [] : state.peaks,
    consecutiveLosses: reasons.has('consecutive-losses') ? 0 : state.consecutiveLosses,
  };
}

function sampleEquity(
  before: ProtectionState,
  time: EpochMs,
  equity: Fixed,
  config: ProtectionConfig,
): ProtectionStep {
  const state: ProtectionState = {
    ...before,
    equity,
    dayEquity: before.dayEquity ?? equity,
    peaks: keepPeaks(before.peaks, { time, equity }, config.drawdownWindowMs),
  };
  return raise(state, [dailyLossHalt(state, time, config), drawdownHalt(state, time, config)]);
}

/** Keeps as many times as the limit counts. When the oldest of them is a minute ago, one more order is allowed. */
function keepRecent(
  times: readonly EpochMs[],
  time: EpochMs,
  { maxOrdersPerMinute = 0 }: ProtectionConfig,
): readonly EpochMs[] {
  return maxOrdersPerMinute === 0 ? times : [...times, time].slice(-maxOrdersPerMinute);
}

function obey(state: ProtectionState, time: EpochMs, command: OperatorCommand): ProtectionStep {
  switch (command.kind) {
    case 'halt': {
      const { action, text } = command;
      return raise(action === 'flatten' ? withoutLighter(state) : state, [
        { reason: 'operator', since: time, until: undefined, action, text },
      ]);
    }
    case 'reduce-only':
      return quiet({ ...state, isReduceOnly: true });
    case 'resume':
      return quiet({
        ...state,
        halts: state.halts.filter(({ reason }) => reason === FAILED),
        closed: new Map([...state.closed].filter(([, { untilResumed }]) => untilResumed !== true)),
        isReduceOnly: false,
        dayEquity: state.equity,
        peaks: [],
        consecutiveLosses: 0,
      });
    case 'restart-strategy':
      return quiet({ ...state, halts: state.halts.filter(({ reason }) => reason !== FAILED) });
    default:
      return assertNever(command);
  }
}

function afterHealth(
  state: ProtectionState,
  { time, isDegraded, text, instrumentId, untilResumed }: HealthEvent,
): ProtectionState {
  const after = (before: Degradation | undefined): Degradation | undefined =>
    isDegraded
      ? { since: before?.since ?? time, text, ...(untilResumed === true && { untilResumed }) }
      : undefined;
  if (instrumentId === undefined) return { ...state, degraded: after(state.degraded) };
  const closed = new Map(state.closed);
  const found = after(closed.get(instrumentId));
  if (found === undefined) closed.delete(instrumentId);
  else closed.set(instrumentId, found);
  return { ...state, closed };
}

/** Removes the operator's halts that only refuse entries. Otherwise a halt that closes every position would not be added. */
function withoutLighter(state: ProtectionState): ProtectionState {
  const halts = state.halts.filter(
    ({ reason, action }) => reason !== 'operator' || action === 'flatten',
  );
  return { ...state, halts };
}
