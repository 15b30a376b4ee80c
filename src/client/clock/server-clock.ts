import { MINUTE_MS, SECOND_MS, type Clock, type EpochMs } from '../../domain/index.js';
import type { ClientLog } from '../ports.js';
import { ClockOffsetError } from './clock-offset-error.js';

export interface ServerClockOptions {
  /** Number of measurements at the start and after a jump. @defaultValue 3 */
  readonly samples?: number;
  /** Age of the reading at which one more is taken, in ms. @defaultValue 60000 */
  readonly refreshMs?: number;
  /** Offset that is reported as a warning, in ms. @defaultValue 1000 */
  readonly alarmMs?: number;
  /** Offset at which signing stops, in ms. @defaultValue 30000 */
  readonly maxOffsetMs?: number;
}

export interface ServerClockPorts {
  readonly host: string;
  readonly clock: Clock;
  /** UTC as the machine tells it; it may be set meanwhile, and `clock` not. @defaultValue `clock` */
  readonly wall?: Clock | undefined;
  readonly log: ClientLog;
  /** Requests the server's time once. */
  readonly askServer: () => Promise<TimeAnswer>;
  readonly options?: ServerClockOptions | undefined;
}

/** A server's time, and our time right before the request and right after the answer. */
export interface TimeAnswer {
  readonly sentAt: EpochMs;
  readonly serverTime: EpochMs;
  readonly receivedAt: EpochMs;
}

/** Measured state of a server's clock. */
export interface ClockReading {
  /** Server time minus ours, in milliseconds: the median of the latest samples. */
  readonly offsetMs: number;
  /** Half the round trip of the sample in use, in ms: the largest possible error. */
  readonly uncertaintyMs: number;
  readonly measuredAt: EpochMs;
}

interface Sample {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/** Number of samples for the median. */
const KEPT_SAMPLES = 5;
/** A sample this far from the median, beyond its own uncertainty, shows that a clock was set: older samples are then useless. */
const JUMP_MS = 500;
/** Shortest time between two tries of a measurement. */
const RETRY_MS = 5 * SECOND_MS;

/**
 * Computes a server's time from ours: the server's time was `offset` ahead at the middle of a round trip. The median of several samples limits the
 * effect of one slow round trip.
 */
export class ServerClock {
  readonly #ports: ServerClockPorts;
  readonly #options: Required<ServerClockOptions>;
  #samples: readonly Sample[] = [];
  #reading: ClockReading | undefined;
  #measuring: Promise<void> | undefined;
  #triedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #isAlarmed = false;

  constructor(ports: ServerClockPorts) {
    this.#ports = ports;
    this.#options = {
      samples: 3,
      refreshMs: MINUTE_MS,
      alarmMs: SECOND_MS,
      maxOffsetMs: 30 * SECOND_MS,
      ...ports.options,
    };
  }

  /** Undefined before the first measurement. */
  get reading(): ClockReading | undefined {
    return this.#reading;
  }

  /** Server time; undefined if it must be measured first. An old or invalid reading is refreshed in the background. */
  now(): EpochMs | undefined {
    const now = this.#ports.clock.now();
    const reading = this.#reading;
    if (reading === undefined) return undefined;
    // Our clock was set back: the earlier measurement is invalid.
    const isInvalid = now < reading.measuredAt;
    const isOld = isInvalid || now - reading.measuredAt >= this.#options.refreshMs;
    if (isOld && Math.abs(now - this.#triedAt) >= RETRY_MS) void this.refresh();
    if (isInvalid) return undefined;
    return Math.round(now + reading.offsetMs);
  }

  /** A time that has passed by the server's clock and by the later of ours; undefined if the server's must be measured first. */
  passed(): EpochMs | undefined {
    const now = this.now();
    const { clock, wall = clock } = this.#ports;
    return now === undefined ? undefined : Math.min(now, Math.max(clock.now(), wall.now()));
  }

  /** How far the server is ahead of the nearer of our clocks, in ms; negative if it is behind. Undefined before the first measurement. */
  get aheadMs(): number | undefined {
    return this.#reading && this.#aheadMs(this.#reading);
  }

  /**
   * Server time for a signature; undefined if it must be measured first.
   *
   * @throws {ClockOffsetError} `E_CLOCK_OFFSET` while the clocks differ too much. Every five seconds it returns undefined instead, for a new
   * measurement.
   */
  timestamp(): EpochMs | undefined {
    const reading = this.#reading;
    const { host } = this.#ports;
    const { maxOffsetMs } = this.#options;
    if (reading !== undefined && Math.abs(this.#aheadMs(reading)) > maxOffsetMs) {
      const age = Math.abs(this.#ports.clock.now() - reading.measuredAt);
      if (age >= RETRY_MS) return undefined;
      throw new ClockOffsetError(host, reading.offsetMs, maxOffsetMs);
    }
    return this.now();
  }

  /** Either of our clocks may have been wrong at the start, or set wrong later. */
  #aheadMs({ offsetMs }: Pick<ClockReading, 'offsetMs'>): number {
    const { clock, wall = clock } = this.#ports;
    const ofWallMs = offsetMs + clock.now() - wall.now();
    return Math.abs(offsetMs) <= Math.abs(ofWallMs) ? offsetMs : ofWallMs;
  }

  /** Discards the reading from before `sentAt` and its samples, because the server refused a timestamp. */
  distrust(sentAt: EpochMs): void {
    if (this.#reading === undefined || this.#reading.measuredAt > sentAt) return;
    this.#reading = undefined;
    // A refresh that is under way must not add its sample to these.
    this.#samples = [];
  }

  /** Measures anew. Concurrent callers share one measurement. @throws errors of the request. */
  async measure(): Promise<void> {
    await this.#once(async () => {
      const samples: Sample[] = [];
      while (samples.length < this.#options.samples) samples.push(await this.#sample());
      this.#take(samples);
    });
  }

  /** Adds one sample. A sample that shows that a clock was set replaces all others. Failures are logged, and the old reading stays. */
  async refresh(): Promise<void> {
    try {
      await this.#once(async () => {
        const sample = await this.#sample();
        const jump = Math.abs(sample.offsetMs - (this.#reading?.offsetMs ?? sample.offsetMs));
        const isJump = jump > JUMP_MS + sample.uncertaintyMs;
        this.#take(isJump ? [sample] : [...this.#samples, sample].slice(-KEPT_SAMPLES));
      });
    } catch (error: unknown) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#ports.log.warn({ host: this.#ports.host, reason }, 'server time not refreshed');
    }
  }

  async #once(measure: () => Promise<void>): Promise<void> {
    this.#triedAt = this.#ports.clock.now();
    this.#measuring ??= measure().finally(() => {
      this.#measuring = undefined;
    });
    await this.#measuring;
  }

  async #sample(): Promise<Sample> {
    const { sentAt, serverTime, receivedAt } = await this.#ports.askServer();
    return {
      offsetMs: serverTime - (sentAt + receivedAt) / 2,
      uncertaintyMs: Math.abs(receivedAt - sentAt) / 2,
    };
  }

  #take(samples: readonly Sample[]): void {
    const sorted = samples.toSorted((a, b) => a.offsetMs - b.offsetMs);
    const median = sorted[Math.floor((sorted.length - 1) / 2)];
    if (median === undefined) return;
    this.#samples = samples;
    this.#reading = { ...median, measuredAt: this.#ports.clock.now() };
    this.#report(median.offsetMs);
  }

  #report(offsetMs: number): void {
    const { host, log } = this.#ports;
    const isAlarming = Math.abs(offsetMs) > this.#options.alarmMs;
    if (isAlarming) log.warn({ host, offsetMs }, 'clock differs from the server');
    else if (this.#isAlarmed) log.info({ host, offsetMs }, 'clock agrees with the server again');
    this.#isAlarmed = isAlarming;
  }
}
