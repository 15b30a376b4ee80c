import { UnsubscriptionError } from 'rxjs';
import { DomainError, InvariantError, StrategyError, type ErrorCode } from '../domain/index.js';
import type { EngineOptions } from './engine-options.js';
import { FollowUp } from './follow-up.js';

/** What a strategy does outside events, for errors. */
export const PHASES = {
  construction: { code: 'E_STRATEGY_START', event: 'its construction' },
  start: { code: 'E_STRATEGY_START', event: 'its start' },
  stop: { code: 'E_STRATEGY_STOP', event: 'its end' },
} as const;
export type Phase = (typeof PHASES)[keyof typeof PHASES];

/** What went wrong in a strategy. The first failure is the one that counts; the engine is dead from then on. */
export class StrategyFailures {
  readonly #strategyId: string;
  readonly #currentEvent: () => string | undefined;
  readonly #followUp: FollowUp;
  readonly #describePlace: EngineOptions['describePlace'];
  #failure: Error | undefined;
  /** What the strategy is doing outside events. */
  phase: Phase | undefined;

  constructor(
    strategyId: string,
    currentEvent: () => string | undefined,
    followUp = new FollowUp(),
    describePlace?: EngineOptions['describePlace'],
  ) {
    this.#strategyId = strategyId;
    this.#currentEvent = currentEvent;
    this.#followUp = followUp;
    this.#describePlace = describePlace;
  }

  /** Takes whatever was thrown; errors of the strategy's own become {@link StrategyError}s. */
  record(thrown: unknown): void {
    this.#followUp.isNeeded = true;
    const error = thrown instanceof UnsubscriptionError ? (thrown.errors[0] as unknown) : thrown;
    if (error instanceof InvariantError || error instanceof StrategyError) {
      this.#failure ??= error;
      return;
    }
    const code =
      error instanceof DomainError ? error.code : (this.phase?.code ?? 'E_STRATEGY_FAILED');
    const message = error instanceof Error ? error.message : String(error);
    this.#failure ??= this.create(code, message, error);
  }

  /** Takes what is no fault of the strategy, as it is. */
  keep(thrown: unknown): void {
    this.#followUp.isNeeded = true;
    this.#failure ??= thrown instanceof Error ? thrown : new Error(String(thrown));
  }

  /** Makes an error that names the strategy, the event being processed, and the place in the strategy where that is known. */
  create(code: ErrorCode, message: string, cause?: unknown): StrategyError {
    const event = this.#currentEvent() ?? this.phase?.event ?? 'no event';
    const place = this.#describePlace?.(cause ?? new Error(message));
    const context = { strategyId: this.#strategyId, event, place };
    return new StrategyError(code, message, context, cause === undefined ? {} : { cause });
  }

  get hasAny(): boolean {
    return this.#failure !== undefined;
  }

  throwIfAny(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
