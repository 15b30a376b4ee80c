import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readPageParts } from '../../src/cli/report/page-parts.js';
import { buildRunPage, titleOf, writePage } from '../../src/page/index.js';
import type { SweepPage, WalkForwardPage } from '../../src/page/page-data.js';
import type { Result } from '../../src/report/index.js';
import { runOfManyTrades } from '../support/many-trades.js';
import { BROWSER, keepPicture, launch, NEEDS_BROWSER, openPage } from './browser.js';

const SELECTED = '.trades .chosen';
/** Width of an upright sheet without its margins. */
const A4_PX = 718;

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

/** Lists the percentages that each picture paints, from the top of the page on. */
const WATCH = `
  const painted = new Map();
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    painted.set(this.canvas, []);
    clearRect.apply(this, area);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    painted.set(this.canvas, [...(painted.get(this.canvas) ?? []), text]);
    fillText.call(this, text, ...place);
  };
  globalThis.percents = () =>
    [...document.querySelectorAll('#equity canvas')].map((canvas) =>
      (painted.get(canvas) ?? []).filter((text) => text.endsWith(' %')),
    );
`;

/** Lists the texts of the picture of all parameters that cover another one, or leave the picture. */
const COVERED = `(() => {
  const texts = [...document.querySelectorAll('.lines text')];
  const box = (one) => one.getBoundingClientRect();
  const all = box(document.querySelector('.lines'));
  const isApart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
  return texts
    .filter((one) => {
      const own = box(one);
      const isInside = own.left >= all.left && own.right <= all.right && own.top >= all.top;
      return !isInside || texts.some((other) => other !== one && !isApart(own, box(other)));
    })
    .map(({ textContent }) => textContent);
})()`;

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

    it('ends a drag that the browser takes over to scroll the page', async () => {
      const { file } = await pageOf('taken');
      const { page } = await openPage(browser, file);
      const chart = page.locator('#candles .u-over');
      const before = await span(page);
      await chart.hover({ position: { x: 300, y: 100 } });

      await page.mouse.down();
      await chart.dispatchEvent('pointercancel');
      await page.mouse.move(500, 300);

      expect(await span(page)).toBe(before);
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

    it('follows one finger, and leaves two to the browser', async () => {
      const { file } = await pageOf('fingers');
      const { page } = await openPage(browser, file);
      const chart = page.locator('#candles .u-over');
      const before = await span(page);
      const touch = (type: string, pointerId: number, clientX: number): Promise<void> =>
        chart.dispatchEvent(type, {
          ...{ pointerId, clientX, clientY: 0, isPrimary: pointerId === 1, button: 0 },
          ...{ bubbles: true, pointerType: 'touch' },
        });
      await page.evaluate('Element.prototype.setPointerCapture = () => {}');

      await touch('pointerdown', 1, 300);
      await touch('pointerdown', 2, 500);
      await touch('pointermove', 2, 520);
      await touch('pointermove', 1, 300);

      expect(await span(page)).toBe(before);
      expect(
        await page.evaluate(
          `getComputedStyle(document.querySelector('#candles .u-over')).touchAction`,
        ),
      ).toContain('pinch-zoom');
      await touch('pointermove', 1, 200);
      expect(await span(page)).not.toBe(before);
      await page.close();
    });

    it.each([390, 1_280])('breaks no figure within its number, %i px wide', async (width) => {
      const { file } = await pageOf('long-figures', (result) => ({
        ...result,
        equity: { ...result.equity, initial: '15000000000', final: '14148260033.46362886' },
      }));
      const { page } = await openPage(browser, file, { width });

      const lines = await page.evaluate<readonly string[]>(`
        [...document.querySelectorAll('#figures dd')].flatMap(({ firstChild }) => {
          const range = document.createRange();
          range.setStart(firstChild, 0);
          range.setEnd(firstChild, firstChild.data.split(' ')[0].length);
          return range.getClientRects().length === 1 ? [] : [firstChild.data];
        })`);

      expect(lines).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.close();
    });

    it('is printed in light colors, with whole pictures and tables', async () => {
      const { file } = await pageOf('printed');
      const { page } = await openPage(browser, file, { colorScheme: 'dark', width: 1_600 });
      const colorOf = `getComputedStyle(document.body).color`;
      const dark = await page.evaluate(colorOf);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.setViewportSize({ width: 800, height: 1_000 });

      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);

      expect(await page.evaluate(colorOf)).toBe('rgb(22, 25, 29)');
      expect(
        await page.evaluate(`[...document.querySelectorAll('.plot canvas, .picture svg')]
          .filter((one) => one.getBoundingClientRect().right > innerWidth).length`),
      ).toBe(0);
      expect(
        await page.evaluate(`[...document.querySelectorAll('.scroll')]
          .filter((one) => getComputedStyle(one).overflowX !== 'visible').length`),
      ).toBe(0);
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
      expect(await page.evaluate(colorOf)).toBe(dark);
      await page.close();
    });

    it('is printed with all columns of its tables, which a browser shrinks to two thirds at most', async () => {
      const { file } = await pageOf('wide', (result) => ({
        ...result,
        trades: result.trades?.map((trade, place) => ({
          ...trade,
          ...(place % 2 === 0 ? {} : { instrument: 'futures:E-THOUSAND-USDT' }),
          ...{ label: 'weekly rotation', endedBy: 'stop-loss', funding: '-1.25', interest: '0.5' },
        })),
      }));
      const { page } = await openPage(browser, file);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: A4_PX, height: 1_000 });

      const width = await page.evaluate<number>('document.documentElement.scrollWidth');

      expect(await page.locator('.trades thead th').count()).toBeGreaterThan(17);
      expect(width).toBeLessThan(A4_PX * 1.5);
      await page.close();
    });

    it('says at the pointer what the file says, in UTC and in all digits of a small account', async () => {
      const { file } = await pageOf('pointer', (result) => ({
        ...result,
        equity: { ...result.equity, currency: 'BTC' },
        equityCurve: result.equityCurve.map(([time]) => [time, '0.01234567']),
      }));
      const { page, troubles } = await openPage(browser, file);
      const legend = page.locator('#equity .u-legend').first();

      await page.locator('#equity .u-over').first().hover();

      await expect.poll(() => legend.textContent()).toContain('0.01234567');
      expect(await legend.textContent()).toMatch(/^Time \(UTC\)2025-01-0\d 00:00BTC/);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('draws no logarithm of a debt, and says so', async () => {
      for (const [low, isOffered] of [
        ['600', true],
        ['-600', false],
      ] as const) {
        const { file } = await pageOf(`logarithm-${low}`, (result) => ({
          ...result,
          equityCurve: result.equityCurve.map(([time], day) => [time, day === 0 ? '10000' : low]),
        }));
        const { page, troubles } = await openPage(browser, file);

        expect(await page.isEnabled('#equity input')).toBe(isOffered);
        expect((await page.textContent('#equity label'))?.includes('not drawn')).toBe(!isOffered);
        expect(troubles).toEqual([]);
        await page.close();
      }
    });

    it('labels the depth of a fall, however deep it is', async () => {
      for (const low of ['600', '5100', '8600', '9990']) {
        const { file } = await pageOf(`fall-${low}`, (result) => ({
          ...result,
          equityCurve: result.equityCurve.map(([time], day) => [time, day === 0 ? '10000' : low]),
        }));
        const { page } = await openPage(browser, file, { width: 390 });
        await page.addInitScript({ content: WATCH });
        await page.reload();
        await page.waitForSelector('#equity canvas');

        const [, fall] = await page.evaluate<readonly (readonly string[])[]>('percents()');
        expect([low, fall?.filter((label) => label !== '0 %')]).not.toEqual([low, []]);
        await page.close();
      }
    });

    it('fits a narrow screen with long names of instruments', async () => {
      const long = 'spot:THOUSANDSOFVERYLONGNAMEDCOINSUSDT';
      const { result, series } = runOfManyTrades(60, 20);
      const benchmark = {
        ...{ instrument: long, totalReturn: 0, excessReturn: 0, beta: 0, correlation: 0 },
        curve: result.equityCurve,
      };
      const data = buildRunPage(
        { ...result, benchmark },
        { series: series.flatMap((one) => [one, { ...one, instrument: long }]) },
      );
      const file = path.join(folder, 'long.html');
      await writeFile(file, [...writePage(data, titleOf(data), await readPageParts())].join(''));

      const { page, troubles } = await openPage(browser, file, { width: 390 });

      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.figures > *')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`,
        ),
      ).toBe(0);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('has the curve of what is held as a table, too', async () => {
      const curve = [
        [1_735_689_600_000, '20000'],
        [1_735_776_000_000, '21000'],
      ] as const;
      const { file } = await pageOf('held', (result) => ({
        ...result,
        equity: { ...result.equity, initial: '10000' },
        benchmark: {
          ...{ instrument: 'spot:BTCUSDT', totalReturn: 0.05, excessReturn: 0 },
          ...{ beta: null, correlation: null, curve },
        },
      }));
      const { page } = await openPage(browser, file);

      await page.locator('summary', { hasText: 'holding spot:BTCUSDT' }).click({ timeout: 2_000 });

      await expect
        .poll(() => page.locator('#equity details[open] tbody td').allTextContents())
        .toEqual(['2025-01-01 00:00', '10000.00', '2025-01-02 00:00', '10500.00']);
      await page.close();
    });

    it.each([390, 1_600])('writes long names of parameters apart, %i px wide', async (width) => {
      const names = ['fastAveragePeriod', 'slowAveragePeriod', 'stopLossPercent', 'cooldown'];
      const trial = { isLeftOut: false, figures: {}, error: null };
      const data: SweepPage = {
        ...{ kind: 'sweep', title: ['Sweep'], objective: 'profitFactor', isLargestBest: true },
        ...{ notes: [], best: null, sharpe: [], sharpeMarks: [], significance: null },
        axes: names.map((name) => ({ name, values: [1, 2] })),
        trials: [1, 2].map((value) => ({
          ...trial,
          ...{ figure: value, parameters: names.map(() => value) },
        })),
      };
      const file = path.join(folder, `sweep-${String(width)}.html`);
      await writeFile(file, [...writePage(data, titleOf(data), await readPageParts())].join(''));

      const { page, troubles } = await openPage(browser, file, { width });

      expect(await page.evaluate(COVERED)).toEqual([]);
      const grip = page.getByLabel('range of slowAveragePeriod');
      const box = await grip.boundingBox();
      await grip.hover({ position: { x: 14, y: (box?.height ?? 0) * 0.25 } });
      await page.mouse.down();
      await page.mouse.move((box?.x ?? 0) + 14, (box?.y ?? 0) + (box?.height ?? 0) * 0.75);
      await page.mouse.up();
      expect(await grip.getAttribute('aria-valuetext')).toBe('25 to 75 percent');
      await keepPicture(page, `long-names-${String(width)}`);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('tells the days of a walk-forward apart in its table', async () => {
      const data: WalkForwardPage = {
        ...{ kind: 'walk-forward', title: ['Walk'], figures: [], notes: [], starts: [] },
        ...{ folds: { head: [], rows: [] }, drift: { head: [], rows: [] } },
        ...{ bands: [], significance: null },
        curve: [1, 1.0012, 0.9987].map((value, day) => [day * 86_400_000, value]),
      };
      const file = path.join(folder, 'walk.html');
      await writeFile(file, [...writePage(data, titleOf(data), await readPageParts())].join(''));
      const { page } = await openPage(browser, file);

      await page.locator('summary', { hasText: 'what 1 becomes' }).click();

      await expect
        .poll(() => page.locator('#curve details[open] tbody td:last-child').allTextContents())
        .toEqual(['1.0000', '1.0012', '0.9987']);
      await page.close();
    });
  },
);
