import { describe, expect, it, onTestFinished } from 'vitest';

import { openArchive } from '../../../../src/archive/index.js';
import { addDownloadCommand } from '../../../../src/cli/data/download-command.js';
import type { CliContext, RegisterCommand } from '../../../../src/cli/cli-context.js';
import {
  createInstrumentId,
  DAY_MS,
  formatUtc,
  HOUR_MS,
  MINUTE_MS,
} from '../../../../src/domain/index.js';
import type { FaultServer } from '../../../support/fault-server.js';
import { startKlineVenue, type KlineVenueOptions } from '../../../support/kline-venue.js';
import { runOneCommand, type OneCommandRun } from '../../../support/run-one-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
/** The server's clock is at half past, so the candle of this hour is open. */
const NOW = Date.now() - (Date.now() % HOUR_MS) + 30 * MINUTE_MS;
const TODAY = NOW - (NOW % DAY_MS);
const KLINES = '/sapi/v1/klines';

const registerDownload: RegisterCommand = (program, context) => {
  addDownloadCommand(program.command('data'), context);
};

const day = (daysAgo: number): string =>
  new Date(TODAY - daysAgo * DAY_MS).toISOString().slice(0, 10);

async function aVenue(overrides: Partial<KlineVenueOptions> = {}): Promise<FaultServer> {
  const listed = TODAY - 60 * DAY_MS;
  const server = await startKlineVenue({ honors: 'both', now: NOW, listed, ...overrides });
  onTestFinished(() => server.stop());
  return server;
}

async function download(
  server: FaultServer,
  cwd: string,
  args: readonly string[],
  overrides: Partial<CliContext> = {},
): Promise<OneCommandRun> {
  const series = ['--product', 'spot', '--symbol', 'BTCUSDT', '--interval', '1h'];
  const venue = ['--spot-url', server.url];
  return runOneCommand(registerDownload, ['data', 'download', ...series, ...venue, ...args], {
    cwd,
    ...overrides,
  });
}

async function stored(cwd: string): Promise<readonly number[]> {
  const { openTime } = await openArchive(`${cwd}/data`).read(ID, '1h');
  return [...openTime];
}

/** Open times of every hour of [from, to). */
function hours(from: number, to: number): readonly number[] {
  return Array.from({ length: (to - from) / HOUR_MS }, (_, index) => from + index * HOUR_MS);
}

describe('data download from a venue that honors start and end', () => {
  it('stores the range in pages, oldest first, each candle once', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];

    const { stdout, error } = await download(server, cwd, ['--from', day(50), '--to', day(10)]);

    expect(error).toBeUndefined();
    expect(await stored(cwd)).toEqual(hours(TODAY - 50 * DAY_MS, TODAY - 10 * DAY_MS));
    // 40 days are 960 hours: 4 pages of 300, after one call that shows the newest.
    expect(server.count(KLINES)).toBe(5);
    expect(stdout).toContain('960 candles: 960 added, 0 stored already\n  no gaps');
  });

  it('refuses an answer with two different final candles of one time, and keeps earlier answers', async () => {
    const disputed = TODAY - 20 * DAY_MS;
    const server = await aVenue({
      isDisputed: (time) => time === disputed || time > NOW - HOUR_MS,
    });
    const cwd = await temporaryFolder();

    const { error } = await download(server, cwd, ['--from', day(50)]);

    expect(error).toMatchObject({
      code: 'E_DATA_CONFLICT',
      message: `the venue sent two different candles of ${ID} 1h at ${formatUtc(disputed)} in one answer; nothing of this answer was stored`,
    });
    const kept = await stored(cwd);
    expect(kept).toEqual(hours(TODAY - 50 * DAY_MS, (kept.at(-1) ?? 0) + HOUR_MS));
    expect(kept.at(-1)).toBeLessThan(disputed);
  });

  it('leaves the open candle out', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];

    await download(server, cwd, ['--from', day(1)]);

    expect((await stored(cwd)).at(-1)).toBe(NOW - (NOW % HOUR_MS) - HOUR_MS);
  });

  it('requests only missing candles', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];
    await download(server, cwd, ['--from', day(30), '--to', day(25)]);
    await download(server, cwd, ['--from', day(20), '--to', day(15)]);
    const before = server.count(KLINES);

    const { stdout } = await download(server, cwd, ['--from', day(30), '--to', day(15)]);
    const again = await download(server, cwd, ['--from', day(30), '--to', day(15)]);

    expect(await stored(cwd)).toEqual(hours(TODAY - 30 * DAY_MS, TODAY - 15 * DAY_MS));
    // One call for the newest and one page for the five days between. The second run only asks for the newest.
    expect(server.count(KLINES) - before).toBe(3);
    expect(stdout).toContain('360 candles: 120 added, 240 stored already');
    expect(again.stdout).toContain('360 candles: 0 added, 360 stored already');
  });

  it('continues where a failure stopped the download', async () => {
    const cwd = await temporaryFolder();
    const failing = await aVenue({ failsAfter: 3 });
    const first = await download(failing, cwd, ['--from', day(50), '--to', day(10)]);
    const kept = await stored(cwd);
    const server = await aVenue();

    const second = await download(server, cwd, ['--from', day(50), '--to', day(10)]);

    expect(first.error).toMatchObject({ code: 'E_VENUE_FAILED' });
    expect(kept).toEqual(hours(TODAY - 50 * DAY_MS, TODAY - 25 * DAY_MS));
    expect(second.error).toBeUndefined();
    expect(await stored(cwd)).toEqual(hours(TODAY - 50 * DAY_MS, TODAY - 10 * DAY_MS));
    expect(server.count(KLINES)).toBe(3);
  });

  it('reports gaps of the market', async () => {
    const gap = TODAY - 20 * DAY_MS;
    const isMissing = (time: number): boolean => time >= gap && time < gap + 3 * HOUR_MS;
    const [server, cwd] = [await aVenue({ isMissing }), await temporaryFolder()];

    const { stdout } = await download(server, cwd, ['--from', day(25), '--to', day(15)]);

    expect(stdout).toContain('1 gap with 3 candles missing');
    expect(stdout).toContain(`3 from ${day(20)}T00:00:00Z to ${day(20)}T03:00:00Z`);
  });

  it('skips the time before the listing in few calls', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];

    const { stdout, error } = await download(server, cwd, ['--from', day(800), '--to', day(50)]);

    expect(error).toBeUndefined();
    expect(await stored(cwd)).toEqual(hours(TODAY - 60 * DAY_MS, TODAY - 50 * DAY_MS));
    expect(stdout).toContain(`none before ${day(60)}T00:00:00Z`);
    expect(server.count(KLINES)).toBeLessThan(12);
  });

  it('adapts its pages to a venue that serves fewer candles per call', async () => {
    const [server, cwd] = [await aVenue({ most: 100 }), await temporaryFolder()];

    await download(server, cwd, ['--from', day(30), '--to', day(10)]);

    expect(await stored(cwd)).toEqual(hours(TODAY - 30 * DAY_MS, TODAY - 10 * DAY_MS));
  });

  it('writes its report as JSON', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];

    const { stdout } = await download(server, cwd, [
      '--from',
      day(30),
      '--to',
      day(20),
      '--json',
      '-',
    ]);

    expect(JSON.parse(stdout)).toMatchObject({
      from: `${day(30)}T00:00:00Z`,
      to: `${day(20)}T00:00:00Z`,
      added: 240,
      rows: 240,
      reach: null,
      gaps: [],
      stored: {
        instrument: 'spot:BTCUSDT',
        interval: '1h',
        volumeUnit: 'base',
        sources: ['klines of 127.0.0.1'],
      },
    });
  });
});

describe('data download from a venue that honors only the start', () => {
  it('stores the range', async () => {
    const [server, cwd] = [await aVenue({ honors: 'start only' }), await temporaryFolder()];

    const { error } = await download(server, cwd, ['--from', day(400), '--to', day(40)]);

    expect(error).toBeUndefined();
    expect(await stored(cwd)).toEqual(hours(TODAY - 60 * DAY_MS, TODAY - 40 * DAY_MS));
  });
});

describe('data download from a venue that ignores times', () => {
  it('stores the newest candles without --from', async () => {
    const [server, cwd] = [await aVenue({ honors: 'neither' }), await temporaryFolder()];

    const { error } = await download(server, cwd, []);

    expect(error).toBeUndefined();
    // 300 klines, the newest of them open.
    expect(await stored(cwd)).toHaveLength(299);
    expect(server.count(KLINES)).toBe(1);
  });

  it('stores the served candles, reports the oldest one, and fails if --from is earlier', async () => {
    const [server, cwd] = [await aVenue({ honors: 'neither' }), await temporaryFolder()];

    const { stdout, error } = await download(server, cwd, ['--from', day(30)]);

    const oldest = NOW - (NOW % HOUR_MS) - 299 * HOUR_MS;
    const shown = new Date(oldest).toISOString().replace('.000Z', 'Z');
    expect(error).toMatchObject({
      code: 'E_DATA_REACH',
      message: expect.stringContaining(`none before ${shown}`) as string,
    });
    expect(await stored(cwd)).toHaveLength(299);
    expect(stdout).toContain('299 candles: 299 added');
  });
});

describe('data download with wrong options or an interrupt', () => {
  it.each([
    [['--from', '2025-02-01', '--to', '2025-01-01'], /expected --from before --to/],
    [['--interval', '2h'], /expected an interval the venue serves/],
    [['--symbol', 'BTC/USDT'], /--symbol/],
  ])('%j is bad usage and sends no request', async (args, message) => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];

    const { error } = await download(server, cwd, args);

    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message) as string,
    });
    expect(server.count()).toBe(0);
  });

  it('stops when interrupted, and keeps the stored candles', async () => {
    const [server, cwd] = [await aVenue(), await temporaryFolder()];
    const controller = new AbortController();
    const watch = setInterval(() => {
      if (server.count(KLINES) >= 3) controller.abort(new Error('interrupted'));
    }, 1);
    onTestFinished(() => {
      clearInterval(watch);
    });

    const { error } = await download(server, cwd, ['--from', day(55)], {
      signal: controller.signal,
    });

    expect(String(error)).toBe('Error: interrupted');
    expect((await stored(cwd)).length).toBeGreaterThan(0);
  });
});
