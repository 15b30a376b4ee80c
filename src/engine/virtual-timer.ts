import type { EpochMs } from '../domain/index.js';

/** A timer on an engine's clock. RxJS holds it as its handle. */
export class VirtualTimer {
  readonly handler: () => void;
  /** 0 for a timer that fires once. */
  readonly periodMs: number;
  due: EpochMs;
  sequence: number;
  isCanceled = false;

  constructor(handler: () => void, due: EpochMs, sequence: number, periodMs: number) {
    this.handler = handler;
    this.due = due;
    this.sequence = sequence;
    this.periodMs = periodMs;
  }

  cancel(): void {
    this.isCanceled = true;
  }
}
