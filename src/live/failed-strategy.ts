import { UsageError, type EpochMs } from '../domain/index.js';
import type { Engine, EngineEvent } from '../engine/index.js';
import type { BotStatus } from './bot-control.js';

export interface FailedStrategyOptions {
  readonly bot: string;
  readonly mode: BotStatus['mode'];
  /** Whether it stands in for a bot whose process has ended. */
  readonly isGuard: boolean;
  readonly engine: Pick<Engine, 'failures' | 'haltsInForce'>;
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** What becomes of a strategy that has failed: the journal is told, and the owner may let it begin anew. */
export class FailedStrategy {
  readonly #options: FailedStrategyOptions;
  #isTold = false;
  #isRestarting = false;

  constructor(options: FailedStrategyOptions) {
    this.#options = options;
  }

  /** The journal has it as soon as it is noticed: a strategy that is replayed may fail where it did, or not. */
  tell(): void {
    const { engine, tell } = this.#options;
    const { failures, haltsInForce } = engine;
    // One that could not even begin has failed outside of all events, too.
    const isHalted = haltsInForce.some(({ reason }) => reason === 'strategy-failed');
    const failure = failures.untold ?? (isHalted ? undefined : failures.inForce);
    if (failure === undefined || this.#isTold) return;
    this.#isTold = true;
    tell((time) => ({ kind: 'strategy-failed', time, failure }));
  }

  /** See {@link BotControl.restartStrategy}. */
  restart(): void {
    const { bot, mode, isGuard, engine, tell } = this.#options;
    if (isGuard)
      throw new UsageError(
        'E_STRATEGY_RUNS',
        `${bot}: a guard process stands in for the bot, without a strategy: start the bot first`,
      );
    if (engine.failures.inForce === undefined)
      throw new UsageError('E_STRATEGY_RUNS', `${bot}: its strategy has not failed`);
    if (mode === 'paper')
      throw new UsageError(
        'E_STRATEGY_RUNS',
        `${bot}: on paper nothing is carried over to a strategy that begins anew: start the bot with another journal`,
      );
    tell((time) => ({ kind: 'operator', time, action: 'restart-strategy' }));
    this.#isRestarting = true;
  }

  get isRestarting(): boolean {
    return this.#isRestarting;
  }
}
