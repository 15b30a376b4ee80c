import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { MINUTE_MS } from '../../../src/domain/index.js';
import { serveTestExchange } from '../../support/local-exchange/served-exchange.js';
import { instrumentsAround, SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { runDataCommand } from '../../support/run-data-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SPOT = '{ product: spot, symbol: BTCUSDT, intervals: [1min, 2h] }';
const contract = (symbol: string): string =>
  `{ product: futures, symbol: ${symbol}, intervals: [1min], leverage: 5, marginMode: isolated, contract: linear, multiplier: "0.0001" }`;

async function aBot(url: string, ...instruments: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, 'bot.yaml'),
    `name: recorded
strategy: { path: ./never-loaded.strategy.ts }
instruments: [${instruments.join(', ')}]
venue: { spotUrl: "${url}", futuresUrl: "${url}" }
simulation:
  archive: ./kept
  balances: { USDT: "10000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules: ${instruments.includes(SPOT) ? '{ BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, maxWorkingOrders: 7 } }' : '{}'}
`,
  );
  return folder;
}

describe('data record', () => {
  it('records over HTTP until it is interrupted, without key and strategy', async () => {
    const now = Date.now();
    const served = await serveTestExchange({
      instruments: instrumentsAround(now),
      clock: { mode: 'realtime', start: now },
    });
    onTestFinished(() => served.close());
    const folder = await aBot(served.url, SPOT);
    const archive = openArchive(join(folder, 'kept'));
    const recordUntil = async (isThere: () => Promise<boolean>) => {
      const end = new AbortController();
      const running = runDataCommand(folder, ['record', 'bot.yaml', '--share', '1', '--json'], {
        signal: end.signal,
      });
      await expect.poll(isThere, { timeout: 15_000, interval: 20 }).toBe(true);
      end.abort(new Error('interrupted'));
      return running;
    };

    const first = await recordUntil(
      async () => (await archive.holdings().catch(() => [])).length === 2,
    );
    const second = await recordUntil(() => Promise.resolve(true));

    expect(first.stderr).toMatch(
      /^\S+Z recording spot:BTCUSDT into .*kept\n\S+Z spot:BTCUSDT 2h: the venue does not serve it; it is made of finer candles when it is read\n$/,
    );
    expect(first.exitCode).toBe(0);
    // A minute may end during the run, and the candle that closed in the last two seconds may still be missing.
    const added = expect.toSatisfy((count) => count >= 298 && count <= 300) as unknown;
    expect(JSON.parse(first.stdout)).toEqual([
      { series: 'spot:BTCUSDT 1min', added, gaps: [] },
      { series: 'spot:BTCUSDT rules', added: 1, gaps: [] },
    ]);
    expect(second).toEqual({ exitCode: 0, stderr: '', stdout: '[]\n' });
    const info = await archive.info(SPOT_ID, '1min');
    expect(info).toMatchObject({ gaps: 0, volumeUnit: 'base', sources: ['klines of 127.0.0.1'] });
    expect(info.to).toBeGreaterThan(now - 2 * MINUTE_MS);
    const rules = await archive.rules(SPOT_ID);
    // Rules that the venue does not state come from the file.
    expect(rules.map((entry) => entry.rules)).toMatchObject([
      { pricePrecision: 2, quantityPrecision: 5, maxWorkingOrders: 7 },
    ]);
  });

  it.each([
    [
      ['--share', '0'],
      [SPOT],
      /--share.*expected a ratio above 0 and up to 1, such as 0.25, received 0/,
    ],
    [['--share', 'all'], [SPOT], /received all/],
    [
      ['--share', '0.05'],
      [contract('E-BTC-USDT'), contract('E-ETH-USDT')],
      /bot\.yaml:3:\d+ instruments: expected a recording that needs at most 6 calls per minute of the limit "futures", with --share 0\.05, received 12 calls per minute/,
    ],
  ])('refuses %j before it sends a call', async (flags, instruments, message) => {
    const folder = await aBot('http://127.0.0.1:1', ...instruments);

    const run = await runDataCommand(folder, ['record', 'bot.yaml', ...flags]);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
  });
});
