import { describe, expect, it } from 'vitest';
import { openArchive, openRunArchive } from '../../../src/archive/index.js';
import { DAY_MS, MINUTE_MS, type CandleColumns, type Interval } from '../../../src/domain/index.js';
import { columnsFrom, rowsOf } from '../../support/candle-columns.js';
import { BTC } from '../../support/replay.js';
import { runDataCommand } from '../../support/run-data-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const START = Date.parse('2025-03-01T00:17:00Z');
const FIRST_MONDAY = Date.parse('2025-01-06T00:00:00Z');
const WEEK_MS = 7 * DAY_MS;

/** More than ten hours of minutes that begin and end inside a candle of 2h. One 2h candle has no minutes, and one has few. */
function minutes(): CandleColumns {
  const whole = columnsFrom(START, 700, MINUTE_MS);
  const keep = (_: number, row: number): boolean => row < 150 || (row > 345 && row % 7 !== 3);
  return {
    openTime: whole.openTime.filter(keep),
    open: whole.open.filter(keep),
    high: whole.high.filter(keep),
    low: whole.low.filter(keep),
    close: whole.close.filter(keep),
    volume: whole.volume.filter(keep),
  };
}

async function anArchive(): Promise<string> {
  const directory = await temporaryFolder();
  const series = { instrumentId: BTC, interval: '1min' as Interval, columns: minutes() };
  await openArchive(directory).merge(series, { source: 'test', volumeUnit: 'base' });
  return directory;
}

const RESAMPLE = '--product spot --symbol BTCUSDT --interval 1min --archive .'.split(' ');

describe('openRunArchive', () => {
  it.each<Interval>(['5min', '2h', '1day', '1week', '1month'])(
    'makes candles of %s with the same values and metadata as data resample',
    async (interval) => {
      const directory = await anArchive();
      const archive = openRunArchive(directory);

      const made = await archive.read(BTC, interval);
      const info = await archive.info(BTC, interval);
      const opened = await archive.open(BTC, interval);
      const hash = opened.hash();

      await runDataCommand(directory, ['resample', ...RESAMPLE, '--to', interval]);
      const stored = openArchive(directory);
      const facts = await stored.info(BTC, interval);
      expect(rowsOf(made)).toEqual(rowsOf(await stored.read(BTC, interval)));
      // `file` describes the file of the minutes.
      expect(info).toEqual({ ...facts, file: info.file, madeFrom: '1min' });
      expect(hash).toBe(facts.columnsSha256);
    },
  );

  it('leaves out partial first and last candles with isWhole', async () => {
    const archive = openRunArchive(await anArchive());

    const { openTime } = await archive.read(BTC, '2h');
    const whole = await archive.read(BTC, '2h', { isWhole: true });

    // Minutes start at 00:17: the first candle begins before, and the candle of 10:00 to 12:00 would end after the last minute.
    expect([...whole.openTime]).toEqual([...openTime.slice(1, -1)]);
    await expect(archive.read(BTC, '1day', { isWhole: true })).rejects.toMatchObject({
      code: 'E_DATA_RANGE',
    });
    const minutesRead = await archive.read(BTC, '1min', { isWhole: true });
    expect(minutesRead.openTime).toEqual(minutes().openTime);
  });

  it('returns and hashes a range of a made series like that of a stored series', async () => {
    const directory = await anArchive();
    const range = {
      from: Date.parse('2025-03-01T02:00:00Z'),
      to: Date.parse('2025-03-01T10:00:00Z'),
    };
    const made = await openRunArchive(directory).read(BTC, '2h', range);
    const opened = await openRunArchive(directory).open(BTC, '2h', { to: range.to });

    await runDataCommand(directory, ['resample', ...RESAMPLE, '--to', '2h']);
    const stored = openArchive(directory);
    const cut = await stored.open(BTC, '2h', { to: range.to });
    expect(rowsOf(made)).toEqual(rowsOf(await stored.read(BTC, '2h', range)));
    expect(opened.hash()).toBe(cut.hash());
    expect(opened.rows.length).toBe(cut.rows.length);
    await cut.close();
  });

  it('returns a new copy of the columns to each caller', async () => {
    const archive = openRunArchive(await anArchive());
    const first = await archive.read(BTC, '2h');
    first.close.fill(0);

    expect((await archive.read(BTC, '2h')).close[0]).toBeGreaterThan(0);
  });

  it('uses a stored series, or makes one from the longest stored interval that fits', async () => {
    const directory = await anArchive();
    await runDataCommand(directory, ['resample', ...RESAMPLE, '--to', '1h']);
    const archive = openRunArchive(directory);

    expect((await archive.info(BTC, '1h')).madeFrom).toBeUndefined();
    expect((await archive.info(BTC, '2h')).madeFrom).toBe('1h');
    expect((await archive.info(BTC, '5min')).madeFrom).toBe('1min');
  });

  it('refuses an interval that the stored candles do not fill, and a range without candles', async () => {
    const coarse = await temporaryFolder();
    await openArchive(coarse).merge(
      { instrumentId: BTC, interval: '1week', columns: columnsFrom(FIRST_MONDAY, 9, WEEK_MS) },
      { source: 'test', volumeUnit: 'base' },
    );
    const archive = openRunArchive(await anArchive());
    const before = Date.parse('2025-02-01T00:00:00Z');

    for (const interval of ['1day', '1month'] as const) {
      await expect(openRunArchive(coarse).read(BTC, interval)).rejects.toMatchObject({
        code: 'E_DATA_MISSING',
      });
    }
    await expect(archive.open(BTC, '2h', { to: before })).rejects.toMatchObject({
      code: 'E_DATA_RANGE',
    });
  });

  it('makes a series again if the candles that it was made from have changed', async () => {
    const directory = await anArchive();
    const archive = openRunArchive(directory);
    const before = await archive.info(BTC, '2h');
    const later = columnsFrom(START + 2 * 60 * 60_000 * 10, 30, MINUTE_MS);
    await openArchive(directory).merge(
      { instrumentId: BTC, interval: '1min', columns: later },
      { source: 'later', volumeUnit: 'base' },
    );

    expect((await archive.info(BTC, '2h')).to).toBeGreaterThan(before.to);
  });
});
