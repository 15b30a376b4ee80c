import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { closeTimeOf, HOUR_MS, present, type InstrumentId } from '../../../../src/domain/index.js';
import { startDumpMirror, type Answer, type DumpMirror } from '../../../support/dump-mirror.js';
import { BTC } from '../../../support/replay.js';
import { runDataCommand, type DataCommandRun } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { encodeZip } from '../../../support/zip-files.js';

const SPOT = 'data/spot/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-';
const HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';

/** Rows of a month in the format of the source. From 2025 on, times are in microseconds. */
function monthOf(name: string, { header = '', premium = 0 } = {}): Buffer {
  const from = Date.parse(`${name}-01T00:00:00Z`);
  const unit = from >= Date.parse('2025-01-01') ? 1_000 : 1;
  const rows: string[] = [];
  for (let time = from; time < closeTimeOf(from, '1month'); time += HOUR_MS) {
    const price = 100 + premium + ((time / HOUR_MS) % 97);
    const end = (time + HOUR_MS) * unit - 1;
    rows.push(
      [time * unit, price, price + 2, price - 1, price + 1, 5, end, 500, 7, 2, 200, 0].join(),
    );
  }
  return encodeZip([{ name: `BTCUSDT-1h-${name}.csv`, data: `${header}${rows.join('\n')}\n` }]);
}

const monthsOf = (year: number): readonly string[] =>
  Array.from({ length: 12 }, (_, month) => `${String(year)}-${String(month + 1).padStart(2, '0')}`);

const THREE_YEARS = [...monthsOf(2023), ...monthsOf(2024), ...monthsOf(2025)];

async function aMirror(months: readonly string[]): Promise<DumpMirror> {
  const mirror = await startDumpMirror();
  for (const month of months) mirror.publish(`${SPOT}${month}.zip`, monthOf(month));
  return mirror;
}

function fetchInto(
  folder: string,
  { url }: DumpMirror,
  options = '--from 2024-11-01 --to 2025-03-01',
  signal?: AbortSignal,
): Promise<DataCommandRun> {
  const args = `fetch binance-spot BTCUSDT 1h ${options} --archive . --url ${url}`;
  return runDataCommand(folder, args.split(' '), signal && { signal });
}

/** Hash of a file, because vitest compares long buffers byte by byte. */
const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

const bytesOf = (folder: string): Promise<readonly string[]> =>
  Promise.all(['1h.arrow', '1h.json'].map((name) => hashOf(join(folder, 'spot/BTCUSDT', name))));

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) =>
    /\./.test(name.replace('.fetch', '')),
  );

const NEAR_2025 = ['2024-11', '2024-12', '2025-01', '2025-02'];

describe('data fetch', () => {
  it('downloads, verifies and imports months across the change to microseconds, and requests none again', async () => {
    const mirror = await aMirror(NEAR_2025);
    const folder = await temporaryFolder();

    const run = await fetchInto(folder, mirror);

    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('fetched 4 files of binance-spot\n');
    const info = await openArchive(folder).info(BTC, '1h');
    expect(info).toMatchObject({ rows: 120 * 24, gaps: 0, from: Date.parse('2024-11-01') });
    expect(info.to).toBe(Date.parse('2025-03-01'));
    expect(await filesIn(folder)).toEqual(['spot/BTCUSDT/1h.arrow', 'spot/BTCUSDT/1h.json']);

    const asked = mirror.asked.length;
    const again = await fetchInto(folder, mirror);
    expect(again.stdout).toContain('4 files stored already\n');
    expect(mirror.asked.length).toBe(asked);
  });

  it('fetches from a source that the user defines, and reports the errors of such a source', async () => {
    const mirror = await startDumpMirror();
    const folder = await temporaryFolder();
    mirror.publish('own/BTCUSDT-2024-11.zip', monthOf('2024-11'));
    const text = `export const source = {
      name: 'own', url: 'http://127.0.0.1:1', product: 'spot', volumeUnit: 'base',
      kinds: ['candles'], intervals: ['1h'], symbols: /^[A-Z]+$/, example: 'BTCUSDT',
      monthly: ({ symbol }, from) => {
        const path = 'own/' + symbol + '-' + new Date(from).toISOString().slice(0, 7) + '.zip';
        return { path, checksumPath: path + '.CHECKSUM', from, to: Date.parse('2024-12-01') };
      },
      daily: () => undefined,
    };`;
    await writeFile(join(folder, 'own.mjs'), text);
    await writeFile(join(folder, 'half.mjs'), text.replace('example:', 'sample:'));
    await writeFile(join(folder, 'none.mjs'), 'export const other = 1;');
    const fetchOf = (source: string): Promise<DataCommandRun> => {
      const range = '--from 2024-11-01 --to 2024-12-01';
      const args = `fetch ${source} BTCUSDT 1h ${range} --archive . --url ${mirror.url}`;
      return runDataCommand(folder, args.split(' '));
    };

    expect((await fetchOf('./own.mjs')).stdout).toContain('fetched 1 file of own\n');
    expect(await openArchive(folder).info(BTC, '1h')).toMatchObject({ rows: 30 * 24, gaps: 0 });
    expect((await fetchOf('./half.mjs')).stderr).toBe(
      './half.mjs: source.example: expected a string, received nothing (E_FETCH_SOURCE)\n',
    );
    expect((await fetchOf('./none.mjs')).stderr).toContain(
      './none.mjs: expected an export named source, received none (E_FETCH_SOURCE)',
    );
    expect((await fetchOf('./gone.mjs')).stderr).toBe(
      './gone.mjs: cannot be read: no such file or folder (E_FETCH_SOURCE)\n',
    );
  });

  it.each([
    ['product', "'spot'", "'swap'", 'one of spot, margin, futures', "'swap'"],
    ['volumeUnit', "'base'", "'coins'", 'one of base, quote, contracts', "'coins'"],
    ['kinds', "['candles']", 'null', 'a list of candles, mark, funding', 'null'],
    ['kinds', "['candles']", "['trades']", 'a list of candles, mark, funding', "[ 'trades' ]"],
    ['intervals', "['1h']", "['60m']", 'a list of 1min,', "[ '60m' ]"],
    ['symbols', '/^[A-Z]+$/', "'BTCUSDT'", 'a regular expression', "'BTCUSDT'"],
  ])(
    'refuses a source whose %s is wrong before anything is stored',
    async (key, right, wrong, expected, received) => {
      const folder = await temporaryFolder();
      const text = `export const source = {
        name: 'own', url: 'http://127.0.0.1:1', product: 'spot', volumeUnit: 'base',
        kinds: ['candles'], intervals: ['1h'], symbols: /^[A-Z]+$/, example: 'BTCUSDT',
        monthly: () => undefined, daily: () => undefined,
      };`;
      await writeFile(
        join(folder, 'own.mjs'),
        text.replace(`${key}: ${right}`, `${key}: ${wrong}`),
      );
      const args = 'fetch ./own.mjs BTCUSDT 1h --from 2024-11-01 --to 2024-12-01 --archive .';

      const { stderr } = await runDataCommand(folder, args.split(' '));

      expect(stderr).toContain(`./own.mjs: source.${key}: expected ${expected}`);
      expect(stderr).toContain(`, received ${received} (E_FETCH_SOURCE)`);
    },
  );

  it('writes the same bytes for three years after ten interruptions as without interruption', async () => {
    const mirror = await aMirror(THREE_YEARS);
    const range = '--from 2023-01-01 --to 2026-01-01';
    const [once, often] = [await temporaryFolder(), await temporaryFolder()];
    await fetchInto(once, mirror, range);
    mirror.asked.length = 0;

    for (let turn = 0; turn < 10; turn += 1) {
      const path = `${SPOT}${THREE_YEARS[turn * 3 + 2] ?? ''}.zip`;
      const controller = new AbortController();
      // In each turn the connection breaks midway. In every second turn the user also interrupts.
      mirror.faults.set(path, (request, response) => {
        if (turn % 2 === 1) controller.abort(new Error('Ctrl-C'));
        response.writeHead(200, { 'content-length': 5_000 });
        response.write('PK', () => request.socket.destroy());
      });
      const run = await fetchInto(often, mirror, range, controller.signal);
      expect(run.exitCode).not.toBe(0);
      expect((await filesIn(often)).some((name) => /arrow|json|tmp/.test(name))).toBe(false);
    }
    const last = await fetchInto(often, mirror, range);

    expect(last.stderr).toBe('');
    expect(await bytesOf(often)).toEqual(await bytesOf(once));
    // Each file was downloaded once, plus the ten broken downloads.
    expect(mirror.asked.filter((path) => path.endsWith('.zip')).length).toBe(36 + 10);
  });

  const february = `${SPOT}2025-02.zip`;
  const answering =
    (status: number, headers: Record<string, string>, body: string): Answer =>
    (_, response) => {
      response.writeHead(status, headers);
      response.end(body);
    };
  const page = '<!doctype html><title>maintenance</title>';
  it.each<[string, string, Answer, string]>([
    ['a wrong checksum', february, answering(200, {}, 'PK other'), 'E_FETCH_CHECKSUM'],
    ['a page for a file', february, answering(200, {}, page), 'E_FETCH_CHECKSUM'],
    ['a page for a checksum', `${february}.CHECKSUM`, answering(200, {}, page), 'E_FETCH_ANSWER'],
    [
      'a checksum of another file',
      `${february}.CHECKSUM`,
      answering(200, {}, `${'a'.repeat(64)}  other.zip\n`),
      'E_FETCH_ANSWER',
    ],
    [
      'a redirect to another host',
      february,
      answering(302, { location: 'http://elsewhere.test/x' }, ''),
      'http://elsewhere.test/x',
    ],
    ['an error of the server', february, answering(503, {}, ''), 'received 503'],
    ['a file that is gone', february, answering(404, {}, ''), 'received status 404'],
    [
      'an answer that ends early',
      february,
      (request, response) => {
        response.writeHead(200, { 'content-length': 9_999 });
        response.write('PK', () => request.socket.destroy());
      },
      'E_CONNECTION_LOST',
    ],
  ])(
    'refuses %s, stores nothing, and succeeds once the fault is gone',
    async (_, path, fault, error) => {
      const mirror = await aMirror(NEAR_2025);
      const folder = await temporaryFolder();
      mirror.faults.set(path, fault);

      const run = await fetchInto(folder, mirror);

      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain(error);
      expect(run.stdout).toBe('');
      expect((await filesIn(folder)).filter((name) => !name.endsWith('.zip'))).toEqual([]);
      expect((await fetchInto(folder, mirror)).exitCode).toBe(0);
    },
  );

  it('fails for months that are not published, and imports the others with --skip-missing', async () => {
    const mirror = await aMirror(['2024-11', '2025-01', '2025-02']);
    const folder = await temporaryFolder();

    const run = await fetchInto(folder, mirror);
    expect(run.stderr).toContain('E_FETCH_MISSING');
    expect(run.stderr).toContain('BTCUSDT-1h-2024-12.zip');
    expect(mirror.asked.every((path) => path.endsWith('.CHECKSUM'))).toBe(true);

    const skipped = await fetchInto(
      folder,
      mirror,
      '--from 2024-11-01 --to 2025-03-01 --skip-missing',
    );
    expect(skipped.stdout).toContain('1 file not published\n');
    expect(await openArchive(folder).info(BTC, '1h')).toMatchObject({ gaps: 1, missing: 31 * 24 });
  });

  it('stores candles of a contract, from files with a header, under the symbol of --as', async () => {
    const mirror = await startDumpMirror();
    const path = 'data/futures/um/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-2024-12.zip';
    mirror.publish(path, monthOf('2024-12', { header: HEADER }));
    const folder = await temporaryFolder();

    const args = `fetch binance-um BTCUSDT 1h --from 2024-12-05 --to 2024-12-09 --as E-BTC-USDT --archive .`;
    const run = await runDataCommand(folder, args.split(' '), {
      env: { EVENKEEL_DUMPS_URL: mirror.url },
    });

    expect(run.stderr).toBe('');
    const info = await openArchive(folder).info('futures:E-BTC-USDT' as InstrumentId, '1h');
    expect(info).toMatchObject({ rows: 31 * 24, volumeUnit: 'base' });
  });

  it('stores candles and mark prices of an inverse contract apart, with volume in contracts', async () => {
    const mirror = await startDumpMirror();
    const path = (kind: string): string =>
      `data/futures/cm/monthly/${kind}/BTCUSD_PERP/1h/BTCUSD_PERP-1h-2024-12.zip`;
    mirror.publish(path('klines'), monthOf('2024-12', { header: HEADER }));
    mirror.publish(path('markPriceKlines'), monthOf('2024-12', { premium: 7 }));
    const folder = await temporaryFolder();
    const range = '--from 2024-12-01 --to 2025-01-01 --archive .';
    const runs = [`fetch binance-cm BTCUSD_PERP 1h ${range}`].flatMap((run) => [
      run,
      `${run} --kind mark`,
    ]);

    for (const args of runs) {
      const run = await runDataCommand(folder, [...args.split(' '), '--url', mirror.url]);
      expect(run.stderr).toBe('');
    }

    const archive = openArchive(folder);
    const id = 'futures:BTCUSD_PERP' as InstrumentId;
    expect(await archive.info(id, '1h')).toMatchObject({ rows: 744, volumeUnit: 'contracts' });
    const [candles, marks] = [await archive.read(id, '1h'), await archive.marks(id, '1h')];
    expect(marks?.close).toEqual(candles.close.map((price) => price + 7));
    expect(marks?.volume.every((volume) => volume === 0)).toBe(true);

    mirror.asked.length = 0;
    const [, again = ''] = runs;
    const run = await runDataCommand(folder, [...again.split(' '), '--url', mirror.url]);
    expect(run.stdout).toContain('1 file stored already\n  futures:BTCUSD_PERP mark 1h: 744 rows');
    expect(mirror.asked).toEqual([]);
  });

  describe('data fetch --kind funding', () => {
    const rates = 'data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-';
    const fetchRates = (
      folder: string,
      { url }: DumpMirror,
      range: string,
    ): Promise<DataCommandRun> => {
      const args = `fetch binance-um BTCUSDT --kind funding ${range} --as E-BTC-USDT --archive .`;
      return runDataCommand(folder, [...args.split(' '), '--url', url]);
    };

    /** Rates of a month in the format of the source: timestamps are some milliseconds late. */
    function ratesOf(name: string): Buffer {
      const from = Date.parse(`${name}-01T00:00:00Z`);
      const rows: string[] = [];
      for (let time = from; time < closeTimeOf(from, '1month'); time += 8 * HOUR_MS)
        rows.push(`${String(time + (time % 17))},8,0.000${String((time / HOUR_MS) % 7)}1`);
      const data = `calc_time,funding_interval_hours,last_funding_rate\n${rows.join('\n')}\n`;
      return encodeZip([{ name: `BTCUSDT-fundingRate-${name}.csv`, data }]);
    }

    it('stores whole months with times on the minute, and continues after a lost connection', async () => {
      const mirror = await startDumpMirror();
      for (const month of NEAR_2025) mirror.publish(`${rates}${month}.zip`, ratesOf(month));
      const [once, often] = [await temporaryFolder(), await temporaryFolder()];
      const range = '--from 2024-11-05 --to 2025-03-01';
      const whole = await fetchRates(once, mirror, range);
      expect(whole.stdout).toContain('futures:E-BTC-USDT funding: 360 rates from 2024-11-01');
      mirror.faults.set(`${rates}2025-01.zip`, (request) => request.socket.destroy());
      expect((await fetchRates(often, mirror, range)).stderr).toContain('E_CONNECTION_LOST');

      const last = await fetchRates(often, mirror, range);

      expect(last.stderr).toBe('');
      const fundingIn = (folder: string): Promise<string> =>
        hashOf(join(folder, 'futures/E-BTC-USDT/funding.arrow'));
      expect(await fundingIn(often)).toEqual(await fundingIn(once));
      expect(mirror.asked.filter((path) => path.endsWith('2024-12.zip'))).toHaveLength(2);
      const { time } = present(
        await openArchive(often).funding('futures:E-BTC-USDT' as InstrumentId),
        'funding',
      );
      expect([...time]).toEqual(
        Array.from({ length: 360 }, (_, index) => Date.UTC(2024, 10, 1) + index * 8 * HOUR_MS),
      );
    });

    it('leaves out the current month without --to', async () => {
      const mirror = await startDumpMirror();
      const now = new Date();
      const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1);
      const month = new Date(begin).toISOString().slice(0, 7);
      mirror.publish(`${rates}${month}.zip`, ratesOf(month));
      const between = new Date(closeTimeOf(begin, '1month')).toISOString().slice(0, 7);
      mirror.publish(`${rates}${between}.zip`, ratesOf(between));
      const folder = await temporaryFolder();

      const named = `--from ${month}-01 --to ${now.toISOString().slice(0, 10)}`;
      if (now.getUTCDate() > 1)
        expect((await fetchRates(folder, mirror, named)).stderr).toContain('E_FETCH_MISSING');
      const run = await fetchRates(folder, mirror, `--from ${month}-01`);

      expect(run.stderr).toBe('');
      expect(run.stdout).toContain('fetched 2 files of binance-um\n');
    });
  });

  it.each([
    ['fetch binance-spot BTCUSDT --from 2024-01-01', '1min 3min'],
    [
      'fetch binance-um BTCUSDT 1h --kind funding --from 2024-01-01',
      'expected none with --kind funding',
    ],
    [
      'fetch binance-spot BTCUSDT 1h --kind mark --from 2024-01-01',
      'publishes (candles), received mark',
    ],
    [
      'fetch binance-um BTCUSDT --kind rules --from 2024-01-01',
      'Allowed choices are candles, mark, funding',
    ],
    ['fetch kraken BTCUSDT 1h --from 2024-01-01', 'binance-spot, binance-um, binance-cm'],
    ['fetch binance-spot btc/usdt 1h --from 2024-01-01', 'btc/usdt'],
    ['fetch binance-spot BTCUSDT 1week --from 2024-01-01', '1min 3min'],
    ['fetch binance-spot BTCUSDT 1h --from 2024-01-02 --to 2024-01-01', '--from before --to'],
    ['fetch binance-spot BTCUSDT 1h --from 2024-01-01 --url http://example.com', 'E_URL_INSECURE'],
  ])('refuses %s', async (args, named) => {
    const run = await runDataCommand(await temporaryFolder(), args.split(' '));

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(named);
  });
});
