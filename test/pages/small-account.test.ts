import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseResult } from '../../src/report/index.js';
import { runCommand } from '../support/cli/command-runner.js';
import { BROWSER, keepPicture, launch, NEEDS_BROWSER, openPage } from './browser.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe.skipIf(BROWSER === undefined)(
  `the page of a small account (${BROWSER ?? NEEDS_BROWSER})`,
  () => {
    let folder = '';
    let browser: Browser;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-pages-'));
      browser = await launch();
    });

    afterAll(async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('shows the profit of each trade with enough digits, however small the amounts are', async () => {
      const [file, json] = [path.join(folder, 'small.html'), path.join(folder, 'small.json')];
      const words = ['--json', json, '--report', file];
      const { exitCode } = await runCommand(ROOT, [
        ...['backtest', 'config/sma-crossover.backtest.yaml', '--to', '2024-12-01'],
        ...['--set', 'simulation.balances.USDT="20"'],
        ...words,
      ]);
      expect(exitCode).toBe(0);
      const result = parseResult(await readFile(json, 'utf8'), json);
      const profits = (result.trades ?? []).slice(0, 25).map(({ profit }) => Number(profit));

      const { page, troubles } = await openPage(browser, file, { width: 390 });
      const shown = await page.locator('.trades tbody td:nth-child(2)').allTextContents();

      expect(profits.length).toBeGreaterThan(3);
      // The shown digits give each profit to a hundredth of a typical one. For profits of some 30 cents, two decimals are too few.
      const usual = profits.map(Math.abs).sort((a, b) => a - b)[profits.length >>> 1] ?? 0;
      for (const [place, text] of shown.entries()) {
        const away = Number(text.replace('−', '-').replaceAll(',', '')) - (profits[place] ?? 0);
        expect(Math.abs(away)).toBeLessThan(usual / 100);
      }
      await keepPicture(page, 'small-390');
      expect(troubles).toEqual([]);
      await page.close();
    }, 120_000);
  },
);
