import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.js';
import { BOT_YAML, botYaml, inFolder, loadYaml, problemsOf } from '../../support/cli/bot-yaml.js';

/** One wrong line each: the name, the good line, the wrong line, and the expected messages. */
const WRONG_LINES: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'an unquoted decimal',
    '    maker: "0.001"',
    '    maker: 0.001',
    [
      'bot.yaml:13:5 simulation.fees.maker: expected a quoted decimal, received the number 0.001 (E_CONFIG_TYPE)',
    ],
  ],
  [
    'an unquoted decimal as it is written, not as it is read',
    '    maker: "0.001"',
    '    maker: 0.10000000000000000001',
    [
      'bot.yaml:13:5 simulation.fees.maker: expected a quoted decimal, received the number 0.10000000000000000001 (E_CONFIG_TYPE)',
    ],
  ],
  [
    'a parameter that loses digits',
    '{ fast: 10, slow: 30 }',
    '{ fast: 10, slow: 30.00000000000000000001 }',
    [
      'bot.yaml:4:27 strategy.parameters.slow: expected a number without loss of digits, received 30.00000000000000000001, which is read as 30 (E_CONFIG_DIGITS)',
    ],
  ],
  [
    'a decimal of more than 18 places',
    '    taker: "0.001"',
    '    taker: "0.0010000000000000001"',
    [
      'bot.yaml:14:5 simulation.fees.taker: expected a quoted decimal of at most 18 decimals, received "0.0010000000000000001" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a rate of 100 % and more',
    '    taker: "0.001"',
    '    taker: "1"',
    [
      'bot.yaml:14:5 simulation.fees.taker: expected a quoted decimal >= 0 and < 1, received "1" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a rebate above what takers pay',
    '    maker: "0.001"',
    '    maker: "-0.0011"',
    [
      'bot.yaml:13:5 simulation.fees.maker: expected at least -0.001, what takers pay, received "-0.0011" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a later rebate above what takers pay',
    '    taker: "0.001"',
    '    taker: "0.001"\n    changes: [{ from: 2025-01-10, maker: "-0.1", taker: "0" }]',
    [
      'bot.yaml:15:35 simulation.fees.changes.0.maker: expected at least 0, what takers pay, received "-0.1" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a misspelled key',
    'simulation:',
    'simulatoin:',
    [
      'bot.yaml:7:1 simulatoin: expected one of version, name, strategy, instruments, equityCurrency, risk, warmUp, simulation, venue, live, received "simulatoin"; did you mean "simulation"? (E_CONFIG_KEY)',
    ],
  ],
  [
    'a key at the wrong place',
    'name: sma-crossover-btc',
    'name: sma-crossover-btc\nspreadBps: "1"',
    [
      'bot.yaml:2:1 spreadBps: expected one of version, name, strategy, instruments, equityCurrency, risk, warmUp, simulation, venue, live, received "spreadBps"; did you mean "simulation.spreadBps"? (E_CONFIG_KEY)',
    ],
  ],
  [
    'a key that belongs at the top of the file',
    'simulation:',
    'simulation:\n  equityCurrency: USDT',
    [
      'bot.yaml:8:3 simulation.equityCurrency: expected one of archive, from, to, balances, fees, spreadBps, slippage, participation, fillOnTouch, remainder, latencyMs, cancelLatencyMs, dataDelayMs, updatePollMs, stopPollMs, path, maxGap, closeAtEnd, seed, rules, futures, margin, received "equityCurrency"; did you mean "equityCurrency" at the top of the file? (E_CONFIG_KEY)',
    ],
  ],
  [
    "a venue's word for one of ours",
    'minOrderMoney: "5"',
    'minOrderVolume: "5"',
    [
      'bot.yaml:16:57 simulation.rules.BTCUSDT.minOrderVolume: expected one of tradable, pricePrecision, quantityPrecision, minOrderQuantity, minOrderMoney, maxMarketQuantity, maxMarketMoney, maxLimitQuantity, maxWorkingOrders, received "minOrderVolume"; did you mean "minOrderQuantity"? (E_CONFIG_KEY)',
    ],
  ],
  [
    'a key that has another name now',
    'simulation:',
    'simulation:\n  futures: { rateKnownAhead: true }',
    [
      'bot.yaml:8:14 simulation.futures.rateKnownAhead: expected one of positionMode, fundingRate, fundingInterval, fundingRateKnown, maxFeeRate, tiers, received "rateKnownAhead"; did you mean "fundingRateKnown"? (E_CONFIG_KEY)',
    ],
  ],
  [
    'a limit of 0',
    'simulation:',
    'risk: { maxDailyLoss: "0" }\nsimulation:',
    [
      'bot.yaml:7:9 risk.maxDailyLoss: expected a quoted decimal > 0, received "0" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a ratio written as percent',
    'simulation:',
    'risk: { maxDrawdownRatio: "20" }\nsimulation:',
    [
      'bot.yaml:7:9 risk.maxDrawdownRatio: expected a quoted decimal > 0 and <= 1, received "20" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a pause of no time',
    'simulation:',
    'risk: { minEntryInterval: 0s }\nsimulation:',
    [
      'bot.yaml:7:9 risk.minEntryInterval: expected a duration > 0 such as 90s, 15min, 3h or 2d, received "0s" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'trading hours of no day, and of an hour that is none',
    'simulation:',
    'risk:\n  tradingHours:\n    - { days: [], from: "08:00", to: "24:30" }\nsimulation:',
    [
      'bot.yaml:9:9 risk.tradingHours.0.days: expected at least one day, received an empty list (E_CONFIG_VALUE)',
      'bot.yaml:9:34 risk.tradingHours.0.to: expected a time of day such as "08:00", received "24:30" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'limits of what is not traded',
    'simulation:',
    'risk:\n  maxPositionQuantity: { BTCUSD: "1" }\n  maxAssetExposure: { ETH: "1" }\nsimulation:',
    [
      'bot.yaml:8:26 risk.maxPositionQuantity.BTCUSD: expected one of the configured instruments BTCUSDT, received "BTCUSD"; did you mean "BTCUSDT"? (E_CONFIG_KEY)',
      'bot.yaml:9:23 risk.maxAssetExposure.ETH: expected one of the assets that the instruments buy: BTC, received "ETH" (E_CONFIG_KEY)',
    ],
  ],
  [
    'a missing key at the key above it',
    '    maker: "0.001"\n',
    '',
    [
      'bot.yaml:12:3 simulation.fees.maker: expected a quoted decimal, received nothing (E_CONFIG_MISSING)',
    ],
  ],
  [
    'no mapping of fees, whose keys it names',
    '  fees:\n    maker: "0.001"\n    taker: "0.001"\n',
    '',
    [
      'bot.yaml:7:1 simulation.fees: expected a mapping with maker, taker, received nothing (E_CONFIG_MISSING)',
    ],
  ],
  [
    'balances below their account',
    '  balances: { USDT: "10000" }',
    '  balances: { spot: { USDT: "10000" } }',
    [
      'bot.yaml:11:15 simulation.balances.spot: expected a quoted decimal; an account and its asset are one key, such as spot:USDT, received a mapping (E_CONFIG_TYPE)',
    ],
  ],
  [
    'text where a mapping belongs',
    '  balances: { USDT: "10000" }',
    '  balances: "10000"',
    [
      'bot.yaml:11:3 simulation.balances: expected a mapping of assets to amounts, received "10000" (E_CONFIG_TYPE)',
    ],
  ],
  [
    'a list where a number belongs',
    '{ fast: 10, slow: 30 }',
    '{ fast: [10], slow: 30 }',
    [
      'bot.yaml:4:17 strategy.parameters.fast: expected a number, text, true or false, received a list (E_CONFIG_VALUE)',
    ],
  ],
  [
    'an unknown interval',
    '[1h]',
    '[1h, 7min]',
    [
      'bot.yaml:6:55 instruments.0.intervals.1: expected one of 1min, 3min, 5min, 15min, 30min, 1h, 2h, 4h, 6h, 8h, 12h, 1day, 1week, 1month, received "7min" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'an interval twice',
    '[1h]',
    '[1h, 1h]',
    [
      'bot.yaml:6:55 instruments.0.intervals.1: expected each interval once, received 1h a second time (E_CONFIG_DUPLICATE)',
    ],
  ],
  [
    'an instrument twice',
    '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }',
    '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }\n  - { product: spot, symbol: BTCUSDT, intervals: [1day] }',
    [
      'bot.yaml:7:5 instruments.1: expected each instrument once, received spot:BTCUSDT a second time (E_CONFIG_DUPLICATE)',
    ],
  ],
  [
    'an unknown product',
    'product: spot',
    'product: option',
    [
      'bot.yaml:6:7 instruments.0.product: expected one of spot, margin, futures, received "option" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a number where an instrument belongs',
    '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }',
    '  - 3',
    ['bot.yaml:6:5 instruments.0: expected a mapping, received the number 3 (E_CONFIG_TYPE)'],
  ],
  [
    'an instrument without a product',
    'product: spot, ',
    '',
    [
      'bot.yaml:6:5 instruments.0.product: expected one of spot, margin, futures, received nothing (E_CONFIG_MISSING)',
    ],
  ],
  [
    'a symbol that may be two pairs',
    'symbol: BTCUSDT',
    'symbol: BTCTUSD',
    [
      'bot.yaml:6:22 instruments.0.symbol: expected a symbol that names its base and quote, received "BTCTUSD", which may be BTC in TUSD or BTCT in USD; add the keys base and quote (E_CONFIG_PAIR)',
    ],
  ],
  [
    'several quotes without an equity currency',
    '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }',
    '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }\n  - { product: spot, symbol: ETHBTC, intervals: [1h] }',
    [
      'bot.yaml:1:1 equityCurrency: expected one of USDT, BTC, because the instruments have several quotes, received nothing (E_CONFIG_MISSING)',
    ],
  ],
  [
    'an end before the start',
    '  to: 2025-02-01',
    '  to: 2024-02-01',
    [
      'bot.yaml:10:3 simulation.to: expected an instant after simulation.from ("2025-01-01"), received "2024-02-01" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a time without a zone',
    '  to: 2025-02-01',
    '  to: 2025-02-01T00:00:00',
    [
      'bot.yaml:10:3 simulation.to: expected a UTC date such as 2025-06-01 or 2025-06-01T12:00:00Z, received "2025-02-01T00:00:00" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'rules of an instrument that is not configured',
    '    BTCUSDT: {',
    '    BTCUSD: {',
    [
      'bot.yaml:16:5 simulation.rules.BTCUSD: expected one of the configured instruments BTCUSDT, received "BTCUSD"; did you mean "BTCUSDT"? (E_CONFIG_KEY)',
    ],
  ],
  [
    'rules that contradict each other',
    'minOrderMoney: "5"',
    'minOrderMoney: "5", maxMarketMoney: "4"',
    [
      'bot.yaml:16:5 simulation.rules.BTCUSDT: expected consistent rules, received others (expected minOrderMoney <= maxMarketMoney, received 5 and 4) (E_CONFIG_VALUE)',
    ],
  ],
  [
    'another version of the shape',
    'name: sma-crossover-btc',
    'name: sma-crossover-btc\nversion: 2',
    ['bot.yaml:2:1 version: expected version 1, received the number 2 (E_CONFIG_VALUE)'],
  ],
  [
    'plain http to a host that is not this one',
    'simulation:',
    'venue: { spotUrl: "http://venue.example" }\nsimulation:',
    [
      'bot.yaml:7:10 venue.spotUrl: expected an https URL, or an http URL to loopback, without credentials or query, received a value of 20 characters (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a secret pasted where its name belongs, without repeating it',
    'simulation:',
    'venue: { keyEnv: "k-3f9a" }\nsimulation:',
    [
      'bot.yaml:7:10 venue.keyEnv: expected the name of an environment variable, received a value of 6 characters (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a key twice',
    '  archive: data',
    '  archive: data\n  archive: other',
    [
      'bot.yaml:9:3 simulation.archive: expected each key once, received the same key a second time: line 8 has it, too (E_CONFIG_YAML)',
    ],
  ],
  [
    'two keys twice, in a line and in an entry of a list',
    '{ fast: 10, slow: 30 }',
    '{ fast: 10, fast: 30 }\nwarmUp: [{ a: 1 }, { b: 1, c: 2, b: 3 }]',
    [
      'bot.yaml:4:27 strategy.parameters.fast: expected each key once, received the same key a second time: line 4 has it, too (E_CONFIG_YAML)',
      'bot.yaml:5:34 warmUp.1.b: expected each key once, received the same key a second time: line 5 has it, too (E_CONFIG_YAML)',
    ],
  ],
  [
    'a text without its end',
    'minOrderMoney: "5"',
    'minOrderMoney: "5',
    [
      expect.stringMatching(
        /^bot\.yaml:\d+:\d+.*: expected valid YAML, received .* \(E_CONFIG_YAML\)$/,
      ),
    ],
  ],
  [
    'an unknown tag',
    '  archive: data',
    '  archive: !folder data',
    [
      'bot.yaml:8:12 simulation.archive: expected valid YAML, received Unresolved tag: !folder (E_CONFIG_YAML)',
    ],
  ],
  [
    'an alias without its anchor',
    '  archive: data',
    '  archive: *folder',
    [
      'bot.yaml:8:3 simulation.archive: expected an alias of an anchor above it, received *folder (E_CONFIG_YAML)',
    ],
  ],
  [
    'a tab',
    '  archive: data',
    '\tarchive: data',
    ['bot.yaml:8:1: expected indentation by spaces, received a tab (E_CONFIG_YAML)'],
  ],
  [
    'a second document',
    'simulation:',
    '---\nsimulation:',
    [
      'bot.yaml:7:1: expected one YAML document, received the start of a second one (E_CONFIG_YAML)',
    ],
  ],
  [
    'a key that would change the prototype',
    '{ fast: 10, slow: 30 }',
    '{ fast: 10, __proto__: 30 }',
    [
      'bot.yaml:4:27 strategy.parameters.__proto__: expected a key of plain text, received "__proto__" (E_CONFIG_KEY)',
    ],
  ],
  [
    'all problems of the file in its order',
    'name: sma-crossover-btc\nstrategy:\n  path: sma.strategy.ts',
    'nmae: x\nstrategy:\n  path: 3',
    [
      'bot.yaml:1:1 nmae: expected one of version, name, strategy, instruments, equityCurrency, risk, warmUp, simulation, venue, live, received "nmae"; did you mean "name"? (E_CONFIG_KEY)',
      'bot.yaml:3:3 strategy.path: expected the path of a plugin, received the number 3 (E_CONFIG_TYPE)',
    ],
  ],
  [
    'an account that nothing is traded on',
    'USDT: "10000"',
    '"futures:USDT": "10000"',
    [
      'bot.yaml:11:15 simulation.balances.futures:USDT: expected spot:USDT, received "futures:USDT" (E_CONFIG_KEY)',
    ],
  ],
  [
    'an amount given twice',
    'USDT: "10000"',
    'USDT: "10000", "spot:USDT": "1"',
    [
      'bot.yaml:11:30 simulation.balances.spot:USDT: expected one amount of USDT per account, received two (E_CONFIG_DUPLICATE)',
    ],
  ],
  [
    'a range the wrong way round',
    '  rules:',
    '  latencyMs: { min: 20, max: 10 }\n  rules:',
    [
      'bot.yaml:15:25 simulation.latencyMs.max: expected at least min, 20, received the number 10 (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a funding interval that does not divide a day',
    '  rules:',
    '  futures: { fundingInterval: 7h }\n  rules:',
    [
      'bot.yaml:15:14 simulation.futures.fundingInterval: expected a number of hours that divides a day, such as 8h, received "7h" (E_CONFIG_VALUE)',
    ],
  ],
  [
    'tiers of falling values',
    '  rules:',
    '  futures: { tiers: { BTCUSDT: [{ tiers: [{ maxValue: "5", maxLeverage: 9, keepRate: "0.01" }, { maxValue: "4", maxLeverage: 9, keepRate: "0.01" }] }] } }\n  rules:',
    [
      'bot.yaml:15:23 simulation.futures.tiers.BTCUSDT: expected consistent tiers, received others (BTCUSDT: expected tiers with rising maxValue, and only the last without one, received 4 in tier 2) (E_CONFIG_VALUE)',
    ],
  ],
  [
    'a fee change of an instrument that is not there',
    '    taker: "0.001"',
    '    taker: "0.001"\n    changes: [{ from: 2025-01-10, symbol: ETHUSDT, maker: "0", taker: "0" }]',
    [
      'bot.yaml:15:35 simulation.fees.changes.0.symbol: expected one of the configured instruments BTCUSDT, received "ETHUSDT"; did you mean "BTCUSDT"? (E_CONFIG_VALUE)',
    ],
  ],
];

describe('loadConfig', () => {
  it.each(WRONG_LINES)('reports %s', async (_what, line, replacement, messages) => {
    const found = await problemsOf(botYaml(line, replacement));

    expect(found).toEqual(messages);
  });

  it('fills in the defaults and resolves paths against the file', async () => {
    await inFolder(async (folder) => {
      await mkdir(path.join(folder, 'config'));
      await writeFile(path.join(folder, 'config', 'bot.yaml'), BOT_YAML);

      const { config } = await loadConfig({ file: 'config/bot.yaml', cwd: folder });

      expect(config).toEqual({
        version: 1,
        name: 'sma-crossover-btc',
        strategy: {
          path: path.join(folder, 'config', 'sma.strategy.ts'),
          export: undefined,
          parameters: { fast: 10, slow: 30 },
        },
        instruments: [
          {
            instrumentId: 'spot:BTCUSDT',
            kind: 'spot',
            symbol: 'BTCUSDT',
            base: 'BTC',
            quote: 'USDT',
            intervals: ['1h'],
          },
        ],
        equityCurrency: 'USDT',
        risk: {
          marketBand: 50_000_000_000_000_000n,
          tooLarge: { entries: 'refuse', exits: 'split' },
          dust: 'sweep',
          liquidationWarning: 200_000_000_000_000_000n,
          protections: {},
        },
        warmUp: { length: 'converged', incomplete: 'wait' },
        simulation: {
          archive: path.join(folder, 'config', 'data'),
          from: Date.parse('2025-01-01T00:00:00Z'),
          to: Date.parse('2025-02-01T00:00:00Z'),
          balances: { spot: new Map([['USDT', 10_000n * 10n ** 18n]]) },
          fees: { maker: 10n ** 15n, taker: 10n ** 15n, paidIn: 'received' },
          feeChanges: [],
          spreadBps: 0n,
          slippage: { model: 'fixed', bps: 0n },
          participation: 10n ** 17n,
          fillOnTouch: false,
          remainder: 'cancel',
          latency: { submit: { min: 0, max: 0 }, cancel: { min: 0, max: 0 } },
          dataDelayMs: 0,
          updatePollMs: 2000,
          stopPollMs: 'auto',
          path: 'nearest',
          maxGapMs: undefined,
          closeAtEnd: false,
          seed: 1,
          rules: new Map([
            [
              'spot:BTCUSDT',
              {
                tradable: true,
                pricePrecision: 2,
                quantityPrecision: 5,
                minOrderMoney: 5n * 10n ** 18n,
              },
            ],
          ]),
          futures: {
            positionMode: 'hedge',
            fundingRate: 10n ** 14n,
            fundingIntervalMs: 8 * 3_600_000,
            fundingRateKnown: 'current',
            maxFeeRate: 6n * 10n ** 14n,
            tiers: new Map(),
          },
          margin: { hourlyRate: 10n ** 13n },
        },
        venue: undefined,
        live: {
          journal: path.join(folder, 'config', 'sma-crossover-btc.journal'),
          onStop: 'keep',
          externalOrders: 'refuse',
          unverified: 'refuse',
          venueStops: 'off',
          disasterDistance: 2n * 10n ** 17n,
          orphans: 'refuse',
          stopBand: 10n ** 16n,
          guard: 'on',
          blindMargin: false,
          alignMs: 2000,
          allocation: { spot: new Map([['USDT', 10_000n * 10n ** 18n]]) },
          staleAfterMs: 30_000,
          maxClockOffsetMs: 30_000,
          loopStallMs: 5000,
        },
      });
    });
  });

  it('reads every product, and prefers given base and quote keys', async () => {
    const { config } = await loadYaml(
      botYaml(
        '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }',
        `  - { product: spot, symbol: BTCUSDT, intervals: [1h] }
  - { product: margin, symbol: XYZ, base: XY, quote: USDT, leverage: 3, intervals: [1h] }
  - { product: futures, symbol: E-BTC-USDT, leverage: "2.5", marginMode: cross, multiplier: "0.001", intervals: [1h] }`,
      ).replace('USDT: "10000"', '"spot:USDT": "10000", "futures:USDT": "500"'),
    );

    expect(config.instruments.slice(1)).toEqual([
      {
        instrumentId: 'margin:XYZ',
        kind: 'margin',
        symbol: 'XYZ',
        base: 'XY',
        quote: 'USDT',
        leverage: 3n * 10n ** 18n,
        intervals: ['1h'],
      },
      {
        instrumentId: 'futures:E-BTC-USDT',
        kind: 'futures',
        symbol: 'E-BTC-USDT',
        base: 'BTC',
        quote: 'USDT',
        leverage: 25n * 10n ** 17n,
        marginMode: 'cross',
        contract: 'linear',
        multiplier: 10n ** 15n,
        intervals: ['1h'],
      },
    ]);
    expect(config.simulation?.balances).toEqual({
      spot: new Map([['USDT', 10_000n * 10n ** 18n]]),
      futures: new Map([['USDT', 500n * 10n ** 18n]]),
    });
  });

  it('accepts a number for stopPollMs', async () => {
    const { config } = await loadYaml(botYaml('simulation:', 'simulation:\n  stopPollMs: 500'));

    expect(config.simulation?.stopPollMs).toBe(500);
  });

  it('reads the venue block as names, never as secrets', async () => {
    const { config } = await loadYaml(
      botYaml(
        'simulation:',
        'venue: { spotUrl: "http://127.0.0.1:8480/", keyEnv: EVENKEEL_KEY, secretFile: /etc/bot/secret }\nsimulation:',
      ),
    );

    expect(config.venue).toEqual({
      path: undefined,
      export: 'openVenue',
      options: {},
      spotUrl: 'http://127.0.0.1:8480',
      futuresUrl: undefined,
      key: { kind: 'environment', name: 'EVENKEEL_KEY' },
      secret: { kind: 'file', path: '/etc/bot/secret' },
    });
  });

  it('reads the live block', async () => {
    const { config } = await loadYaml(
      `${BOT_YAML}live: { journal: /journals/a.journal, onStop: flatten, allocation: { USDT: "250" } }\n`,
    );

    expect(config.live).toMatchObject({
      journal: '/journals/a.journal',
      onStop: 'flatten',
      allocation: { spot: new Map([['USDT', 250n * 10n ** 18n]]) },
    });
  });

  it.each([
    ['onStop: hold', 'live.onStop: expected one of keep, cancel, flatten, received "hold"'],
    [
      'allocation: { "futures:USDT": "1" }',
      'live.allocation.futures:USDT: expected spot:USDT, received "futures:USDT"',
    ],
    ['loopStallMs: 0', 'live.loopStallMs: expected a whole number from 100 to 86400000'],
  ])('refuses %s in the live block', async (written, message) => {
    const found = await problemsOf(`${BOT_YAML}live: { ${written} }\n`);

    expect(found).toEqual([expect.stringContaining(message)]);
  });

  it('follows an alias to its anchor', async () => {
    const yaml = botYaml('    taker: "0.001"', '    taker: *rate').replace(
      'maker: "0.001"',
      'maker: &rate "0.002"',
    );

    const { config } = await loadYaml(yaml);

    expect(config.simulation?.fees.taker).toBe(2n * 10n ** 15n);
  });

  it('reports an error behind an alias at its anchor', async () => {
    const yaml = botYaml(
      '    BTCUSDT: { pricePrecision: 2,',
      '    ETHUSDT: &rules { pricePrecision: 2.5, quantityPrecision: 5 }\n    BTCUSDT: *rules\n    SOLUSDT: { pricePrecision: 2,',
    );

    const found = await problemsOf(yaml);

    expect(found).toEqual(
      ['ETHUSDT', 'BTCUSDT'].map(
        (symbol) =>
          `bot.yaml:16:23 simulation.rules.${symbol}.pricePrecision: expected a whole number from 0 to 18, received the number 2.5 (E_CONFIG_TYPE)`,
      ),
    );
  });

  it('refuses nested aliases that expand exponentially', async () => {
    const bomb = `a: &a [1,1,1,1,1,1,1,1,1]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: [*c,*c,*c,*c,*c,*c,*c,*c,*c]
`;

    const found = await problemsOf(bomb);

    expect(found).toEqual([
      expect.stringMatching(
        /^bot\.yaml:2:1 b: expected at most 1000 aliases, expanding to at most 100 values, .*\(E_CONFIG_YAML\)$/,
      ),
    ]);
  });

  it('refuses thousands of aliases', async () => {
    const many = `a: &a 1\nb: [${Array(5_000).fill('*a').join(',')}]\n`;

    const found = await problemsOf(many);

    expect(found).toEqual([expect.stringContaining('received more aliases (E_CONFIG_YAML)')]);
  });

  it.each([
    [
      '',
      'bot.yaml: expected a YAML mapping that describes a bot, received an empty file (E_CONFIG_EMPTY)',
    ],
    [
      '# only a comment\n',
      'bot.yaml: expected a YAML mapping that describes a bot, received an empty file (E_CONFIG_EMPTY)',
    ],
    [
      '- a\n- b\n',
      'bot.yaml:1:1: expected a mapping with name, strategy, instruments, received a list (E_CONFIG_TYPE)',
    ],
    [
      'hello\n',
      'bot.yaml:1:1: expected a mapping with name, strategy, instruments, received "hello" (E_CONFIG_TYPE)',
    ],
  ])('refuses a file that holds %j', async (yaml, message) => {
    const found = await problemsOf(yaml);

    expect(found).toEqual([message]);
  });

  it('refuses a missing file, a directory, and bytes that are not text', async () => {
    await inFolder(async (folder) => {
      await mkdir(path.join(folder, 'folder.yaml'));
      await writeFile(path.join(folder, 'bytes.yaml'), Uint8Array.of(0x6e, 0xff, 0xfe));

      await expect(loadConfig({ file: 'none.yaml', cwd: folder })).rejects.toThrow(
        'none.yaml: expected a readable YAML file, received no such file (E_CONFIG_FILE)',
      );
      await expect(loadConfig({ file: 'folder.yaml', cwd: folder })).rejects.toThrow(
        'folder.yaml: expected a YAML file, received a directory (E_CONFIG_FILE)',
      );
      await expect(loadConfig({ file: 'bytes.yaml', cwd: folder })).rejects.toThrow(
        'bytes.yaml: expected UTF-8 text, received bytes that are none (E_CONFIG_YAML)',
      );
    });
  });
});

describe('loadConfig with values from the command line', () => {
  it('overrides values of the file', async () => {
    const { config } = await loadYaml(BOT_YAML, {
      set: [
        'simulation.fees.maker="0.0005"',
        'risk.dust=leave',
        'strategy.parameters.fast=12',
        'instruments.0.intervals=[1day]',
      ],
      from: '2025-01-10',
      to: '2025-01-20T12:00:00Z',
    });

    expect(config.simulation?.fees.maker).toBe(5n * 10n ** 14n);
    expect(config.risk.dust).toBe('leave');
    expect(config.strategy.parameters).toEqual({ fast: 12, slow: 30 });
    expect(config.instruments[0]?.intervals).toEqual(['1day']);
    expect(config.simulation?.from).toBe(Date.parse('2025-01-10T00:00:00Z'));
    expect(config.simulation?.to).toBe(Date.parse('2025-01-20T12:00:00Z'));
  });

  it.each([
    [
      { set: ['simulation.fees.maker=0.0005'] },
      `--set simulation.fees.maker: expected a quoted decimal, received the number 0.0005; quote it for YAML too: 'simulation.fees.maker="0.001"' (E_CONFIG_TYPE)`,
    ],
    [
      { set: ['simulation.fess.maker="0.0005"'] },
      '--set simulation.fess: expected one of archive, from, to, balances, fees, spreadBps, slippage, participation, fillOnTouch, remainder, latencyMs, cancelLatencyMs, dataDelayMs, updatePollMs, stopPollMs, path, maxGap, closeAtEnd, seed, rules, futures, margin, received "fess"; did you mean "fees"? (E_CONFIG_KEY)',
    ],
    [
      { set: ['simulation'] },
      '--set: expected an assignment such as strategy.parameters.fast=12, received "simulation" (E_CONFIG_SET)',
    ],
    [
      { set: ['instruments.3.symbol=ETHUSDT'] },
      '--set instruments.3.symbol: expected a path of keys and list positions that exists in the file, received "instruments.3.symbol" (E_CONFIG_SET)',
    ],
    [
      { set: ['name.first=a'] },
      '--set name.first: expected a path of keys and list positions that exists in the file, received "name.first" (E_CONFIG_SET)',
    ],
    [
      { from: 'yesterday' },
      '--from simulation.from: expected a UTC date such as 2025-06-01 or 2025-06-01T12:00:00Z, received "yesterday" (E_CONFIG_VALUE)',
    ],
  ])('names the option in the error about %j', async (overrides, message) => {
    const found = await problemsOf(BOT_YAML, overrides);

    expect(found).toEqual([message]);
  });
});
