import { DomainError, formatUtc, type Clock, type EpochMs } from '../../domain/index.js';

export type ClockMode = 'realtime' | 'accelerated' | 'lockstep';

/** Local times of answers have four digits for the year. */
const END_OF_TIME: EpochMs = Date.UTC(10_000, 0, 1);

interface MarketTimeOptions {
  readonly mode: ClockMode;
  /** The clock of requests, limits and timestamps. */
  readonly transport: Clock;
  /** Market time at the beginning; in realtime the transport's own time counts. */
  readonly start: EpochMs;
  /** Market milliseconds per millisecond of transport; accelerated only. @defaultValue 60 */
  readonly speed?: number | undefined;
  /** Called before an instant is shown for the first time. It must make everything that is visible by then. */
  readonly prepare?: ((time: EpochMs) => void) | undefined;
}

/**
 * Market time: the instant of everything that the exchange shows and does. It never falls.
 *
 * It differs from the transport's time, which limits, timestamp windows, delays and bans use: in lockstep the market stands still while requests come
 * and go.
 *
 * In lockstep an instant has two halves, as in a backtest (DESIGN R1). When it is reached, candles that end there have closed, and candles that open
 * there have not opened. Then it is {@link open}ed, and commands arrive. In the other modes an instant is open as soon as it is reached.
 */
export class MarketTime {
  readonly mode: ClockMode;
  readonly #transport: Clock;
  readonly #speed: number;
  readonly #prepare: (time: EpochMs) => void;
  readonly #began: EpochMs;
  #start: EpochMs;
  #reached: EpochMs;
  #isOpened: boolean;
  #steppedAt: EpochMs;

  constructor(options: MarketTimeOptions) {
    const { mode, transport, start, speed = 60, prepare = () => undefined } = options;
    this.mode = mode;
    this.#transport = transport;
    this.#speed = speed;
    this.#prepare = prepare;
    this.#began = transport.now();
    this.#start = start;
    this.#reached = start;
    this.#isOpened = mode !== 'lockstep';
    prepare(start);
    this.#steppedAt = this.#began;
  }

  now(): EpochMs {
    if (this.mode === 'lockstep') return this.#reached;
    const now = this.#transport.now();
    const time =
      this.mode === 'realtime' ? now : this.#start + Math.floor((now - this.#began) * this.#speed);
    this.#reach(time);
    return this.#reached;
  }

  #reach(time: EpochMs): void {
    if (time <= this.#reached) return;
    this.#prepare(time);
    this.#reached = time;
    this.#isOpened = this.mode !== 'lockstep';
  }

  /** Whether the candles that open at a reached instant have opened. */
  hasOpened(time: EpochMs): boolean {
    return this.#isOpened || time !== this.#reached;
  }

  /** Opens the current instant of the market. Returns true if it was not open before. */
  open(): boolean {
    const wasOpened = this.#isOpened;
    this.#isOpened = true;
    return !wasOpened;
  }

  /** Milliseconds of transport since market time last moved by command. */
  idleMs(): number {
    return this.mode === 'lockstep' ? Math.max(0, this.#transport.now() - this.#steppedAt) : 0;
  }

  /** Continues from an instant that this exchange reached in an earlier process. */
  resumeAt(time: EpochMs): void {
    this.#reach(time);
    this.#start = Math.max(this.#start, time);
  }

  /**
   * Moves market time to an instant, in lockstep. A later instant is reached in its first half.
   *
   * @throws {DomainError} as {@link check}.
   */
  advanceTo(time: EpochMs): void {
    this.check(time);
    this.#reach(time);
    this.#steppedAt = this.#transport.now();
  }

  /** Checks that {@link advanceTo} can run. @throws {DomainError} `E_LOCKSTEP` in another mode, or for a time that is past, no integer, or too late. */
  check(time: EpochMs): void {
    if (this.mode !== 'lockstep') {
      throw new DomainError('E_LOCKSTEP', `the clock is not in lockstep but in ${this.mode}`);
    }
    if (!Number.isSafeInteger(time) || time < this.#reached) {
      throw new DomainError(
        'E_LOCKSTEP',
        `expected an instant not before ${formatUtc(this.#reached)}, received ${String(time)}`,
      );
    }
    if (time >= END_OF_TIME) {
      throw new DomainError(
        'E_LOCKSTEP',
        `expected an instant before ${formatUtc(END_OF_TIME)}, received ${String(time)}`,
      );
    }
  }
}
