import { TradingError } from '../../domain/index.js';

/** Our clock and the server's differ by more than allowed. No call is signed until a new measurement shows an allowed difference. */
export class ClockOffsetError extends TradingError {
  /** Either clock may be set right, by its owner or its time service. */
  readonly retryable = true;
  /** Server time minus ours, in milliseconds. */
  readonly offsetMs: number;

  constructor(host: string, offsetMs: number, maxOffsetMs: number) {
    const direction = offsetMs > 0 ? 'behind' : 'ahead of';
    super(
      'E_CLOCK_OFFSET',
      `this machine's clock is ${String(Math.abs(Math.round(offsetMs)))} ms ${direction} that of ${host}, ` +
        `and ${String(maxOffsetMs)} ms are allowed; set it`,
    );
    this.offsetMs = offsetMs;
  }
}
