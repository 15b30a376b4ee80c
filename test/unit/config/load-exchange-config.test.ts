import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadExchangeConfig, type LoadedExchangeConfig } from '../../../src/config/index.js';
import { describeError } from '../../../src/cli/describe-error.js';
import { parseFixed } from '../../../src/domain/index.js';
import { inFolder } from '../../support/cli/bot-yaml.js';

async function load(yaml: string): Promise<LoadedExchangeConfig> {
  return inFolder(async (folder) => {
    await writeFile(path.join(folder, 'exchange.yaml'), yaml);
    return loadExchangeConfig('exchange.yaml', folder);
  });
}

describe('loadExchangeConfig', () => {
  it('reads the same keys for fills as a bot file', async () => {
    const { config } = await load(
      'market: { spreadBps: "2", slippage: { model: squareRoot, coefficient: "0.1" }, participation: off }',
    );

    expect(config.market).toMatchObject({
      spreadBps: parseFixed('2'),
      slippage: { model: 'squareRoot', coefficient: parseFixed('0.1') },
      participation: 'off',
      fillOnTouch: false,
      futures: { maxFeeRate: parseFixed('0.0006'), fundingRateKnown: 'current' },
      margin: { hourlyRate: parseFixed('0.00001') },
    });
  });

  it.each([
    ['slippageBps: "5"', 'did you mean "slippage"?'],
    ['hourlyRate: "0"', 'did you mean "market.margin.hourlyRate"?'],
    ['maxFeeRate: "0"', 'did you mean "market.futures.maxFeeRate"?'],
    ['fundingRateKnown: settled', 'did you mean "market.futures.fundingRateKnown"?'],
  ])('suggests the new key in place of %s', async (written, suggestion) => {
    const failure: unknown = await load(`market:\n  ${written}\n`).catch((error: unknown) => error);

    expect(describeError(failure).lines).toEqual([
      expect.stringMatching(
        /^exchange\.yaml:2:3 market\.[a-zA-Z]+: expected one of .*E_CONFIG_KEY\)$/,
      ),
    ]);
    expect(describeError(failure).lines[0]).toContain(suggestion);
  });

  it('refuses two accounts of one name, and a pair twice', async () => {
    const failure: unknown = await load(`accounts:
  - name: alice
  - name: bob
  - name: alice
market: { spot: [BTCUSDT, ETHUSDT, BTCUSDT] }
`).catch((error: unknown) => error);

    expect(describeError(failure).lines).toEqual([
      'exchange.yaml:4:5 accounts.2.name: expected a name of its own for each account, received alice a second time (E_CONFIG_DUPLICATE)',
      'exchange.yaml:5:36 market.spot.2: expected each pair once, received BTCUSDT a second time (E_CONFIG_DUPLICATE)',
    ]);
  });

  it('reports a wrong fee and inconsistent rules with their position', async () => {
    const failure: unknown = await load(`accounts:
  - name: alice
    fees: { spot: { maker: "1", taker: "0.001" } }
market:
  rules: { BTCUSDT: { pricePrecision: 10, quantityPrecision: 10 } }
`).catch((error: unknown) => error);

    expect(describeError(failure).lines).toEqual([
      'exchange.yaml:3:21 accounts.0.fees.spot.maker: expected a quoted decimal > -1 and < 1, received "1" (E_CONFIG_VALUE)',
      expect.stringContaining('exchange.yaml:5:12 market.rules.BTCUSDT: expected consistent rules'),
    ]);
  });

  it.each([
    [
      'market: { contracts: { "E-B C-USDT": { multiplier: "1" } } }',
      'exchange.yaml:1:24 market.contracts.E-B C-USDT: expected a symbol such as BTCUSDT or E-BTC-USDT, received "E-B C-USDT" (E_CONFIG_KEY)',
    ],
    [
      'market: { contracts: { E-BTC-USDT: { multiplier: "1", candlesOf: "spot:-x" } } }',
      'exchange.yaml:1:55 market.contracts.E-BTC-USDT.candlesOf: expected an instrument such as spot:BTCUSDT, received "spot:-x" (E_CONFIG_VALUE)',
    ],
    [
      'market: { synthetic: { pairs: { "B C": { price: "1", volatility: "1", dailyVolume: "1" } } } }',
      'exchange.yaml:1:33 market.synthetic.pairs.B C: expected a symbol such as BTCUSDT or E-BTC-USDT, received "B C" (E_CONFIG_KEY)',
    ],
    [
      'accounts: [{ name: a, balances: { spot: { usdt: "100" } } }]',
      'exchange.yaml:1:43 accounts.0.balances.spot.usdt: expected an asset in capitals such as USDT, received "usdt" (E_CONFIG_KEY)',
    ],
    [
      `accounts: [{ name: a, balances: { spot: { USDT: "1${'0'.repeat(20)}" } } }]`,
      `exchange.yaml:1:43 accounts.0.balances.spot.USDT: expected a quoted decimal >= 0 and < 1${'0'.repeat(20)}, received "1${'0'.repeat(20)}" (E_CONFIG_VALUE)`,
    ],
  ])('names the place of a wrong name: %s', async (yaml, line) => {
    const failure: unknown = await load(yaml).catch((error: unknown) => error);

    expect(describeError(failure)).toEqual({ lines: [line], exitCode: 2 });
  });
});
