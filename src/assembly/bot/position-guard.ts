import { hash } from 'node:crypto';
import { NEVER, type Observable } from 'rxjs';
import type { BacktestConfig } from '../../config/index.js';
import type { OrderIntent } from '../../domain/index.js';
import type { EngineCheckpoint } from '../../engine/index.js';
import type { Epoch } from '../../journal/index.js';
import { Strategy, STRATEGY, type StrategyClass } from '../../strategy/index.js';

/**
 * Stands where the strategy of a bot was, while the bot is dead: it wants nothing and reads nothing, so that the engine does what is left without a
 * strategy. Stops are sampled, exits are sent, and what was kept in `this.state` waits as it is.
 */
class PositionGuard extends Strategy({}) {
  static override readonly [STRATEGY] = { parameters: {}, requirements: {}, carriesState: true };

  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

/** Of all position guards, in the place of a plugin's hash: epochs with it are replayed without the plugin. */
const GUARD_HASH = hash('sha256', 'evenkeel position guard 1');

/** The strategy of an epoch, and what it is configured with. */
interface StrategyInputs {
  readonly config: BacktestConfig;
  readonly strategyClass: StrategyClass;
  readonly sourceHash: string;
}

/** The same bot with the guard in place of its strategy. Parameters of the strategy are none of the guard's. */
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

/** Whether an epoch is one of the guard process: it was run with what the bot was, but its strategy. */
export function isGuardEpoch({ header }: Pick<Epoch, 'header'>): boolean {
  return header.hashes.plugin === GUARD_HASH;
}

/**
 * Whether something is left to be looked after: a stop, a take-profit, an exit that waits, an order that may have filled, or may fill, or a trigger at the
 * venue. One that has outlived its position counts while it is being placed or taken away: what it may do later nobody can prevent.
 */
export function needsGuard({
  sides,
  orders,
  triggers = [],
}: Pick<EngineCheckpoint, 'sides' | 'orders' | 'triggers'>): boolean {
  return (
    orders.length > 0 ||
    triggers.some(
      ({ isOrphan, state }) => !isOrphan || state === 'submitting' || state === 'canceling',
    ) ||
    sides.some(
      ({ guard, brackets = [], exitJobs, failedExit }) =>
        guard !== undefined ||
        brackets.length > 0 ||
        exitJobs.length > 0 ||
        failedExit !== undefined,
    )
  );
}
