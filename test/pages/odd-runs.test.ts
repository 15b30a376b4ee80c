import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readPageParts } from '../../src/cli/report/page-parts.js';
import { buildRunPage, titleOf, writePage } from '../../src/page/index.js';
import { parseResult, writeResult, type Result } from '../../src/report/index.js';
import { runCommand } from '../support/cli/command-runner.js';
import { runOfManyTrades } from '../support/many-trades.js';
import { BROWSER, keepPicture, launch, NEEDS_BROWSER, openPage } from './browser.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOSTILE = `</script><script>document.title = 'taken'</script><!--`;

let folder = '';
let browser: Browser;
const at = (name: string): string => path.join(folder, name);

/** Makes the page of a backtest of the example. Returns its result. */
async function backtest(name: string, ...more: readonly string[]): Promise<Result> {
  const words = ['backtest', 'config/sma-crossover.backtest.yaml', ...more];
  const files = ['--json', at(`${name}.json`), '--report', at(`${name}.html`)];
  const { exitCode, stderr } = await runCommand(ROOT, [...words, ...files]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return parseResult(await readFile(at(`${name}.json`), 'utf8'), name);
}

/** Makes the page of a result that a test has changed. */
async function report(name: string, result: object): Promise<void> {
  await writeFile(at(`${name}.json`), JSON.stringify(result));
  const { exitCode, stderr } = await runCommand(ROOT, ['report', at(`${name}.json`)]);
  expect([exitCode, stderr]).toEqual([0, '']);
}

const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.textContent(selector)) ?? '';

describe.skipIf(BROWSER === undefined)(
  `odd runs in a browser (${BROWSER ?? NEEDS_BROWSER})`,
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-pages-'));
      browser = await launch();
    });

    afterAll(async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('shows that the strategy never traded', async () => {
      const slow = [
        '--set',
        'strategy.parameters.fast=200',
        '--set',
        'strategy.parameters.slow=400',
      ];
      const { trades } = await backtest('never', '--to', '2024-07-09', ...slow);

      const { page, troubles } = await openPage(browser, at('never.html'), { width: 390 });

      expect(trades).toEqual([]);
      expect(await textOf(page, '#trades')).toContain('The strategy never traded');
      expect(await textOf(page, '#breakdowns')).toContain('No trade was closed');
      expect(await page.locator('#excursions').count()).toBe(0);
      expect(await textOf(page, '#months td.sum')).toBe('0.00 %');
      await keepPicture(page, 'never-traded');
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('shows a run of one candle', async () => {
      const { run } = await backtest('one', '--to', '2024-07-08T01:00:00Z');

      const { page, troubles } = await openPage(browser, at('one.html'), { width: 390 });
      await page.locator('summary', { hasText: 'candles shown' }).click();

      expect(run.candles).toBe(1);
      await expect.poll(() => page.locator('#candles details[open] tbody tr').count()).toBe(1);
      expect(await textOf(page, '#bar-length')).toContain('Each bar is one candle of 1h');
      expect(await textOf(page, '#returns')).not.toContain('NaN');
      await keepPicture(page, 'one-candle');
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('reports which parts a result of version 1 lacks', async () => {
      const result = await backtest('now', '--to', '2024-08-01');
      const added = ['trades', 'tradeTotals', 'breakdowns', 'benchmark', 'flows', 'undecided'];
      const old = Object.entries(result).filter(([key]) => !added.includes(key));
      await report('old', { ...Object.fromEntries(old), version: 1 });

      const { page, troubles } = await openPage(browser, at('old.html'));

      expect(await textOf(page, '#trades')).toContain('The result has no list of trades');
      expect(await textOf(page, '#breakdowns')).toContain('no list of trades to break down');
      expect(await textOf(page, '.notes')).toContain('The file is of version 1');
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('draws the equity of runs in different currencies on axes of their own', async () => {
      const result = await backtest('dollars', '--to', '2024-08-01');
      const coins = { ...result, equity: { ...result.equity, currency: 'BTC' } };
      await writeFile(at('coins.json'), JSON.stringify(coins));
      const files = ['dollars.json', 'coins.json', 'dollars.json'].map(at);
      const words = ['report', ...files, '--out', at('currencies.html')];
      expect(await runCommand(ROOT, words)).toMatchObject({ exitCode: 0, stderr: '' });

      const { page, troubles } = await openPage(browser, at('currencies.html'));

      await expect.poll(() => page.locator('#equity canvas').count()).toBe(2);
      expect(await page.locator('#equity [aria-label*="in USDT"]').count()).toBe(1);
      expect(await page.locator('#equity [aria-label*="in BTC"]').count()).toBe(1);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('shows names and labels that contain a script end tag as plain text', async () => {
      const result = await backtest('plain', '--to', '2024-08-01');
      const hostile = writeResult({
        ...result,
        run: { ...result.run, strategy: HOSTILE, parameters: { [HOSTILE]: HOSTILE } },
        warnings: [HOSTILE],
        fills: result.fills.map((fill) => ({ ...fill, label: HOSTILE })),
        trades: (result.trades ?? []).map((trade) => ({
          ...trade,
          entry: { ...trade.entry, label: HOSTILE },
        })),
      });
      await report('hostile', JSON.parse(hostile) as object);

      const { page, troubles } = await openPage(browser, at('hostile.html'));

      expect(await page.title()).toContain(HOSTILE);
      expect(await textOf(page, 'h1')).toContain(HOSTILE);
      expect(await textOf(page, '.notes')).toContain(HOSTILE);
      expect(await textOf(page, '.trades tbody')).toContain(HOSTILE);
      expect(await page.locator('script').count()).toBe(2);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('opens 50,000 trades, and shows the entry of the worst trade', async () => {
      const { result, series } = runOfManyTrades(50_000, 20);
      const data = buildRunPage(result, { series });
      const parts = await readPageParts();
      await writeFile(at('many.html'), [...writePage(data, titleOf(data), parts)].join(''));
      const worst = (result.trades ?? []).reduce((a, b) =>
        Number(b.profit) < Number(a.profit) ? b : a,
      );

      const { page, troubles } = await openPage(browser, at('many.html'));
      await page.click('text=Worst first');
      await page.locator('.trades tbody tr').first().click();

      expect(await textOf(page, '#trades h2')).toBe('Trades (50,000)');
      expect(await textOf(page, '#trades .pager')).toContain('of 2000');
      expect(await textOf(page, '#why')).toContain(`at ${worst.entry.price ?? ''}`);
      expect(await textOf(page, '#bar-length')).toContain('of 50000 ranges');
      await keepPicture(page, 'many-trades');
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('shows received costs, open trades, small monthly returns and the extremes of all trades', async () => {
      const result = await backtest('whole', '--to', '2024-10-01');
      const closed = result.trades?.slice(0, 7) ?? [];
      const [first] = closed;
      if (first === undefined) throw new Error('the example does not trade');
      const trades = [
        ...closed.map((trade) => ({ ...trade, profit: '0.0125', mae: '-0.004', mfe: '0.02' })),
        // The last one has the deepest fall.
        { ...first, open: true, exit: null, profit: '-0.0031', mae: '-0.0517', mfe: '0.0008' },
      ];
      await report('small', {
        ...result,
        trades,
        statistics: { ...result.statistics, funding: '-3.5' },
        // 0.0012 % in the first month.
        equityCurve: result.equityCurve.map(([time], point) => [
          time,
          point === 0 ? '10000' : '10000.12',
        ]),
      });

      const { page, troubles } = await openPage(browser, at('small.html'));

      expect(await textOf(page, '#trades h2')).toBe('Trades (7, and 1 still open)');
      expect(await textOf(page, '#breakdowns')).toContain('Negative costs were received.');
      expect(await page.locator('#months td').allTextContents()).toContain('0.00120 %');
      expect(await textOf(page, '.scatter')).toContain('up to 0.0517');
      expect(await textOf(page, '.scatter')).toContain('Profit up to 0.0125, loss to −0.0031');
      await page.click('text=MFE: largest profit');
      await expect.poll(() => textOf(page, '.scatter')).toContain('up to 0.0200');
      await page.locator('.trades tbody tr').first().click();
      expect(await textOf(page, '#why')).toContain('MAE −0.0040, MFE 0.0200');
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('writes losses with one minus sign, and their range above the line of 0, if every trade lost', async () => {
      const result = await backtest('whole', '--to', '2024-10-01');
      const trades = result.trades?.map((trade) => ({ ...trade, profit: '-1', mae: '-1' })) ?? [];
      await report('lost', { ...result, trades });
      const { page } = await openPage(browser, at('lost.html'));
      const scatter = page.locator('.scatter');

      expect(await textOf(page, '#figures')).toMatch(/−\d/);
      expect(await textOf(page, '#figures')).not.toMatch(/-\d/);
      const text = await scatter.locator('text', { hasText: 'Profit up to' }).boundingBox();
      const line = await scatter.locator('line').first().boundingBox();
      expect((text?.y ?? NaN) + (text?.height ?? NaN)).toBeLessThanOrEqual(line?.y ?? NaN);
      await page.close();
    });

    it('does not mention received costs if all costs were paid', async () => {
      await backtest('paid', '--to', '2024-08-01');

      const { page } = await openPage(browser, at('paid.html'));

      expect(await textOf(page, '#breakdowns')).not.toContain('received');
      await page.close();
    });
  },
);
