import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { botYaml, problemsOf } from '../../support/cli/bot-yaml.js';

/** One wrong line each: the name, the good line, the wrong line, and the parts of the only message. */
const WRONG_LINES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['a misspelled block', 'strategy:', 'stratgy:', ['2:1 stratgy:', 'did you mean "strategy"?']],
  [
    'a misspelled key of a block',
    '  balances:',
    '  balance:',
    ['11:3 simulation.balance:', 'did you mean "balances"?'],
  ],
  [
    'a required key in the wrong case',
    '    maker:',
    '    Maker:',
    ['13:5 simulation.fees.Maker:', 'did you mean "maker"?'],
  ],
  [
    'a misspelled key of an entry of a list',
    'symbol: BTCUSDT',
    'sybmol: BTCUSDT',
    ['6:22 instruments.0.sybmol:', 'did you mean "symbol"?'],
  ],
  [
    'a misspelled key that tells forms apart',
    'product: spot',
    'prodcut: spot',
    ['6:7 instruments.0.prodcut:', 'did you mean "product"?'],
  ],
  [
    'a misspelled key of one of several forms',
    '  rules:',
    '  latencyMs: { min: 5, mx: 10 }\n  rules:',
    ['15:24 simulation.latencyMs.mx:', 'did you mean "max"?'],
  ],
  [
    'a missing key of one of several forms',
    '  rules:',
    '  latencyMs: { min: 5 }\n  rules:',
    ['15:3 simulation.latencyMs.max: expected a whole number', 'received nothing'],
  ],
  [
    'a precision that is too large',
    'pricePrecision: 2',
    'pricePrecision: 19',
    ['16:16 simulation.rules.BTCUSDT.pricePrecision: expected a whole number from 0 to 18'],
  ],
  [
    'an amount that no figure can hold',
    '"10000"',
    `"${'9'.repeat(31)}"`,
    ['11:15 simulation.balances.USDT: expected a quoted decimal of at most 30 digits before'],
  ],
  [
    'a list as a key',
    '{ fast: 10, slow: 30 }',
    '{ ? [fast] : 10 }',
    ['4:19 strategy.parameters.["fast"]: expected a key of plain text'],
  ],
  [
    'a date as a YAML timestamp',
    'from: 2025-01-01',
    'from: !!timestamp 2025-01-01',
    [
      '9:3 simulation.from: expected text, a number, true or false',
      'received 2025-01-01 as the YAML type tag:yaml.org,2002:timestamp; write it without the type, or in quotes (E_CONFIG_TYPE)',
    ],
  ],
  [
    'YAML of a version that reads other values',
    'name: sma-crossover-btc',
    '%YAML 1.1\n---\nname: sma-crossover-btc',
    ['expected YAML 1.2, without a %YAML line, received YAML 1.1 (E_CONFIG_YAML)'],
  ],
  [
    'a merge key',
    '    maker: "0.001"',
    '    <<: { paidIn: quote }\n    maker: "0.001"',
    ['13:5 simulation.fees.<<: ', 'keys cannot be merged: write them here'],
  ],
  [
    'an asset of the balances in lower case',
    'USDT: "10000"',
    'usdt: "10000"',
    ['11:15 simulation.balances.usdt: expected an asset', 'did you mean "USDT"? (E_CONFIG_KEY)'],
  ],
  [
    'an equity currency in lower case',
    'simulation:',
    'equityCurrency: usdt\nsimulation:',
    ['7:1 equityCurrency: expected an asset of', 'did you mean "USDT"? (E_CONFIG_VALUE)'],
  ],
  [
    'an asset of a limit in lower case',
    'simulation:',
    'risk: { maxAssetExposure: { btc: "1" } }\nsimulation:',
    ['risk.maxAssetExposure.btc: expected one of the assets', 'did you mean "BTC"?'],
  ],
  [
    'a symbol of a fee in lower case',
    '    taker: "0.001"',
    '    taker: "0.001"\n    changes: [{ from: 2025-01-05, symbol: btcusdt, maker: "0", taker: "0" }]',
    ['simulation.fees.changes.0.symbol: expected one of', 'did you mean "BTCUSDT"?'],
  ],
  [
    'a path with a control character',
    'archive: data',
    'archive: "da\\0ta"',
    ['8:3 simulation.archive: expected the path of a folder, received "da\\u0000ta"'],
  ],
  [
    'two rates of one start',
    '    taker: "0.001"',
    '    taker: "0.001"\n    changes: [{ from: 2025-01-05, maker: "0", taker: "0" }, { from: 2025-01-05, maker: "0.1", taker: "0" }]',
    [
      '15:63 simulation.fees.changes.1.from: expected one rate from each start',
      'received 2025-01-05T00:00:00Z of all instruments a second time (E_CONFIG_DUPLICATE)',
    ],
  ],
  [
    'two rates of one start, of an instrument by two names',
    '    taker: "0.001"',
    '    taker: "0.001"\n    changes:\n      - { from: 2025-01-05, symbol: BTCUSDT, maker: "0", taker: "0" }\n      - { from: 2025-01-05, symbol: "spot:BTCUSDT", maker: "0", taker: "0" }',
    [
      '17:11 simulation.fees.changes.1.from:',
      'received 2025-01-05T00:00:00Z of spot:BTCUSDT a second time (E_CONFIG_DUPLICATE)',
    ],
  ],
  [
    'a weekday twice',
    'simulation:',
    'risk:\n  tradingHours: [{ days: [mon, tue, mon], from: "08:00", to: "09:00" }]\nsimulation:',
    [
      'risk.tradingHours.0.days.2: expected each day once, received mon a second time (E_CONFIG_DUPLICATE)',
    ],
  ],
];

describe('a wrong value or key', () => {
  const warnings: unknown[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  beforeEach(() => process.on('warning', keep));
  afterEach(() => process.off('warning', keep));

  it.each(WRONG_LINES)('is one error: %s', async (_what, line, replacement, parts) => {
    const found = await problemsOf(botYaml(line, replacement));

    expect(found).toHaveLength(1);
    for (const part of parts) expect(found[0]).toContain(part);
    expect(warnings).toEqual([]);
  });

  it('leaves the missing key an error if no key was meant for it', async () => {
    const found = await problemsOf(botYaml('name: sma-crossover-btc', 'owner: x'));

    expect(found).toEqual([
      expect.stringContaining('1:1 name: expected a name'),
      expect.stringContaining('1:1 owner: expected one of'),
    ]);
  });

  it('accepts rates of one start for all instruments and for one, and zeros before an amount', async () => {
    const changes = ['', 'symbol: BTCUSDT,']
      .map((symbol) => `{ from: 2025-01-05, ${symbol} maker: "0", taker: "0" }`)
      .join(', ');
    const yaml = botYaml('    taker: "0.001"', `    taker: "0.001"\n    changes: [${changes}]`);

    expect(await problemsOf(botYaml('"10000"', `"${'0'.repeat(40)}1"`, yaml))).toEqual([]);
  });
});
