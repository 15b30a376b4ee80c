import { UnsubscriptionError } from 'rxjs';
import {
  DomainError,
  InvariantError,
  StrategyError,
  UsageError,
  type ErrorCode,
} from '../../domain/index.js';
import type { EngineOptions } from '../engine-options.js';
import { FollowUp } from '../intents/follow-up.js';
import type { StrategyFailure } from './strategy-failure.js';

/** Phases of a strategy outside of events, for errors. */
export const PHASES = {
  construction: { code: 'E_STRATEGY_START', event: 'its construction' },
  start: { code: 'E_STRATEGY_START', event: 'its start' },
  stop: { code: 'E_STRATEGY_STOP', event: 'its end' },
} as const;
export type Phase = (typeof PHASES)[keyof typeof PHASES];

interface StrategyFailuresOptions {
  readonly strategyId: string;
  readonly currentEvent: () => string | undefined;
  /** @defaultValue one that is never read */
  readonly followUp?: FollowUp | undefined;
  readonly describePlace?: EngineOptions['describePlace'];
  /** Whether the engine goes on without a strategy that has failed. @defaultValue false: it is dead */
  readonly outlivesStrategy?: boolean | undefined;
  /** Why the strategy is not called from the beginning. @defaultValue it is called */
  readonly before?: StrategyFailure | undefined;
}

/**
 * Failures of a strategy, of which the first counts, and of the engine itself. A strategy that has failed within an event is not called any more. The
 * engine is then dead, or goes on without the strategy.
 */
export class StrategyFailures {
  readonly #options: StrategyFailuresOptions;
  readonly #followUp: FollowUp;
  #failure: Error | undefined;
  /** A failure that is not the strategy's fault, or that may have left the engine in an incomplete state. */
  #fatal: Error | undefined;
  /** The failure, as the journal records it. */
  #told: StrategyFailure | undefined;
  #isForgiven = false;
  /** Whether any failure is recorded. */
  hasAny = false;
  /** Whether the strategy is not called any more. */
  isOut: boolean;
  /** Present phase of the strategy outside of events. */
  phase: Phase | undefined;
  /** Called when the strategy is left out, so that the other parts stop calling it. */
  onOut: () => void = () => undefined;

  constructor(options: StrategyFailuresOptions) {
    this.#options = options;
    this.#followUp = options.followUp ?? new FollowUp();
    this.#told = options.before;
    this.isOut = options.before !== undefined;
  }

  /** Calls into the strategy, unless it is left out. An error that it throws is recorded as its failure, and the caller goes on. */
  contain(call: () => unknown): void {
    if (this.isOut) return;
    try {
      call();
    } catch (error) {
      this.record(error);
    }
  }

  /** Records an error that the strategy has thrown. Errors of its own become {@link StrategyError}s. */
  readonly record = (thrown: unknown): void => {
    this.#followUp.isNeeded = true;
    this.hasAny = true;
    this.#failure ??= this.#asFailure(thrown);
    // Outside of events nothing may change, because a replay would not repeat it. The next event reports the failure.
    if (this.#options.currentEvent() !== undefined) this.#leaveOut();
  };

  /** Records an error that has escaped from the middle of an event. The engine is dead, whatever the cause. */
  escaped(thrown: unknown): void {
    this.keep(this.#asFailure(thrown));
  }

  /** Records an error that is not the strategy's fault, unchanged. */
  keep(thrown: unknown): void {
    this.#followUp.isNeeded = true;
    this.hasAny = true;
    this.#fatal ??= thrown instanceof Error ? thrown : new Error(String(thrown));
  }

  #asFailure(thrown: unknown): Error {
    const error = thrown instanceof UnsubscriptionError ? (thrown.errors[0] as unknown) : thrown;
    if (error instanceof InvariantError || error instanceof StrategyError) return error;
    // The error comes from a model that the calling program has passed in, not from the strategy that was running.
    if (error instanceof UsageError) return error;
    const code =
      error instanceof DomainError ? error.code : (this.phase?.code ?? 'E_STRATEGY_FAILED');
    const message = error instanceof Error ? error.message : String(error);
    return this.create(code, message, error);
  }

  /** Creates an error that names the strategy, the event being processed, and the place in the strategy if it is known. */
  create(code: ErrorCode, message: string, cause?: unknown): StrategyError {
    const { currentEvent, describePlace, strategyId } = this.#options;
    const event = currentEvent() ?? this.phase?.event ?? 'no event';
    const place = describePlace?.(cause ?? new Error(message));
    return new StrategyError(
      code,
      message,
      { strategyId, event, place },
      cause === undefined ? {} : { cause },
    );
  }

  /** Applies a failure that an event reports: the strategy is left out from now on, whether it has failed in this engine or not. */
  take(failure: StrategyFailure): void {
    this.#told ??= failure;
    this.#leaveOut();
  }

  /** Lets the strategy start again with the next engine. */
  forgive(): void {
    this.#isForgiven = true;
  }

  #leaveOut(): void {
    if (this.isOut) return;
    this.isOut = true;
    this.onOut();
  }

  /** Why the engine goes on without its strategy; undefined if it has its strategy, or if the next engine may start it again. */
  get inForce(): StrategyFailure | undefined {
    if (!this.isOut || this.#isForgiven) return undefined;
    return this.#told ?? this.#describe();
  }

  /** A failure of the strategy that no event has reported yet. */
  get untold(): StrategyFailure | undefined {
    return this.#told === undefined ? this.#describe() : undefined;
  }

  #describe(): StrategyFailure | undefined {
    const error = this.#failure;
    if (error === undefined) return undefined;
    const code = error instanceof StrategyError || error instanceof InvariantError;
    return { code: code ? error.code : 'E_STRATEGY_FAILED', message: error.message };
  }

  /** Throws a failure that ends the engine, if there is one. */
  throwIfAny(): void {
    const error =
      this.#options.outlivesStrategy === true ? this.#fatal : (this.#failure ?? this.#fatal);
    if (error !== undefined) throw error;
  }

  /** Throws any recorded failure, even if the engine goes on without the strategy. */
  throwFirst(): void {
    const error = this.#failure ?? this.#fatal;
    if (error !== undefined) throw error;
  }
}
