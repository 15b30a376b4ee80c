import { describe, expect, it } from 'vitest';
import {
  fixed,
  formatResult,
  runBacktest,
  runSweep,
  type FeeModel,
  type IdentifiedModel,
  type RunBacktestOptions,
  type SlippageModel,
  type VenueModels,
} from '../../../src/run/index.js';
import {
  Crossing,
  DESCRIPTION,
  hourlyCandles,
  START,
} from '../../support/run/hourly-description.js';

const { fees: FILE_FEES, ...simulation } = DESCRIPTION.simulation;
const CANDLES = [
  { instrument: 'spot:BTCUSDT', interval: '1h', candles: hourlyCandles(800) },
] as const;

const constant: FeeModel & IdentifiedModel = {
  id: 'constant',
  ratesAt: () => ({ maker: fixed('0.001'), taker: fixed('0.001'), paidIn: 'received' }),
};
const fiveBasisPoints: SlippageModel & IdentifiedModel = {
  id: 'five basis points',
  ratio: () => fixed('0.0005'),
};

function options(
  models: VenueModels,
  changed: object = {},
): Omit<RunBacktestOptions, 'onProgress'> {
  const fees = models.fees === undefined ? { fees: FILE_FEES } : {};
  return {
    config: { ...DESCRIPTION, simulation: { ...simulation, ...fees, ...changed } },
    strategy: Crossing,
    candles: CANDLES,
    models,
  };
}

async function messageOf(models: object): Promise<string> {
  const failure: unknown = await runBacktest(options(models)).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error ? failure.message : 'nothing was refused';
}

describe('models given by a program', () => {
  it('give the same run as a configuration with the same terms', async () => {
    const byFile = await runBacktest({
      ...options({}, { slippage: { model: 'fixed', bps: '5' } }),
      models: undefined,
    });
    const byModels = await runBacktest(options({ fees: constant, slippage: fiveBasisPoints }));

    expect(byModels.fills.length).toBeGreaterThan(20);
    expect(byModels.hash).toEqual(byFile.hash);
    expect(byModels.statistics).toEqual(byFile.statistics);
    expect(byModels.equityCurve).toEqual(byFile.equityCurve);
    expect(byModels.run.id).not.toBe(byFile.run.id);
  });

  it('determine the run id by their ids, and are named in the configuration of the result', async () => {
    const one = await runBacktest(options({ fees: constant }));
    const same = await runBacktest(options({ fees: { ...constant } }));
    const other = await runBacktest(options({ fees: { ...constant, id: 'another' } }));

    expect(formatResult(same)).toBe(formatResult(one));
    expect(other.run.id).not.toBe(one.run.id);
    expect(one.config?.['simulation']).toMatchObject({ fees: { model: 'constant' } });
  });

  it('give the fee rates at the time of each fill', async () => {
    const cheapFrom = START + 400 * 3_600_000;
    const fees: FeeModel & IdentifiedModel = {
      id: 'half from April on',
      ratesAt: (_, time) => {
        const rate = time < cheapFrom ? fixed('0.001') : fixed('0.0005');
        return { maker: rate, taker: rate, paidIn: 'quote' };
      },
    };

    const { fills } = await runBacktest(options({ fees }));

    const shares = fills.map(
      ({ time, price, quantity, fee }) =>
        [time < cheapFrom, Number(fee) / (Number(price) * Number(quantity))] as const,
    );
    expect(new Set(shares.map(([isEarly]) => isEarly)).size).toBe(2);
    for (const [isEarly, share] of shares) expect(share).toBeCloseTo(isEarly ? 0.001 : 0.0005, 9);
  });

  it('apply to every run of a sweep', async () => {
    const grid = 'fast=3:5:1';
    const objective = 'totalReturn';
    const free = await runSweep({ ...options({ fees: constant }), grid, objective });
    const fees = {
      ...constant,
      id: 'dear',
      ratesAt: () => ({ ...constant.ratesAt('spot:BTCUSDT' as never, 0), taker: fixed('0.01') }),
    };
    const dear = await runSweep({ ...options({ fees }), grid, objective });

    expect(dear.counts.finished).toBe(3);
    expect(dear.best?.figure).toBeLessThan(free.best?.figure ?? Number.NaN);
  });
});

describe('an invalid model', () => {
  const rates = constant.ratesAt('spot:BTCUSDT' as never, 0);
  const feesOf = (answer: unknown): object => ({ fees: { id: 'x', ratesAt: () => answer } });

  it.each<readonly [string, object, RegExp]>([
    [
      'another key',
      { fee: constant },
      /^models: expected the keys fees and slippage, received "fee"/,
    ],
    [
      'null, which would stand for no fees',
      { fees: null },
      /^models\.fees: expected a model or undefined, received null/,
    ],
    [
      'an error of its own',
      {
        fees: {
          id: 'x',
          ratesAt: () => {
            throw new Error('no such table');
          },
        },
      },
      /models\.fees\.ratesAt\(spot:BTCUSDT, 2025-\S+\) failed: no such table/,
    ],
    [
      'no id',
      { fees: { ratesAt: constant.ratesAt } },
      /^models\.fees\.id: expected a model name of 1 to 200 letters.*, received undefined/,
    ],
    [
      'no method',
      { slippage: { id: 'x' } },
      /^models\.slippage\.ratio: expected a function, received undefined/,
    ],
    [
      'a number as a rate',
      feesOf({ ...rates, taker: 0.001 }),
      /^models\.fees\.ratesAt\(spot:BTCUSDT, 2025-\S+\)\.taker: expected a ratio below 1 as a bigint of 1e-18, such as fixed\("0\.001"\), received 0\.001/,
    ],
    ['a text as a rate', feesOf({ ...rates, maker: '0.001' }), /\.maker: .* received "0\.001"/],
    [
      'a rate of all',
      feesOf({ ...rates, taker: fixed('1') }),
      /\.taker: .* received 1000000000000000000n/,
    ],
    [
      'no rates',
      feesOf(undefined),
      /expected rates \{ maker, taker, paidIn \}, received undefined/,
    ],
    [
      'an unknown payment',
      feesOf({ ...rates, paidIn: 'base' }),
      /\.paidIn: expected "received" or "quote", received "base"/,
    ],
    [
      'a price that is better',
      { slippage: { id: 'x', ratio: () => -1n } },
      /^models\.slippage\.ratio\(\): expected a ratio of at least 0, received -1n/,
    ],
  ])('is refused and named: %s', async (_, models, message) => {
    expect(await messageOf(models)).toMatch(message);
  });

  it('is refused beside the same key of a configuration', async () => {
    const { config, ...rest } = options({});

    await expect(runBacktest({ ...rest, config, models: { fees: constant } })).rejects.toThrow(
      'config simulation.fees: expected nothing beside models.fees, received {"maker":"0.001","taker":"0.001"} (E_CONFIG_DUPLICATE)',
    );
  });
});
