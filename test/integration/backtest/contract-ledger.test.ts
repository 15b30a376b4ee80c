import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import {
  FIXED_ONE,
  formatFixed,
  formatUtc,
  HOUR_MS,
  parseFixed,
  present,
  splitInstrumentId,
  type Candle,
  type InstrumentId,
} from '../../../src/domain/index.js';
import {
  buildResult,
  parseResult,
  writeResult,
  type RunRecord,
} from '../../../src/report/index.js';
import { CandleStrategy, donchian, type StrategyClass } from '../../../src/strategy/index.js';
import { keepLedger, type Ledger } from '../../brute-force/contract-ledger.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';

/**
 * EVENKEEL_ARCHIVE names another archive, to recompute a run on real candles. The test compares contracts with candles and marks of
 * 1h, and funding. With EVENKEEL_FIGURES=1 it prints its figures.
 */
const archive = openArchive(process.env['EVENKEEL_ARCHIVE'] ?? 'backtest/data');
const contracts = await storedContracts();

const TERMS = { maker: '0.0002', taker: '0.0006', forced: '0.0075' };
const DAYS_KEPT_OUT_MS = 24 * HOUR_MS;

async function storedContracts(): Promise<readonly InstrumentId[]> {
  const found: InstrumentId[] = [];
  for (const { key } of await archive.list()) {
    const { instrumentId, interval } = key;
    if (splitInstrumentId(instrumentId).kind !== 'futures' || interval !== '1h') continue;
    const hasMarks = (await archive.markIntervals(instrumentId)).includes('1h');
    if (hasMarks && (await archive.funding(instrumentId)) !== undefined) found.push(instrumentId);
  }
  return found;
}

/** Follows a channel in both directions with several times its equity, adds to its position, and leaves in parts. */
class Swinger extends CandleStrategy({}) {
  readonly channel = this.indicator(donchian(24));
  #candles = 0;

  override onCandle({ close }: Candle): void {
    this.#candles += 1;
    const { upper, lower } = this.channel;
    if (close > upper.previous) this.#turn('long', close);
    else if (close < lower.previous) this.#turn('short', close);
    else if (this.#candles % 7 === 0) this.#leavePart();
  }

  #turn(direction: 'long' | 'short', close: number): void {
    this.exit({ direction: direction === 'long' ? 'short' : 'long' });
    const isLong = direction === 'long';
    const terms = {
      // A limit with IOC, because risk refuses a MARKET order that opens an inverse contract sized in equity.
      limitPrice: (close * (isLong ? 1.02 : 0.98)).toFixed(1),
      timeInForce: 'IOC' as const,
      add: this.#candles % 3 === 0,
      protection: { trailingStop: { ratio: '0.04' } },
    };
    if (isLong) this.enterLong({ equity: '1.3' }, terms);
    else this.enterShort({ equity: '1.3' }, terms);
  }

  #leavePart(): void {
    const quantity = Math.floor(this.position.quantity.toNumber() / 3);
    if (quantity > 0) this.exit({ size: { quantity: String(quantity) } });
  }
}

describe('a run on contracts at five times its equity, cross', () => {
  it.runIf(contracts.length === 0)(
    'is skipped without a contract that has candles, marks and funding',
    (context) => {
      context.skip(`${archive.directory} has no contract with candles and marks of 1h and funding`);
    },
  );

  it.each(contracts)(
    '%s: matches an independent script in fees, funding, profit and equity, to the last decimal',
    async (instrumentId) => {
      const config = await configOf(instrumentId);
      const record = await run(config, Swinger);
      const result = parseResult(writeResult(buildResult(record)), 'result.json');
      const expected = await recompute(instrumentId, config, record);

      expect(result.fills.map(({ fee }) => fee)).toEqual(expected.fees);
      expect(result.statistics.fees).toBe(expected.feesPaid);
      expect(fundingOf(record)).toEqual(expected.funding);
      expect(result.statistics.funding).toBe(expected.fundingPaid);
      expect(result.equity.final).toBe(expected.finalEquity);
      const midnights = new Set(expected.midnights.map(([time]) => time));
      expect(result.equityCurve.filter(([time]) => midnights.has(time))).toEqual(
        expected.midnights,
      );
      expect(result.accounting.residual).toBe('0');
      // The run ends at a settlement, while a position is held.
      expect(expected.funding.at(-1)).toContain(`${String(config.simulation.to)} `);
      if (process.env['EVENKEEL_FIGURES'] === '1') print(instrumentId, record, expected);
    },
    600_000,
  );
});

function run(config: BacktestConfig, strategyClass: StrategyClass): Promise<RunRecord> {
  return replayBacktest({
    config,
    // This test sets its own terms, whatever the archive stores.
    archive: { ...archive, rules: () => Promise.resolve([]), tiers: () => Promise.resolve([]) },
    strategyClass,
    sourceHash: 'contract-ledger',
  });
}

function isInverse(instrumentId: InstrumentId): boolean {
  return splitInstrumentId(instrumentId).symbol.startsWith('I-');
}

/** From the first midnight with a day of marks before it, to the last settlement at which a mark candle opens. */
async function rangeOf(instrumentId: InstrumentId): Promise<{ from: number; to: number }> {
  const { openTime } = present(await archive.marks(instrumentId, '1h'), 'marks');
  const { time } = present(await archive.funding(instrumentId), 'funding');
  const candles = await archive.info(instrumentId, '1h');
  const opens = new Set(openTime);
  const begin = Math.max(openTime[0] ?? 0, candles.from, time[0] ?? 0) + DAYS_KEPT_OUT_MS;
  return {
    from: Math.ceil(begin / DAYS_KEPT_OUT_MS) * DAYS_KEPT_OUT_MS,
    to: present(
      time.findLast((at) => opens.has(at) && at <= candles.to),
      'a settlement at an open of a mark candle',
    ),
  };
}

async function configOf(instrumentId: InstrumentId): Promise<BacktestConfig> {
  const { symbol } = splitInstrumentId(instrumentId);
  const [, base = 'BTC', quote = 'USDT'] = symbol.split('-');
  const inverse = isInverse(instrumentId);
  const config = aBacktestConfig({ instrumentId, interval: '1h' });
  const { simulation } = config;
  const tiers = [
    { maxValue: undefined, maxLeverage: 125n * FIXED_ONE, keepRate: parseFixed('0.004') },
  ];
  return {
    ...config,
    equityCurrency: inverse ? base : quote,
    instruments: [
      {
        ...({ kind: 'futures', instrumentId, symbol, base, quote, intervals: ['1h'] } as const),
        contract: inverse ? 'inverse' : 'linear',
        multiplier: parseFixed(inverse ? '100' : '0.001'),
        leverage: 5n * FIXED_ONE,
        marginMode: 'cross',
      },
    ],
    simulation: {
      ...simulation,
      ...(await rangeOf(instrumentId)),
      balances: {
        futures: new Map([inverse ? [base, 10n * FIXED_ONE] : [quote, 1_000_000n * FIXED_ONE]]),
      },
      fees: { maker: parseFixed(TERMS.maker), taker: parseFixed(TERMS.taker), paidIn: 'quote' },
      spreadBps: FIXED_ONE,
      slippage: { model: 'fixed', bps: FIXED_ONE },
      participation: FIXED_ONE / 10n,
      latency: constantLatency(130),
      rules: new Map([[instrumentId, { tradable: true, pricePrecision: 1, quantityPrecision: 0 }]]),
      futures: {
        ...simulation.futures,
        maxFeeRate: parseFixed(TERMS.forced),
        tiers: new Map([[instrumentId, [{ from: 0, tiers }]]]),
      },
    },
  };
}

async function recompute(
  instrumentId: InstrumentId,
  { simulation }: BacktestConfig,
  record: RunRecord,
): Promise<Ledger> {
  const {
    fills,
    equity,
    run: identity,
  } = parseResult(writeResult(buildResult(record)), 'result.json');
  const inverse = isInverse(instrumentId);
  return keepLedger(
    fills,
    {
      marks: present(await archive.marks(instrumentId, '1h'), 'marks'),
      rates: present(await archive.funding(instrumentId), 'funding'),
    },
    {
      ...TERMS,
      isInverse: inverse,
      multiplier: inverse ? '100' : '0.001',
      initial: equity.initial,
      from: identity.from,
      to: present(simulation.to, 'an end'),
    },
  );
}

function fundingOf({ financings }: RunRecord): readonly string[] {
  return financings.map(
    ({ time, direction, cost }) => `${String(time)} ${direction} ${formatFixed(cost)}`,
  );
}

function print(
  instrumentId: InstrumentId,
  { run: { from, to, candles }, fills }: RunRecord,
  ledger: Ledger,
): void {
  const forced = [...fills].filter(({ cause }) => cause !== undefined).length;
  const lines = [
    `${instrumentId}: ${formatUtc(from)} to ${formatUtc(to)}, ${String(candles)} candles`,
    `${String(fills.length)} fills (${String(forced)} forced), ${String(ledger.funding.length)} fundings, the last ${ledger.funding.at(-1) ?? ''}`,
    `fees ${ledger.feesPaid}, funding ${ledger.fundingPaid}, profit ${ledger.profit}, final equity ${ledger.finalEquity}`,
    `${String(ledger.midnights.length)} midnights equal`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
