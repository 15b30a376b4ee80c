/**
 * The cost of a close look at a run. Trades: a backtest with its result as text, with and without the list of trades, of a thousand trades and of one trade
 * in every thirty candles; warm and in memory, and as a process of its own.
 * Page: of a million candles and a thousand trades, the time to write it and its size. If a browser is found, also the time of its paint and of its frames
 * while the candles are moved.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { openArchive } from '../../src/archive/index.js';
import {
  createHeldPrices,
  prepareMarket,
  replayMarket,
  type LoadedMarket,
  type RunOptions,
} from '../../src/assembly/index.js';
import { chartSeries } from '../../src/cli/report/chart-series.js';
import { readPageParts } from '../../src/cli/report/page-parts.js';
import { buildRunPage, titleOf, writePage } from '../../src/page/index.js';
import { buildResult, resultPieces, type Result, type RunPrices } from '../../src/report/index.js';
import { CandleStrategy, type StrategyClass } from '../../src/strategy/index.js';
import { BROWSER, launch, NEEDS_BROWSER } from '../pages/browser.js';
import { createArchive, createHistory } from './history.js';
import { measure, milliseconds, type Case } from './measure.js';
import { MAIN } from './processes.js';
import {
  createReferenceCandles,
  createReferenceConfig,
  LongWhileAbove,
  REFERENCE_ID,
} from './reference-work.js';
import { writeBot } from './stored-bot.js';

/** A module that writes the processor time of its process at the end, in milliseconds. */
const SAYS_TIME = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(2, String((user + system) / 1_000));
  });
`)}`;
const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
/** Candles from one entry to the next. */
const TURN = Math.max(2, ROWS / 1_000);

/** A thousand trades, whatever the prices do. */
class ThousandTrades extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    const place = this.#candles % TURN;
    this.#candles += 1;
    if (place === 0) this.enterLong({ quantity: '1' });
    else if (place === TURN >> 1) this.exit();
  }
}

/** Time at which the page, which draws itself, was painted: the frame after the awaited frame. */
const PAINTED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))`;

const WATCH_FRAMES = `
  window.frames = [];
  let before = performance.now();
  const look = (now) => { window.frames.push(now - before); before = now; requestAnimationFrame(look); };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(look); });
`;

const config = createReferenceConfig();
const archive = createArchive(createHistory(ROWS));

function replay(
  market: LoadedMarket,
  strategyClass: StrategyClass,
): ReturnType<typeof replayMarket> {
  const run: RunOptions = { config, strategyClass, sourceHash: 'reference' };
  return replayMarket(market, run);
}

/** Milliseconds of processor time, which other load changes little: a difference of a few in a hundred must show. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function textOf(result: Result): number {
  let length = 0;
  for (const piece of resultPieces(result)) length += piece.length;
  return length;
}

/** A backtest as `--json` runs it. `pricesOf` decides whether trades are listed. */
async function backtest(
  strategyClass: StrategyClass,
  pricesOf: (market: LoadedMarket) => RunPrices | undefined,
): Promise<Result> {
  const market = await prepareMarket(config, archive);
  const record = await replay(market, strategyClass);
  const result = buildResult(record, { prices: pricesOf(market) });
  textOf(result);
  await market.close();
  return result;
}

const heldPrices = ({ series }: LoadedMarket): RunPrices =>
  createHeldPrices(series, config.simulation);

for (const strategyClass of [ThousandTrades, LongWhileAbove]) {
  const { trades } = (await backtest(strategyClass, heldPrices)).statistics;
  const name = `${String(trades)} trades`;
  const aCase = (told: string, pricesOf: typeof heldPrices | (() => undefined)): Case => ({
    ...{ name: `${name}, ${told}`, unit: 'ms of processor', better: 'less' },
    reference: `${name}, not listed`,
    run: () => processorTime(() => backtest(strategyClass, pricesOf)),
  });
  await measure([aCase('not listed', () => undefined), aCase('listed', heldPrices)], {
    rounds: 9,
    warmups: 2,
  });
}

/** The same as whole processes, as a user starts them, on stored candles. The command always lists trades. A copy of the program with one changed line does not. */
async function measureProcesses(folder: string): Promise<void> {
  await openArchive(folder).merge(
    { instrumentId: REFERENCE_ID, interval: '1min', columns: createReferenceCandles(ROWS) },
    { source: 'reference walk', volumeUnit: 'base' },
  );
  const plain = copyWithoutList();
  try {
    for (const strategy of ['ThousandTrades', 'LongWhileAbove'] as const) {
      const config = writeBot(folder, { strategy, archive: folder, symbols: ['BTCUSDT'] });
      const words = ['backtest', config, '--json', path.join(folder, 'result.json')];
      const aCase = (told: string, main: string): Case => ({
        ...{ name: `process of ${strategy}, ${told}`, unit: 'ms of processor', better: 'less' },
        reference: `process of ${strategy}, not listed`,
        run: () => processorTimeOf([main, ...words]),
      });
      const cases = [aCase('not listed', path.join(plain, 'cli/main.js')), aCase('listed', MAIN)];
      await measure(cases, { rounds: 15 });
    }
  } finally {
    rmSync(plain, { recursive: true });
  }
}

/** Copies the program to a folder beside the original, where Node finds its packages. */
function copyWithoutList(): string {
  const copy = mkdtempSync(path.resolve(path.dirname(MAIN), '../../dist-plain-'));
  cpSync(path.resolve(path.dirname(MAIN), '..'), copy, { recursive: true });
  const chunks = path.join(copy, 'chunks');
  const changed = readdirSync(chunks).filter((name) => {
    const file = path.join(chunks, name);
    const text = readFileSync(file, 'utf8');
    const plain = text.replace('isListed: isListed(flags)', 'isListed: false');
    if (plain !== text) writeFileSync(file, plain);
    return plain !== text;
  });
  if (changed.length !== 1)
    throw new Error(`expected one line to change, changed ${String(changed.length)}`);
  return copy;
}

/** Processor time of a process in milliseconds, its start and the compiler included. */
function processorTimeOf(words: readonly string[]): number {
  const { status, stderr } = spawnSync(process.execPath, ['--import', SAYS_TIME, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}: ${stderr}`);
  return Number(stderr);
}

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-report-'));
try {
  await measureProcesses(folder);
  const file = path.join(folder, 'page.html');
  const market = await prepareMarket(config, archive);
  const result = buildResult(await replay(market, ThousandTrades), { prices: heldPrices(market) });
  const write = async (): Promise<void> => {
    const page = buildRunPage(result, { series: chartSeries(market) });
    writeFileSync(file, [...writePage(page, titleOf(page), await readPageParts())].join(''));
  };
  const size = (): number => statSync(file).size / 1e6;
  await measure([
    { name: 'page written', unit: 'ms', better: 'less', run: () => milliseconds(write) },
    { name: 'page', unit: 'MB', better: 'less', run: size },
  ]);
  await market.close();
  if (BROWSER === undefined) console.log(`paint and frames are left out: ${NEEDS_BROWSER}`);
  else await measureBrowser(pathToFileURL(file).href);
} finally {
  rmSync(folder, { recursive: true });
}

interface Looked {
  /** Milliseconds from the start of navigation. */
  readonly paint: number;
  /** Milliseconds of each frame while candles were moved, in order of length. */
  readonly frames: readonly number[];
}

async function measureBrowser(url: string): Promise<void> {
  const browser = await launch();
  let looked: Looked = { paint: 0, frames: [] };
  const frame = (share: number): number =>
    looked.frames[Math.min(looked.frames.length - 1, Math.floor(looked.frames.length * share))] ??
    Number.NaN;
  const less = { unit: 'ms', better: 'less' } as const;
  try {
    await measure([
      {
        ...{ ...less, name: 'first paint of the page' },
        run: async () => {
          looked = await look(url);
          return looked.paint;
        },
      },
      { ...less, name: 'frame of the page while candles move, median', run: () => frame(0.5) },
      { ...less, name: 'frame of the page while candles move, 99 of 100', run: () => frame(0.99) },
      { ...less, name: 'frame of the page while candles move, longest', run: () => frame(1) },
    ]);
  } finally {
    await browser.close();
  }

  async function look(address: string): Promise<Looked> {
    const page = await browser.newPage({ viewport: { width: 1_600, height: 1_000 } });
    await page.goto(address);
    await page.waitForSelector('#candles canvas');
    const paint = await page.evaluate<number>(PAINTED);
    const chart = page.locator('#candles .u-over').first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (box === null) throw new Error('the candles are not on the page');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    for (let step = 0; step < 12; step += 1) await page.mouse.wheel(0, -240);
    await page.evaluate(WATCH_FRAMES);
    for (let drag = 0; drag < 6; drag += 1) {
      const reach = drag % 2 === 0 ? -box.width / 3 : box.width / 3;
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + reach, y, { steps: 40 });
      await page.mouse.up();
    }
    const frames = await page.evaluate<number[]>('frames');
    await page.close();
    return { paint, frames: frames.sort((a, b) => a - b) };
  }
}
