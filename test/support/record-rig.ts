import { open, type FileHandle } from 'node:fs/promises';
import { openArchive, type Archive, type OpenFile } from '../../src/archive/index.js';
import { recordVenue, type RecordedSeries } from '../../src/cli/data/record/record-venue.js';
import type { RecordedKey } from '../../src/cli/data/record/recording.js';
import { MINUTE_MS, TransportError, type EpochMs } from '../../src/domain/index.js';
import { MarketFeed } from '../../src/feed/index.js';
import type { LocalExchange } from '../../src/local-exchange/index.js';
import type { MarketDataSource } from '../../src/venue/index.js';
import { createDirectVenue } from './local-exchange/direct-venue.js';
import {
  buildTestExchange,
  FUTURES_ID,
  MARKET_START,
  SPOT_ID,
  type TestExchangeOptions,
} from './local-exchange/test-exchange.js';
import { settle, VirtualTime } from './virtual-time.js';

/** Time between two settlements of the exchange's contract. */
export const FUNDING_MS = 5 * MINUTE_MS;
const STEP_MS = 5_000;
const SERIES: readonly RecordedKey[] = [
  { instrumentId: SPOT_ID, interval: '1min' },
  { instrumentId: FUTURES_ID, interval: '1min' },
];

/** A connection between a recorder and the exchange. {@link WireVenue} is one that uses the client of bots. */
export interface RigVenue {
  readonly market: MarketDataSource;
  /** Number of answers under way. Time stands still meanwhile. */
  readonly pending: number;
}

export interface RecordRigOptions extends TestExchangeOptions {
  /** Market time at which it begins. @defaultValue that of test exchanges */
  readonly start?: EpochMs;
  readonly connect?: (exchange: LocalExchange, time: VirtualTimers) => RigVenue;
  /** Length of one move of the clock, in ms. @defaultValue 5000 */
  readonly stepMs?: number;
}

/** A recorder of an exchange within this process, on a clock that only the test moves. */
export class RecordRig {
  readonly exchange: LocalExchange;
  readonly folder: string;
  readonly said: string[] = [];
  /** Whether the venue fails to answer. */
  isDown = false;
  /** Whether the venue honors start and end of klines. */
  honorsTimes = false;
  /** The error with which the last recorder ended by itself. */
  failure: unknown;
  /** Whether the disk is full, so that new files cannot be written. */
  isFull = false;
  readonly #time: VirtualTime;
  readonly #series: readonly RecordedKey[];
  readonly #connect: RecordRigOptions['connect'];
  readonly #stepMs: number;
  #venue: RigVenue | undefined;
  #life: Life = { isAlive: true, calls: 0, diesWriting: false };
  #end = new AbortController();
  #running: Promise<readonly RecordedSeries[]> | undefined;

  constructor(
    folder: string,
    { connect, stepMs = STEP_MS, start = MARKET_START, ...options }: RecordRigOptions = {},
    series = SERIES,
  ) {
    this.folder = folder;
    this.#time = new VirtualTime(start);
    this.#series = series;
    this.#connect = connect;
    this.#stepMs = stepMs;
    this.exchange = buildTestExchange({
      clock: { mode: 'realtime', start },
      transport: this.#time,
      ...options,
    });
  }

  now(): EpochMs {
    return this.#time.now();
  }

  async start(): Promise<void> {
    this.#life = { isAlive: true, calls: 0, diesWriting: false };
    this.#end = new AbortController();
    const time = this.#timeOf(this.#life);
    this.#venue = this.#connect?.(this.exchange, time);
    const market = this.#venue?.market ?? this.#market();
    this.#running = recordVenue({
      archive: this.#counted(openArchive(this.folder, { open: this.#open })),
      market,
      feed: new MarketFeed({ source: market, time }),
      time,
      host: 'venue.test',
      series: this.#series,
      instruments: [...new Set(this.#series.map(({ instrumentId }) => instrumentId))],
      rulesOf: () => undefined,
      funding: { intervalMs: FUNDING_MS, known: 'current' },
      signal: this.#end.signal,
      say: (line) => this.said.push(line),
      onFailure: () => undefined,
    });
    this.failure = undefined;
    this.#running.catch((error: unknown) => {
      this.failure = error;
    });
    await this.#idle();
  }

  /** Lets time pass for the market and the recorder. */
  async pass(byMs: number): Promise<void> {
    for (let passed = 0; passed < byMs; passed += this.#stepMs) {
      await this.#time.advance(Math.min(this.#stepMs, byMs - passed));
      await this.#idle();
    }
  }

  /** Ends it in order. */
  async stop(): Promise<readonly RecordedSeries[]> {
    this.#end.abort(new Error('stopped'));
    if (this.#running === undefined) throw new Error('expected a recorder');
    return this.#running;
  }

  /** Ends the recorder between two writes, as a kill does: it gets no more answers, and data in memory is lost. */
  kill(): void {
    this.#life.isAlive = false;
  }

  /** Ends it within its next write, of which half reaches the disk. */
  killWriting(): void {
    this.#life.diesWriting = true;
  }

  get isAlive(): boolean {
    return this.#life.isAlive;
  }

  #timeOf(life: { readonly isAlive: boolean }): VirtualTimers {
    return {
      now: () => this.#time.now(),
      after: (delayMs, action) =>
        this.#time.after(delayMs, () => {
          if (life.isAlive) action();
        }),
    };
  }

  readonly #open: OpenFile = async (path, flags) => {
    if (this.isFull && flags === 'w') {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    }
    const handle = await open(path, flags);
    const life = this.#life;
    if (flags === 'w' && life.diesWriting) dieWriting(handle, life);
    // Another test covers the disk at a power failure.
    return Object.assign(handle, { sync: () => Promise.resolve() });
  };

  #market(): MarketDataSource {
    const direct = createDirectVenue(this.exchange).marketData;
    const life = this.#life;
    const answer = <T>(read: () => Promise<T>): Promise<T> => {
      if (!life.isAlive) return new Promise(() => undefined);
      return this.isDown ? Promise.reject(new TransportError('E_TIMEOUT', 'no answer')) : read();
    };
    const { market } = this.exchange.parts;
    return {
      ...direct,
      listings: (product, options) => answer(() => direct.listings(product, options)),
      markPrice: (id, options) => answer(() => direct.markPrice(id, options)),
      candles: (id, interval, options) =>
        answer(async () => {
          const { from: startTime, to, limit = 100 } = options;
          if (!this.honorsTimes || startTime === undefined || to === undefined)
            return direct.candles(id, interval, options);
          const query = { limit, startTime, endTime: to - 1 };
          const rows = market.candles(id, interval, this.now(), query) ?? [];
          return rows.map((row) => ({ ...row, instrumentId: id, closed: true }));
        }),
    };
  }

  /** Counts the pending calls of the archive. Time stands still meanwhile. */
  #counted(archive: Archive): Archive {
    const life = this.#life;
    return new Proxy(archive, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          if (!life.isAlive) return new Promise(() => undefined);
          life.calls += 1;
          try {
            return await (Reflect.apply(member, target, given) as Promise<unknown>);
          } finally {
            life.calls -= 1;
          }
        };
      },
    });
  }

  async #idle(): Promise<void> {
    do {
      await settle();
      await settle();
    } while (this.#life.isAlive && this.#life.calls + (this.#venue?.pending ?? 0) > 0);
  }
}

/** The state of one simulated process. */
interface Life {
  isAlive: boolean;
  /** Number of pending calls of the archive. */
  calls: number;
  diesWriting: boolean;
}

function dieWriting(handle: FileHandle, life: Life): void {
  const writeFile = handle.writeFile.bind(handle);
  Object.assign(handle, {
    writeFile: async (chunk: Uint8Array): Promise<never> => {
      await writeFile(chunk.subarray(0, chunk.byteLength / 2));
      await handle.close();
      life.isAlive = false;
      return new Promise(() => undefined);
    },
  });
}

export type VirtualTimers = Pick<VirtualTime, 'now' | 'after'>;
