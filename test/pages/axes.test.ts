import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseResult, type Result } from '../../src/report/index.js';
import { runCommand } from '../support/cli/command-runner.js';
import { BROWSER, keepPicture, launch, NEEDS_BROWSER, openPage } from './browser.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CONFIG = 'config/sma-crossover.backtest.yaml';

let folder = '';
let browser: Browser;
const at = (name: string): string => path.join(folder, name);

async function backtest(name: string, to: string): Promise<Result> {
  const { exitCode, stderr } = await runCommand(ROOT, [
    ...['backtest', CONFIG, '--to', to],
    ...['--json', at(`${name}.json`), '--report', at(`${name}.html`)],
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  return parseResult(await readFile(at(`${name}.json`), 'utf8'), name);
}

/** Makes the page of a result with another equity curve. */
async function withEquity(
  name: string,
  result: Result,
  equityOf: (row: number) => number,
): Promise<void> {
  const equityCurve = result.equityCurve.map(([time], row) => [time, equityOf(row).toFixed(2)]);
  await writeFile(
    at(`${name}.json`),
    JSON.stringify({ ...result, equityCurve, benchmark: undefined }),
  );
  const { exitCode, stderr } = await runCommand(ROOT, [
    ...['report', at(`${name}.json`), '--config', CONFIG],
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
}

/** Records the labels at the sides of each picture, and those cut off by its edge. A canvas paints them, so they are in no element. */
const WATCH = `
  const painted = new Map();
  const cut = new Map();
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    painted.set(this.canvas, []);
    cut.set(this.canvas, []);
    clearRect.apply(this, area);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    if (this.textAlign !== 'center' && text !== '') painted.get(this.canvas)?.push(text);
    const half = this.measureText(text).width / 2;
    if (this.textAlign === 'center' && (place[0] < half || place[0] + half > this.canvas.width))
      cut.get(this.canvas)?.push(text);
    fillText.call(this, text, ...place);
  };
  globalThis.cutLabels = () =>
    [...cut].flatMap(([{ isConnected }, texts]) => (isConnected ? texts : []));
  globalThis.sideLabels = () =>
    [...painted].flatMap(([{ isConnected }, texts]) => (isConnected ? [texts] : []));
`;

async function watchLabels(page: Page): Promise<void> {
  await page.addInitScript({ content: WATCH });
  await page.reload();
  await page.waitForSelector('#candles canvas');
}

const sideLabels = (page: Page): Promise<readonly (readonly string[])[]> =>
  page.evaluate('sideLabels()');

const repeated = (labels: readonly string[]): readonly string[] =>
  labels.filter((label, place) => labels.indexOf(label) !== place);

describe.skipIf(BROWSER === undefined)(
  `axes of pictures in a browser (${BROWSER ?? NEEDS_BROWSER})`,
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-pages-'));
      browser = await launch();
    });

    afterAll(async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.each([
      [390, 'light'],
      [1_600, 'dark'],
    ] as const)(
      'have a different label for each step if a range is very small (%i px, %s)',
      async (width, colorScheme) => {
        const result = await backtest('small', '2024-07-20');
        await withEquity('narrow', result, (row) => 10_000_000 + (row % 5) * 0.25);

        const { page, troubles } = await openPage(browser, at('narrow.html'), {
          width,
          colorScheme,
        });
        await watchLabels(page);
        await page.focus('#candles .plot');
        for (let times = 0; times < 8; times += 1) await page.keyboard.press('+');

        await expect.poll(async () => (await sideLabels(page)).length).toBeGreaterThan(2);
        const labels = await sideLabels(page);
        expect(labels[0]).toContain('10,000,000.2');
        expect(labels.map(repeated)).toEqual(labels.map(() => []));
        const pictures = await page.locator('#equity .u-over').all();
        const [upper, lower] = await Promise.all(pictures.map((one) => one.boundingBox()));
        expect(lower?.x).toBe(upper?.x);
        await keepPicture(page, `narrow-${String(width)}-${colorScheme}`);
        expect(troubles).toEqual([]);
        await page.close();
      },
    );

    it.each([390, 1_600])('show each date label whole while zooming in (%i px)', async (width) => {
      await backtest('dated', '2024-08-01');
      const { page, troubles } = await openPage(browser, at('dated.html'), { width });
      await watchLabels(page);
      await page.focus('#candles .plot');

      const cut: unknown[] = [];
      for (let press = 0; press < 50; press += 1) {
        cut.push(await page.evaluate('cutLabels()'));
        await page.keyboard.press(press % 10 === 0 ? '+' : 'ArrowRight');
      }

      await keepPicture(page, `dates-${String(width)}`);
      expect(cut.flat()).toEqual([]);
      expect(troubles).toEqual([]);
      await page.close();
    });

    it('have labels on a logarithmic axis, for a wide and for a narrow range', async () => {
      const result = await backtest('wide', '2024-08-01');
      await withEquity('decades', result, (row) => 100 * 1.03 ** row);
      await withEquity('few', result, (row) => 10_000 + row / 10);

      for (const name of ['decades', 'few']) {
        const { page, troubles } = await openPage(browser, at(`${name}.html`));
        await watchLabels(page);
        await page.getByLabel('logarithmic').check();

        await keepPicture(page, `logarithmic-${name}`);
        const [labels = []] = await sideLabels(page);
        expect(labels.length).toBeGreaterThan(1);
        expect(repeated(labels)).toEqual([]);
        expect(troubles).toEqual([]);
        await page.close();
      }
    });
  },
);
