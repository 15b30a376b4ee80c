import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readPageParts } from '../../src/cli/report/page-parts.js';
import { buildRunPage, titleOf, writePage } from '../../src/page/index.js';
import type { Result } from '../../src/report/index.js';
import { runOfManyTrades } from '../support/many-trades.js';
import { BROWSER, launch, NEEDS_BROWSER, openPage } from './browser.js';

const SELECTED = '.trades .chosen';

let folder = '';
let browser: Browser;

/** Writes the page of 60 trades, perhaps changed by a test. */
async function pageOf(name: string, change: (result: Result) => Result = (same) => same) {
  const { result, series } = runOfManyTrades(60, 20);
  const data = buildRunPage(change(result), { series });
  const file = path.join(folder, `${name}.html`);
  await writeFile(file, [...writePage(data, titleOf(data), await readPageParts())].join(''));
  return { file, result };
}

const span = (page: Page): Promise<string | null> => page.textContent('#candle-span');

describe.skipIf(BROWSER === undefined)(
  `the view of a page in a browser (${BROWSER ?? NEEDS_BROWSER})`,
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-pages-'));
      browser = await launch();
    });

    afterAll(async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('is the same after a reload: the chosen trade with all its fills', async () => {
      const { file } = await pageOf('reload');
      const { page, troubles } = await openPage(browser, file);
      await page.locator('.trades tbody tr').nth(3).click();
      const [chosen, at] = [await page.textContent('#why'), await span(page)];

      await page.reload();
      await page.waitForSelector('#why');

      expect(await page.textContent('#why')).toBe(chosen);
      expect(await page.locator('#why li').count()).toBe(2);
      expect(await span(page)).toBe(at);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('leaves the keys of the browser alone, such as Ctrl and plus, in the chart too', async () => {
      const { file } = await pageOf('keys');
      const { page } = await openPage(browser, file);
      await page.evaluate(
        `globalThis.taken = []; addEventListener('keydown', (event) => { if (event.defaultPrevented) taken.push(event.key); })`,
      );
      await page.focus('#candles .plot');
      const before = await span(page);

      for (const key of ['Control+=', 'Control+p', 'Alt+ArrowLeft', 'Meta+ArrowRight'])
        await page.keyboard.press(key);

      expect(await page.evaluate('taken')).toEqual([]);
      expect(await span(page)).toBe(before);
      expect(await page.locator(SELECTED).count()).toBe(0);
      await page.close();
    });

    it('begins at the first row when the trades are sorted or filtered, whatever trade is chosen', async () => {
      const { file, result } = await pageOf('sorted');
      const rank = (result.trades ?? []).toSorted((a, b) => Number(a.profit) - Number(b.profit));
      const { page } = await openPage(browser, file);
      const first = page.locator('.trades tbody tr td:nth-child(2)').first();
      await page.click('text=Best first');
      await page.locator('.trades tbody tr').first().click();

      await page.click('text=Worst first');

      expect(await page.textContent('#trades .pager span')).toBe('page 1 of 3');
      expect(await first.getAttribute('title')).toBe(rank[0]?.profit);
      await page.fill('#trades input', 'long');
      await expect.poll(() => page.textContent('#trades .pager span')).toBe('page 1 of 3');
      await page.close();
    });

    it('does not move by the right button of the pointer', async () => {
      const { file } = await pageOf('buttons');
      const { page } = await openPage(browser, file);
      const chart = page.locator('#candles .u-over');
      const before = await span(page);
      await chart.hover({ position: { x: 300, y: 100 } });

      await page.mouse.down({ button: 'right' });
      await page.mouse.move(500, 300);
      await page.mouse.up({ button: 'right' });

      expect(await span(page)).toBe(before);
      await page.close();
    });
  },
);
