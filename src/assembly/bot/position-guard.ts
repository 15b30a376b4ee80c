import { hash } from 'node:crypto';
import { NEVER, type Observable } from 'rxjs';
import type { BacktestConfig } from '../../config/index.js';
import type { OrderIntent } from '../../domain/index.js';
import type { EngineCheckpoint } from '../../engine/index.js';
import { isFlatten } from '../../live/index.js';
import type { Epoch } from '../../journal/index.js';
import { Strategy, STRATEGY, type StrategyClass } from '../../strategy/index.js';

/**
 * Replaces the strategy of a bot while the bot is dead. It raises no intents and reads nothing, so that the engine only does what works without a
 * strategy: stops are sampled, exits are sent, and the content of `this.state` stays as it is.
 */
class PositionGuard extends Strategy({}) {
  static override readonly [STRATEGY] = { parameters: {}, requirements: {}, carriesState: true };

  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

/** Replaces the hash of a plugin for all position guards: their epochs are replayed without the plugin. */
const GUARD_HASH = hash('sha256', 'evenkeel position guard 1');

/** The strategy of an epoch, and its configuration. */
interface StrategyInputs {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  readonly sourceHash: string;
}

/** Returns the same bot with the guard in place of its strategy, and without the strategy's parameters. */
export function withGuard<Inputs extends Omit<StrategyInputs, 'strategyClass' | 'sourceHash'>>(
  inputs: Inputs,
): Inputs & StrategyInputs {
  const { config } = inputs;
  return {
    ...inputs,
    config: { ...config, strategy: { ...config.strategy, parameters: {} } },
    strategyClass: PositionGuard,
    sourceHash: GUARD_HASH,
  };
}

/** Whether an epoch belongs to the guard process: it has the inputs of the bot, except for the strategy. */
export function isGuardEpoch({ header }: Pick<Epoch, 'header'>): boolean {
  return header.hashes.plugin === GUARD_HASH;
}

/**
 * Whether something is left to guard: a stop, a take-profit, an exit that waits or is sent in parts, an order that may have filled or may still fill, a
 * trigger at the venue, or a flatten of the operator or a protection that is not done. A trigger without a position counts only while it is being
 * placed or canceled. After that, no guard can prevent its effects.
 */
export function needsGuard(ending: LeftToGuard): boolean {
  const { sides, orders, triggers = [] } = ending;
  return (
    orders.length > 0 ||
    triggers.some(
      ({ isOrphan, state }) => !isOrphan || state === 'submitting' || state === 'canceling',
    ) ||
    sides.some(
      ({ guard, brackets = [], exitJobs, failedExits = [], rests }) =>
        guard !== undefined ||
        brackets.length > 0 ||
        exitJobs.length > 0 ||
        failedExits.length > 0 ||
        rests.some(({ intent, schedule }) => intent.kind === 'exit' && schedule !== undefined),
    ) ||
    isToBeFlat(ending)
  );
}

type LeftToGuard = Pick<
  EngineCheckpoint,
  'sides' | 'orders' | 'triggers' | 'positions' | 'protections'
>;

/** Whether a halt orders to leave every position, and something is held that can be sold. */
function isToBeFlat({ sides, positions, protections }: LeftToGuard): boolean {
  if (!protections.halts.some(isFlatten)) return false;
  const tooSmall = new Set(
    sides.flatMap((side) => (side.tooSmall === undefined ? [] : [side.instrumentId])),
  );
  return positions.some(({ isHeld, instrumentId }) => isHeld && !tooSmall.has(instrumentId));
}
