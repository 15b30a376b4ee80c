import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runBot, type RunBotOptions, type RunningBot, type Venue } from 'evenkeel/run';
import { onTestFinished } from 'vitest';
import { settle, VirtualTime } from '../../support/virtual-time.js';
import { Grid, GRID } from './grid.js';
import { LineServer } from './line-server.js';
import { lineVenue } from './line-venue.js';
import { wave, WAVE_START } from './wave.js';

/** A market of its own, on which bots run. */
export class VenueRig {
  readonly time = new VirtualTime(WAVE_START);
  readonly server = new LineServer({ now: () => this.time.now(), bidAt: wave });
  readonly venue: Venue = lineVenue(this.server);
  readonly directory = mkdtempSync(path.join(tmpdir(), 'evenkeel-own-venue-'));

  #bot: RunningBot | undefined;

  constructor() {
    onTestFinished(() => {
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  async run(options: Partial<RunBotOptions> = {}): Promise<RunningBot> {
    const { directory, time, venue } = this;
    const own = { mode: 'live', config: GRID, strategy: Grid, directory, time, venue } as const;
    this.#bot = await this.during(runBot({ ...own, ...options }));
    return this.#bot;
  }

  /** Advances time until the promise settles. */
  async during<T>(doing: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const watched = doing.finally(() => {
      state.isOver = true;
    });
    watched.catch(() => undefined);
    for (let turn = 1; !state.isOver && turn < 100_000; turn += 1)
      if (turn % 20 === 0) await this.time.advance(50);
      else await settle();
    return watched;
  }

  #shown(): string {
    const { state, reasons } = this.#bot?.status() ?? { state: 'none', reasons: [] };
    return `${state} ${reasons.join('; ')}`;
  }

  async until(holds: () => boolean, ms = 3_600_000): Promise<void> {
    const end = this.time.now() + ms;
    while (!holds() && this.time.now() < end) await this.during(this.time.advance(1_000));
    if (!holds()) throw new Error(`it never came to be: ${this.#shown()}`);
  }

  /** All trades, a line each. */
  get deals(): readonly string[] {
    return this.server.ask('DEALS');
  }

  /** The resting orders, a line each. */
  get working(): readonly string[] {
    return this.server.ask('WORKING');
  }
}
