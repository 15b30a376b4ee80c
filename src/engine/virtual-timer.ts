import type { EpochMs } from '../domain/index.js';

/** A timer on an engine's clock. RxJS holds it as its handle. */
export class VirtualTimer {
  readonly handler: () => void;
  /** 0 for a timer that fires once. */
  readonly periodMs: number;
  /** Whether it calls the strategy, and not the engine. */
  readonly isOfStrategy: boolean;
  due: EpochMs;
  sequence: number;
  isCanceled = false;

  constructor(
    handler: () => void,
    due: EpochMs,
    sequence: number,
    periodMs: number,
    isOfStrategy = false,
  ) {
    this.handler = handler;
    this.due = due;
    this.sequence = sequence;
    this.periodMs = periodMs;
    this.isOfStrategy = isOfStrategy;
  }

  cancel(): void {
    this.isCanceled = true;
  }
}
