/**
 * Makes docs/report.png, the picture of the README, from the run of `npm start`: `node .ci/build.mjs && node .ci/picture.mjs`. It needs a
 * browser, as `npm run test:pages` does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const WIDTH = 1_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-picture-'));
const file = join(folder, 'report.html');
const argv = ['backtest', 'config/sma-crossover.backtest.yaml', '--report', file];
const browser = await chromium.launch({
  executablePath: process.env.EVENKEEL_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', ...argv], { cwd: root });
  if (status !== 0) throw new Error(`the backtest ended with ${String(status)}`);
  const page = await browser.newPage({ viewport: { width: WIDTH, height: WIDTH } });
  await page.goto(pathToFileURL(file).href);
  // The picture ends below the last plot of equity and drawdown.
  const last = await page.locator('#equity .plot').last().boundingBox();
  const clip = { x: 0, y: 0, width: WIDTH, height: Math.round(last.y + last.height) };
  await page.screenshot({ path: join(root, 'docs', 'report.png'), clip, fullPage: true });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
