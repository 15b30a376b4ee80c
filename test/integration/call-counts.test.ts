import { CandleStrategy } from 'evenkeel';
import { afterAll, expect, it } from 'vitest';

import {
  createHeldPrices,
  prepareMarket,
  replayMarket,
  replayBacktest,
  type BacktestConfig,
} from '../../src/assembly/index.js';
import { FIXED_ONE } from '../../src/domain/index.js';
import { buildResult, writeResult } from '../../src/report/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { CallCounter, type CountedFunction } from '../perf/call-counter.js';
import { AlwaysGuarded } from '../perf/guarded-work.js';
import { createArchive, createHistory } from '../perf/history.js';
import { AlwaysQuoting, AlwaysRefused, SMALLEST_ORDER } from '../perf/order-work.js';
import {
  createContractConfig,
  createReferenceConfig,
  REFERENCE_ID,
} from '../perf/reference-work.js';

const WARM = 500;
const CANDLES = 1_500;

const counter = new CallCounter();
afterAll(() => {
  counter.stop();
});

class Idle extends CandleStrategy({}) {
  override onCandle(): void {
    // Only the delivery of candles is counted.
  }
}

/** An order and its fill with each candle. */
abstract class Turning extends CandleStrategy({}) {
  abstract readonly quantity: string;
  #isIn = false;

  override onCandle(): void {
    if (this.#isIn) this.exit();
    else this.enterLong({ quantity: this.quantity });
    this.#isIn = !this.#isIn;
  }
}

class TurningCoins extends Turning {
  readonly quantity = '1';
}

class TurningContracts extends Turning {
  readonly quantity = '1000';
}

/** Asks for the same weights with each candle. */
class AlwaysBalanced extends CandleStrategy({}) {
  override onCandle(): void {
    this.rebalance({ [REFERENCE_ID]: '0.5' }, { tolerance: '0.3' });
  }
}

const TURN = 20;

/** A trade of ten candles in every twenty. */
class TradingAtTimes extends CandleStrategy({}) {
  #candles = 0;

  override onCandle(): void {
    const place = this.#candles % TURN;
    this.#candles += 1;
    if (place === 0) this.enterLong({ quantity: '1' });
    else if (place === TURN / 2) this.exit();
  }
}

function withSmallestOrder(): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  const minOrderMoney = BigInt(SMALLEST_ORDER) * FIXED_ONE;
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5, minOrderMoney };
  return { ...config, simulation: { ...simulation, rules: new Map([[REFERENCE_ID, rules]]) } };
}

function withLossLimit(): BacktestConfig {
  const config = createReferenceConfig();
  const protections = { maxDrawdownRatio: (9n * FIXED_ONE) / 10n };
  return { ...config, risk: { ...config.risk, protections } };
}

function withResends(): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  return { ...config, simulation: { ...simulation, remainder: 'resend' } };
}

async function functionsOf(
  config: BacktestConfig,
  strategyClass: StrategyClass,
  rows: number,
): Promise<readonly CountedFunction[]> {
  const archive = createArchive(createHistory(rows));
  counter.take();
  await replayBacktest({ config, archive, strategyClass, sourceHash: 'calls' });
  return counter.take();
}

async function callsOf(...run: Parameters<typeof functionsOf>): Promise<number> {
  return (await functionsOf(...run)).reduce((sum, { calls }) => sum + calls, 0);
}

const functions = await functionsOf(createReferenceConfig(), Idle, WARM);
/** In code that Vite has transformed, each use of an import is a call. */
const isCompiled = functions.every(({ file }) => file.startsWith('dist-modules/'));

/**
 * Calls of functions per candle. The length of the way decides the speed (docs/performance.md), and unlike time it is the same on each machine. A bound is a few
 * percent above the count of today. If a change needs more, measure it with `npm run bench` first, then raise the bound and say why in the commit.
 */
it.skipIf(!isCompiled).each([
  { what: 'an idle candle', config: createReferenceConfig(), strategyClass: Idle, most: 9 },
  { what: 'an order', config: createReferenceConfig(), strategyClass: TurningCoins, most: 435 },
  {
    what: 'an order of a contract',
    config: createContractConfig(),
    strategyClass: TurningContracts,
    most: 775,
  },
  {
    what: 'a refused intent',
    config: withSmallestOrder(),
    strategyClass: AlwaysRefused,
    most: 148,
  },
  {
    what: 'a replaced order',
    config: withSmallestOrder(),
    strategyClass: AlwaysQuoting,
    most: 665,
  },
  {
    what: 'a candle of a guarded position',
    config: createReferenceConfig(),
    strategyClass: AlwaysGuarded,
    most: 22,
  },
  {
    what: 'a candle of a guarded position with a limit of losses',
    config: withLossLimit(),
    strategyClass: AlwaysGuarded,
    most: 27,
  },
  {
    what: 'a candle with weights that are reached',
    config: createReferenceConfig(),
    strategyClass: AlwaysBalanced,
    most: 106,
  },
  {
    what: 'an idle candle with a limit of losses',
    config: withLossLimit(),
    strategyClass: Idle,
    most: 11,
  },
  {
    what: 'an idle candle while remaining quantities would be sent again',
    config: withResends(),
    strategyClass: Idle,
    most: 9,
  },
])('$what takes at most $most calls', async ({ config, strategyClass, most }) => {
  // The first run also calls what is done once per process.
  await callsOf(config, strategyClass, WARM);
  const before = await callsOf(config, strategyClass, WARM);
  const after = await callsOf(config, strategyClass, CANDLES);

  expect((after - before) / (CANDLES - WARM)).toBeLessThanOrEqual(most);
});

/** Calls to make and write the result of a run, with and without its list of trades. */
async function callsOfResult(trades: number): Promise<{ listed: number; unlisted: number }> {
  const config = createReferenceConfig();
  const market = await prepareMarket(config, createArchive(createHistory(trades * TURN)));
  const run = { config, strategyClass: TradingAtTimes, sourceHash: 'calls' };
  const record = await replayMarket(market, run);
  const callsWith = (prices?: ReturnType<typeof createHeldPrices>): number => {
    counter.take();
    writeResult(buildResult(record, { prices }));
    return counter.take().reduce((sum, { calls }) => sum + calls, 0);
  };
  const calls = {
    listed: callsWith(createHeldPrices(market.series, config.simulation)),
    unlisted: callsWith(),
  };
  await market.close();
  return calls;
}

it.skipIf(!isCompiled)('a trade in the result takes at most 82 calls', async () => {
  await callsOfResult(WARM);
  const before = await callsOfResult(WARM);
  const after = await callsOfResult(CANDLES);

  const listed = after.listed - before.listed;
  const unlisted = after.unlisted - before.unlisted;
  expect((listed - unlisted) / (CANDLES - WARM)).toBeLessThanOrEqual(82);
});
