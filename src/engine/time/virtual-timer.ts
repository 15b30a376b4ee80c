import type { EpochMs } from '../../domain/index.js';

/** A timer on an engine's clock. RxJS holds it as its handle. */
export class VirtualTimer {
  readonly handler: () => void;
  /** 0 for a timer that fires once. */
  readonly periodMs: number;
  /** Whether it calls the strategy, and not the engine. */
  readonly isOfStrategy: boolean;
  due: EpochMs;
  /** Its place among timers of the same due time. */
  sequence = 0;
  isCanceled = false;

  constructor(handler: () => void, due: EpochMs, periodMs: number, isOfStrategy: boolean) {
    this.handler = handler;
    this.due = due;
    this.periodMs = periodMs;
    this.isOfStrategy = isOfStrategy;
  }

  cancel(): void {
    this.isCanceled = true;
  }
}
