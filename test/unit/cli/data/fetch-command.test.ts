import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../src/archive/index.js';
import { closeTimeOf, HOUR_MS, type InstrumentId } from '../../../../src/domain/index.js';
import { startDumpMirror, type Answer, type DumpMirror } from '../../../support/dump-mirror.js';
import { BTC } from '../../../support/replay.js';
import { runDataCommand, type DataCommandRun } from '../../../support/run-data-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { encodeZip } from '../../../support/zip-files.js';

const SPOT = 'data/spot/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-';
const HEADER =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';

/** Rows of a month as the source writes them: microseconds since 2025. */
function monthOf(name: string, { header = '' } = {}): Buffer {
  const from = Date.parse(`${name}-01T00:00:00Z`);
  const unit = from >= Date.parse('2025-01-01') ? 1_000 : 1;
  const rows: string[] = [];
  for (let time = from; time < closeTimeOf(from, '1month'); time += HOUR_MS) {
    const price = 100 + ((time / HOUR_MS) % 97);
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

const bytesOf = (folder: string): Promise<readonly Buffer[]> =>
  Promise.all(['1h.arrow', '1h.json'].map((name) => readFile(join(folder, 'spot/BTCUSDT', name))));

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) =>
    /\./.test(name.replace('.fetch', '')),
  );

const NEAR_2025 = ['2024-11', '2024-12', '2025-01', '2025-02'];

describe('data fetch', () => {
  it('downloads months, verifies and imports them, across the change to microseconds, and asks for none again', async () => {
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

  it('makes the same bytes of three years interrupted ten times as of once through', async () => {
    const mirror = await aMirror(THREE_YEARS);
    const range = '--from 2023-01-01 --to 2026-01-01';
    const [once, often] = [await temporaryFolder(), await temporaryFolder()];
    await fetchInto(once, mirror, range);
    mirror.asked.length = 0;

    for (let turn = 0; turn < 10; turn += 1) {
      const path = `${SPOT}${THREE_YEARS[turn * 3 + 2] ?? ''}.zip`;
      const controller = new AbortController();
      // By turns the connection breaks midway, and the user gives up.
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
    // Each file was downloaded once, but for those that broke.
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
  ])('refuses %s, stores nothing, and goes on when it is mended', async (_, path, fault, error) => {
    const mirror = await aMirror(NEAR_2025);
    const folder = await temporaryFolder();
    mirror.faults.set(path, fault);

    const run = await fetchInto(folder, mirror);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(error);
    expect(run.stdout).toBe('');
    expect((await filesIn(folder)).filter((name) => !name.endsWith('.zip'))).toEqual([]);
    expect((await fetchInto(folder, mirror)).exitCode).toBe(0);
  });

  it('names months that are not published, and imports the others where that is asked for', async () => {
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

  it('stores contracts, whose files have a header, under the name that the venue has', async () => {
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

  it.each([
    ['fetch kraken BTCUSDT 1h --from 2024-01-01', 'binance-spot, binance-um'],
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
