import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { describeResult, parseResult, type Result, type Trade } from '../../src/report/index.js';
import { readAudit, readSweep, readWalkForward } from '../../src/research/index.js';
import { runCommand } from '../support/cli/command-runner.js';
import { BROWSER, keepPicture, launch, NEEDS_BROWSER, openPage } from './browser.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Rows of the first page of trades. */
const TRADES_SHOWN = 25;

/** Titles of the amounts in the table of trades, shown under the pointer. */
const EXACT_AMOUNTS = `[...document.querySelectorAll('.trades tbody td[title]')].map(({ title }) => title)`;

/** Long and short at once, first from the same instant on, with much more exposure than its money can bear. */
const HEDGER = `import { CandleStrategy } from 'evenkeel';

export class Hedger extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    const place = this.#candles % 480;
    this.#candles += 1;
    if (place === 1) this.enterLong({ equity: '8' }, { label: 'core' });
    if (this.#candles === 2) this.enterShort({ equity: '0.5' }, { label: 'pair' });
    if (place === 20) this.exit({ direction: 'short' });
    if (place === 40) this.enterShort({ equity: '2' }, { label: 'hedge' });
    if (place === 200) this.exit({ direction: 'short' });
    if (place === 479) this.exit({ direction: 'long' });
  }
}
`;

const HEDGER_CONFIG = `version: 1
name: hedger
strategy: { path: hedger.strategy.ts }
instruments:
  - { product: futures, symbol: E-BTC-USDT, intervals: [15min], leverage: 20, marginMode: isolated, multiplier: "0.001" }
simulation:
  archive: ${path.join(ROOT, 'backtest/data')}
  from: 2025-05-03
  to: 2025-07-01
  balances: { USDT: "20000" }
  fees: { maker: "0.0002", taker: "0.0006" }
  futures: { positionMode: hedge }
`;

let folder = '';
let browser: Browser;
const at = (name: string): string => path.join(folder, name);

async function run(...argv: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runCommand(ROOT, argv);
  expect([exitCode, stderr]).toEqual([0, '']);
}

async function resultOf(name: string): Promise<Result> {
  return parseResult(await readFile(at(name), 'utf8'), name);
}

/** Texts of all elements that a selector finds. */
function texts(page: Page, selector: string): Promise<readonly string[]> {
  return page.locator(selector).allTextContents();
}

/** Whether a short was open at the same time as a long. */
function isHeldBeside(one: Trade, other: Trade): boolean {
  const [start, end] = [other.entry.time, other.entry.time + other.duration];
  return (
    one.side === 'long' &&
    other.side === 'short' &&
    one.entry.time < end &&
    one.entry.time + one.duration > start
  );
}

const HIDDEN_OF_TRADES = `(() => {
  const { scrollWidth, clientWidth } = document.querySelector('.trades').parentElement;
  return scrollWidth - clientWidth;
})()`;

/** Checks that hold for every page of a run. */
async function expectFigures(page: Page, result: Result): Promise<void> {
  const { figures } = describeResult(result);
  const shown = await texts(page, '#figures dd');
  // A page has the minus sign, the command line the hyphen.
  const expected = figures.map(({ value }) => value.replace(/^-(?=\d)/, '−'));
  expect(shown.slice(0, figures.length)).toEqual(expected);
  const values = await page.evaluate<string[]>(EXACT_AMOUNTS);
  const shownTrades = (result.trades ?? []).slice(0, TRADES_SHOWN);
  expect(values).toEqual(
    expect.arrayContaining(
      shownTrades.flatMap(({ profit, gross, fees, funding, mae, mfe }) => [
        ...[profit, gross, fees, mae, mfe],
        ...(funding === '0' ? [] : [funding]),
      ]),
    ),
  );
  const still = result.trades?.filter(({ open }) => open).length ?? 0;
  const open = still === 0 ? '' : `, and ${String(still)} still open`;
  expect(await texts(page, '#trades h2')).toEqual([
    `Trades (${String(result.statistics.trades)}${open})`,
  ]);
}

/** The texts in pictures: their height on the screen, and whether they lie inside their picture. */
const PICTURE_TEXTS = `[...document.querySelectorAll('svg text')].map((text) => {
  const [own, picture] = [text, text.ownerSVGElement].map((one) => one.getBoundingClientRect());
  const isInside = own.left >= picture.left - 1 && own.right <= picture.right + 1 && own.top >= picture.top - 1 && own.bottom <= picture.bottom + 1;
  return { text: text.textContent, height: own.height, isInside };
})`;

/** Texts in pictures are at least 12 px high on any screen, and none is cut off. */
async function expectReadable(page: Page): Promise<void> {
  const written =
    await page.evaluate<readonly { text: string; height: number; isInside: boolean }[]>(
      PICTURE_TEXTS,
    );
  expect(written.filter(({ height, isInside }) => height < 12 || !isInside)).toEqual([]);
}

describe.skipIf(BROWSER === undefined)(`pages in a browser (${BROWSER ?? NEEDS_BROWSER})`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-pages-'));
    browser = await launch();
    const spot = ['backtest', 'config/sma-crossover.backtest.yaml', '--to', '2024-12-01'];
    await run(
      ...spot,
      '--json',
      at('spot.json'),
      '--report',
      at('spot.html'),
      '--journal',
      at('spot.journal'),
    );
    await run(
      'report',
      at('spot.json'),
      '--journal',
      at('spot.journal'),
      '--config',
      'config/sma-crossover.backtest.yaml',
      '--out',
      at('why.html'),
    );
    await run(...spot, '--set', 'strategy.parameters.slow=35', '--json', at('other.json'));
    await run('report', at('spot.json'), at('other.json'), '--out', at('both.html'));
    await run('report', at('other.json'), '--out', at('alone.html'));
    await writeFile(at('hedger.strategy.ts'), HEDGER);
    await writeFile(at('hedger.yaml'), HEDGER_CONFIG);
    const hedged = ['--json', at('hedged.json'), '--report', at('hedged.html')];
    await run('backtest', at('hedger.yaml'), ...hedged);
    await run(
      'backtest',
      'config/rsi-mean-reversion.backtest.yaml',
      '--to',
      '2024-09-01',
      '--bounds',
      '--json',
      at('bounds.json'),
      '--report',
      at('bounds.html'),
    );
    const sweep = [
      'sweep',
      'config/sma-crossover.backtest.yaml',
      '--to',
      '2024-10-01',
      '--jobs',
      '1',
    ];
    const grid = ['--grid', 'fast=5:20:5,slow=30:60:10', '--ledger', at('ledger.jsonl')];
    // The threads of the sweep run the compiled program.
    const { status } = spawnSync(
      process.execPath,
      ['dist/cli/main.js', ...sweep, ...grid, '--json', at('sweep.json')],
      { cwd: ROOT },
    );
    expect(status).toBe(0);
    await run('significance', at('ledger.jsonl'), '--json', at('judged.json'));
    const judged = ['--significance', at('judged.json')];
    await run('report', at('sweep.json'), ...judged, '--out', at('sweep.html'));
    const walk = ['walk-forward', ...sweep.slice(1), '--train', '40d', '--test', '15d'];
    const walked = spawnSync(
      process.execPath,
      ['dist/cli/main.js', ...walk, ...grid, '--json', at('walk.json')],
      { cwd: ROOT },
    );
    expect(walked.status).toBe(0);
    await run('report', at('walk.json'), '--out', at('walk.html'));
    const parts = ['--only', 'determinism,ablation,capacity', '--json', at('audit.json')];
    const audit = ['audit', 'config/sma-crossover.backtest.yaml', '--to', '2024-09-01', ...parts];
    const audited = spawnSync(process.execPath, ['dist/cli/main.js', ...audit, '--jobs', '1'], {
      cwd: ROOT,
    });
    expect(audited.status).toBe(0);
    await run('report', at('audit.json'), '--out', at('audit.html'));
    const beside = ['--audit', at('audit.json'), '--out', at('audited.html')];
    await run('report', at('spot.json'), ...beside);
  }, 300_000);

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['spot', 1_600, 'light'],
    ['spot', 390, 'dark'],
    ['hedged', 1_600, 'dark'],
    ['hedged', 390, 'light'],
    ['bounds', 1_600, 'light'],
    ['bounds', 390, 'dark'],
  ] as const)(
    '%s, %d px wide, %s: shows the figures of its result, and sends no request',
    async (name, width, colorScheme) => {
      const { page, troubles } = await openPage(browser, at(`${name}.html`), {
        width,
        colorScheme,
      });

      await expectFigures(page, await resultOf(`${name}.json`));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 27)');
      await expectReadable(page);
      // A wide screen shows all columns of the trades. On a narrow one the table scrolls.
      if (width > 1_000) expect(await page.evaluate(HIDDEN_OF_TRADES)).toBe(0);
      await keepPicture(page, `${name}-${String(width)}-${colorScheme}`);
      expect(troubles).toEqual([]);
      await page.close();
    },
  );

  it('moves the candles to a clicked trade, and restores the view from the address', async () => {
    const result = await resultOf('spot.json');
    const { page, troubles } = await openPage(browser, at('spot.html'));
    const before = await page.textContent('#candle-span');
    expect(await texts(page, '#candles .legend li')).toEqual(
      expect.arrayContaining(['fast', 'slow']),
    );

    await page.click('text=Worst first');
    await page.locator('.trades tbody tr').first().click();

    const worst = (result.trades ?? []).toSorted((a, b) => Number(a.profit) - Number(b.profit))[0];
    const shown = (await page.textContent('#candle-span')) ?? '';
    const [from = '', to = ''] = shown.split(' to ').map((text) => text.trim().replace(' ', 'T'));
    expect(shown).not.toBe(before);
    expect(Date.parse(`${from}:00Z`)).toBeLessThanOrEqual(worst?.entry.time ?? 0);
    expect(Date.parse(`${to}:00Z`)).toBeGreaterThanOrEqual(worst?.exit?.time ?? Infinity);
    expect(await page.textContent('#bar-length')).toContain('Each bar is one candle');
    expect(await page.textContent('#why')).toContain(worst?.entry.price ?? 'no price');
    const hash = new URL(page.url()).hash;
    expect(hash).toContain(new Date(worst?.entry.time ?? 0).toISOString().slice(0, 19));
    await keepPicture(page, 'spot-worst');
    await page.close();

    const again = await openPage(browser, at('spot.html'), { hash });
    const [start = '', end = ''] = ((await again.page.textContent('#candle-span')) ?? '')
      .split(' to ')
      .map((text) => Date.parse(`${text.trim().replace(' ', 'T')}:00Z`));
    expect(Number(start)).toBeLessThan(worst?.entry.time ?? 0);
    expect(Number(end)).toBeGreaterThan(worst?.entry.time ?? Infinity);
    expect(await again.page.locator('#why').count()).toBe(1);
    expect([...troubles, ...again.troubles]).toEqual([]);
    await again.page.close();
  });

  it('shows the trade or the fill that a link names, of several at one instant', async () => {
    const { trades = [], fills } = await resultOf('hedged.json');
    const isLike = (one: Trade, other: Trade): boolean =>
      one.entry.time === other.entry.time && one.instrument === other.instrument;
    const second = trades.findIndex((one, place) =>
      trades.slice(0, place).some((other) => isLike(one, other)),
    );
    expect(second).toBeGreaterThan(0);
    const { page, troubles } = await openPage(browser, at('hedged.html'));
    await page.locator(`.trades tbody tr[data-trade="${String(second)}"]`).click();
    const trade = new URL(page.url()).hash;
    const text = await page.textContent('#why');
    await page.close();

    const again = await openPage(browser, at('hedged.html'), { hash: trade });
    const place = trades[second]?.entry.fills[0] ?? -1;
    const fill = trade.replace(`trade=${String(second + 1)}`, `fill=${String(place + 1)}`);
    expect(await again.page.textContent('#why')).toBe(text);
    await again.page.close();

    const last = await openPage(browser, at('hedged.html'), { hash: fill });
    const why = await last.page.textContent('#why');
    expect(why).toContain(fills[place]?.price ?? 'no price');
    expect(why).not.toBe(text);
    expect(new URL(last.page.url()).hash).toBe(fill);
    expect([...troubles, ...again.troubles, ...last.troubles]).toEqual([]);
    await last.page.close();
  });

  it('keeps the colors when it is read again', async () => {
    const { page, troubles } = await openPage(browser, at('spot.html'));
    const button = page.locator('button.theme');
    await button.click();
    await button.click();

    await page.reload();

    expect(await button.textContent()).toBe('Colors: dark');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('lists the liquidations of a run that was long and short at once', async () => {
    const { trades = [] } = await resultOf('hedged.json');
    const liquidated = trades.filter(({ exit }) => exit?.cause === 'liquidation');
    const { page, troubles } = await openPage(browser, at('hedged.html'));

    await page.fill('#trades input', 'liquidation');
    await page.locator('.trades tbody tr').first().click();

    expect(new Set(trades.map(({ side }) => side))).toEqual(new Set(['long', 'short']));
    expect(trades.some((one) => trades.some((other) => isHeldBeside(one, other)))).toBe(true);
    expect(await page.locator('.trades tbody tr').count()).toBe(
      Math.min(TRADES_SHOWN, liquidated.length),
    );
    expect(liquidated.length).toBeGreaterThan(0);
    expect(await page.textContent('#why')).toContain('liquidation');
    expect(await texts(page, '.legend li')).toContain('stop, liquidation');
    await keepPicture(page, 'hedged-liquidation');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('explains how to add candles to the report of a result alone', async () => {
    const { page, troubles } = await openPage(browser, at('alone.html'));

    expect(await page.locator('#candles canvas').count()).toBe(0);
    expect(await page.textContent('#candles')).toContain('report RESULT --config BOT.yaml');
    await page.locator('.trades tbody tr').first().click();
    expect(await page.textContent('#why')).toContain('Trade 1');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('works with the keyboard: candles, trades, and tables beside the pictures', async () => {
    const { page, troubles } = await openPage(browser, at('spot.html'));
    const span = (): Promise<string | null> => page.textContent('#candle-span');
    const all = await span();

    await page.locator('#candles .plot').focus();
    await page.keyboard.press('+');
    const near = await span();
    await page.keyboard.press('ArrowRight');
    const later = await span();
    await page.keyboard.press('Home');
    expect(new Set([all, near, later]).size).toBe(3);
    expect(await span()).toBe(all);
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.trades .chosen').getAttribute('data-trade')).toBe('1');
    await page.locator('summary', { hasText: 'As a table: fills' }).click();
    await expect
      .poll(() => page.locator('#candles details[open] tbody tr').count())
      .toBeGreaterThan(10);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('shows why a trade was made, if the run has a journal', async () => {
    const { page, troubles } = await openPage(browser, at('why.html'));

    await page.click('text=Worst first');
    await page.locator('.trades tbody tr').first().click();

    const why = (await page.locator('#why pre').allTextContents()).join('\n');
    for (const word of ['data', 'intent', 'checks', 'verdict', 'approved', 'order', 'answer'])
      expect(why).toContain(word);
    await keepPicture(page, 'why');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('shows the range over candle paths', async () => {
    const { page } = await openPage(browser, at('bounds.html'));
    const { bounds } = await resultOf('bounds.json');

    await page.locator('summary', { hasText: 'range over candle paths' }).click();

    expect(bounds.ribbon?.points.length).toBeGreaterThan(10);
    await page.locator('#equity details[open] tbody td').first().waitFor();
    const cells = await texts(page, '#equity details[open] tbody td');
    expect(cells).toEqual(
      expect.arrayContaining([...(bounds.ribbon?.points[5]?.slice(1) ?? [])].map(String)),
    );
    await page.close();
  });

  it.each([
    ['audit', 1_600, 'light'],
    ['audited', 390, 'dark'],
  ] as const)('shows an audit on %s, %d px wide, %s', async (name, width, colorScheme) => {
    const { page, troubles } = await openPage(browser, at(`${name}.html`), { width, colorScheme });
    const { ablation, capacity } = readAudit(await readFile(at('audit.json'), 'utf8'), 'audit');

    expect(await texts(page, '#audit .notes dt')).toEqual(['Determinism']);
    expect(await page.textContent('#audit .good dd')).toMatch(/^passed: \d+ orders and cancels/);
    expect(await texts(page, '#audit h3')).toEqual(['Ablation', 'Capacity']);
    expect(await page.locator('#audit tbody tr').count()).toBe(
      (ablation?.rows.length ?? 0) + (capacity?.rows.length ?? 0),
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await keepPicture(page, name);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('compares two runs', async () => {
    const { page, troubles } = await openPage(browser, at('both.html'));

    expect(await page.textContent('#first')).toContain('First difference at 2024-');
    const [one, other] = [await resultOf('spot.json'), await resultOf('other.json')];
    const equity = page.locator('#figures tr:nth-child(2) td').nth(2);
    const difference = Number(other.equity.final) - Number(one.equity.final);
    expect(Number(await equity.getAttribute('title'))).toBeCloseTo(difference, 6);
    expect(await equity.textContent()).toMatch(/^[+−][\d,]+\.\d{2}$/);
    const returned = await page.textContent('#figures tr:nth-child(3) td:nth-of-type(3)');
    expect(returned).toMatch(/^[+−]\d+\.\d{2} pp$/);
    expect(await texts(page, '#only tbody td:last-child')).toSatisfy((profits: string[]) =>
      profits.every((profit) => /^−?[\d,]+\.\d{2}$/.test(profit)),
    );
    await expectReadable(page);
    await keepPicture(page, 'both');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it.each([
    [1_600, 'light'],
    [390, 'dark'],
  ] as const)('shows a sweep, %d px wide, %s', async (width, colorScheme) => {
    const sweep = readSweep(await readFile(at('sweep.json'), 'utf8'), 'sweep.json');
    const { page, troubles } = await openPage(browser, at('sweep.html'), { width, colorScheme });

    const best = sweep.best?.parameters;
    expect(await texts(page, '#figures dd')).toEqual(
      expect.arrayContaining([String(best?.['fast']), String(best?.['slow'])]),
    );
    expect(await page.locator('.map .best').count()).toBe(1);
    expect(await page.locator('#trials tbody tr').count()).toBe(16);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.locator('summary', { hasText: 'against trades' }).click();
    await expect.poll(() => page.locator('#against details[open] tbody tr').count()).toBe(16);
    await page.locator('.grip').last().focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.textContent('#parallel .row')).not.toContain('16 of 16');
    expect(await texts(page, '#sharpes svg g text')).toEqual(['best of luck', 'best']);
    expect(await texts(page, '#significance dt')).toEqual(
      expect.arrayContaining(['Luck', 'Reality', 'Halves']),
    );
    expect(await page.locator('#significance svg').count()).toBe(2);
    await expectReadable(page);
    await keepPicture(page, `sweep-${String(width)}-${colorScheme}`);
    expect(troubles).toEqual([]);
    await page.close();
  });

  it.each([
    [1_600, 'light'],
    [390, 'dark'],
  ] as const)('shows a walk-forward, %d px wide, %s', async (width, colorScheme) => {
    const walk = readWalkForward(await readFile(at('walk.json'), 'utf8'), 'walk.json');
    const { page, troubles } = await openPage(browser, at('walk.html'), { width, colorScheme });

    expect(walk.folds.length).toBeGreaterThan(1);
    expect(await page.locator('#folds tbody tr').count()).toBe(walk.folds.length);
    expect(await page.locator('#curve canvas').count()).toBe(1);
    const inFolds = await texts(page, '#folds td');
    expect(inFolds.filter((text) => text.startsWith('−'))).not.toEqual([]);
    expect(inFolds.filter((text) => /^-\d/.test(text))).toEqual([]);
    expect(await page.locator('#drift tbody tr').count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await expectReadable(page);
    await keepPicture(page, `walk-${String(width)}-${colorScheme}`);
    expect(troubles).toEqual([]);
    await page.close();
  });
});
