import { UsageError, type EpochMs } from '../../domain/index.js';
import type { Engine, EngineEvent } from '../../engine/index.js';
import type { BotStatus } from './bot-control.js';

interface FailedStrategyOptions {
  readonly bot: string;
  readonly mode: BotStatus['mode'];
  /** Whether this is the guard process of a bot that has ended. */
  readonly isGuard: boolean;
  readonly engine: Pick<Engine, 'failures' | 'haltsInForce'>;
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** Handles a failed strategy: writes the failure to the journal, and lets the owner restart the strategy. */
export class FailedStrategy {
  readonly #options: FailedStrategyOptions;
  #isTold = false;
  #isRestarting = false;

  constructor(options: FailedStrategyOptions) {
    this.#options = options;
  }

  /** Writes a failure to the journal as soon as it is noticed. A replayed strategy may fail at the same place, or not. */
  tell(): void {
    const { engine, tell } = this.#options;
    const { failures, haltsInForce } = engine;
    // A strategy that could not even begin has also failed outside of all events.
    const isHalted = haltsInForce.some(({ reason }) => reason === 'strategy-failed');
    const failure = failures.untold ?? (isHalted ? undefined : failures.inForce);
    if (failure === undefined || this.#isTold) return;
    this.#isTold = true;
    tell((time) => ({ kind: 'strategy-failed', time, failure }));
  }

  /** See {@link BotControl.restartStrategy}. Returns a function that tells the engine. */
  restart(): () => void {
    const { bot, mode, isGuard, engine, tell } = this.#options;
    if (isGuard)
      throw new UsageError(
        'E_STRATEGY_RUNS',
        `${bot}: only its guard process is running, which has no strategy; start the bot first`,
      );
    if (engine.failures.inForce === undefined)
      throw new UsageError('E_STRATEGY_RUNS', `${bot}: its strategy has not failed`);
    if (mode === 'paper')
      throw new UsageError(
        'E_STRATEGY_RUNS',
        `${bot}: on paper a strategy cannot restart in the same journal; start the bot with a new journal`,
      );
    this.#isRestarting = true;
    return () => {
      tell((time) => ({ kind: 'operator', time, action: 'restart-strategy' }));
    };
  }

  get isRestarting(): boolean {
    return this.#isRestarting;
  }
}
