import { UnsubscriptionError } from 'rxjs';
import {
  DomainError,
  InvariantError,
  StrategyError,
  UsageError,
  type ErrorCode,
} from '../domain/index.js';
import type { EngineOptions } from './engine-options.js';
import { FollowUp } from './follow-up.js';
import type { StrategyFailure } from './strategy-failure.js';

/** What a strategy does outside events, for errors. */
export const PHASES = {
  construction: { code: 'E_STRATEGY_START', event: 'its construction' },
  start: { code: 'E_STRATEGY_START', event: 'its start' },
  stop: { code: 'E_STRATEGY_STOP', event: 'its end' },
} as const;
export type Phase = (typeof PHASES)[keyof typeof PHASES];

export interface StrategyFailuresOptions {
  readonly strategyId: string;
  readonly currentEvent: () => string | undefined;
  /** @defaultValue one that nobody looks at */
  readonly followUp?: FollowUp | undefined;
  readonly describePlace?: EngineOptions['describePlace'];
  /** Whether the engine goes on without a strategy that has failed. @defaultValue false: it is dead */
  readonly outlivesStrategy?: boolean | undefined;
  /** Why the strategy is left out from the beginning. @defaultValue it is not */
  readonly before?: StrategyFailure | undefined;
}

/**
 * What went wrong in a strategy, of which the first counts, and in the engine itself. Nothing calls a strategy any more that has failed within an
 * event; the engine is dead after it, or goes on without.
 */
export class StrategyFailures {
  readonly #options: StrategyFailuresOptions;
  readonly #followUp: FollowUp;
  #failure: Error | undefined;
  /** What is no fault of the strategy, or may have left the engine in the middle of something. */
  #fatal: Error | undefined;
  /** As the journal has it. */
  #told: StrategyFailure | undefined;
  #isForgiven = false;
  /** Whether the strategy is not called any more. */
  isOut: boolean;
  /** What the strategy is doing outside events. */
  phase: Phase | undefined;
  /** Called when the strategy is left out: whoever would call it forgets it. */
  onOut: () => void = () => undefined;

  constructor(options: StrategyFailuresOptions) {
    this.#options = options;
    this.#followUp = options.followUp ?? new FollowUp();
    this.#told = options.before;
    this.isOut = options.before !== undefined;
  }

  /** Calls into the strategy, where it is not left out: what it throws is its failure, and whoever called goes on. */
  contain(call: () => unknown): void {
    if (this.isOut) return;
    try {
      call();
    } catch (error) {
      this.record(error);
    }
  }

  /** Takes whatever the strategy has thrown; errors of its own become {@link StrategyError}s. */
  readonly record = (thrown: unknown): void => {
    this.#followUp.isNeeded = true;
    this.#failure ??= this.#asFailure(thrown);
    // Outside of events nothing may change: a replay would not do the same. The next event says that it has failed.
    if (this.#options.currentEvent() !== undefined) this.#leaveOut();
  };

  /** Takes what has escaped from the middle of an event: the engine is dead, whoever's fault it is. */
  escaped(thrown: unknown): void {
    this.keep(this.#asFailure(thrown));
  }

  /** Takes what is no fault of the strategy, as it is. */
  keep(thrown: unknown): void {
    this.#followUp.isNeeded = true;
    this.#fatal ??= thrown instanceof Error ? thrown : new Error(String(thrown));
  }

  #asFailure(thrown: unknown): Error {
    const error = thrown instanceof UnsubscriptionError ? (thrown.errors[0] as unknown) : thrown;
    if (error instanceof InvariantError || error instanceof StrategyError) return error;
    // Of a model that a program has handed over: no fault of the strategy that was running.
    if (error instanceof UsageError) return error;
    const code =
      error instanceof DomainError ? error.code : (this.phase?.code ?? 'E_STRATEGY_FAILED');
    const message = error instanceof Error ? error.message : String(error);
    return this.create(code, message, error);
  }

  /** Makes an error that names the strategy, the event being processed, and the place in the strategy where that is known. */
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

  /** Takes what an event says of a failure: from now on the strategy is left out, whether it has failed here too or not. */
  take(failure: StrategyFailure): void {
    this.#told ??= failure;
    this.#leaveOut();
  }

  /** The strategy may begin anew with the next engine. */
  forgive(): void {
    this.#isForgiven = true;
  }

  #leaveOut(): void {
    if (this.isOut) return;
    this.isOut = true;
    this.onOut();
  }

  /** Why the engine goes on without its strategy; undefined where it has one, and where the next engine may have it again. */
  get inForce(): StrategyFailure | undefined {
    if (!this.isOut || this.#isForgiven) return undefined;
    return this.#told ?? this.#describe();
  }

  /** What has failed and no event has told yet. */
  get untold(): StrategyFailure | undefined {
    return this.#told === undefined ? this.#describe() : undefined;
  }

  #describe(): StrategyFailure | undefined {
    const error = this.#failure;
    if (error === undefined) return undefined;
    const code = error instanceof StrategyError || error instanceof InvariantError;
    return { code: code ? error.code : 'E_STRATEGY_FAILED', message: error.message };
  }

  /** Whether anything ends what is being done. */
  get hasAny(): boolean {
    return this.#failure !== undefined || this.#fatal !== undefined;
  }

  /** Throws what the engine does not outlive. */
  throwIfAny(): void {
    const error =
      this.#options.outlivesStrategy === true ? this.#fatal : (this.#failure ?? this.#fatal);
    if (error !== undefined) throw error;
  }

  /** Throws also what the strategy alone has failed with. */
  throwFirst(): void {
    const error = this.#failure ?? this.#fatal;
    if (error !== undefined) throw error;
  }
}
