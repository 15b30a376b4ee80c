import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';

// Every text of a backtest for an intent that is written wrong or that the venue would not accept.

const SHIPPED = path.resolve(import.meta.dirname, '../../../backtest/data');

/** Some days of spot candles of an hour. */
const SPOT = botYaml('{ fast: 10, slow: 30 }', '{}', botYaml('to: 2025-02-01', 'to: 2025-01-05'));

/** A day of a linear contract. */
const FUTURES = `name: contract
strategy: { path: sma.strategy.ts }
instruments:
  - { product: futures, symbol: E-BTC-USDT, intervals: [15min], leverage: 20, marginMode: isolated, multiplier: "0.001" }
simulation:
  archive: ${SHIPPED}
  from: 2025-05-03
  to: 2025-05-04
  balances: { USDT: "100000" }
  fees: { maker: "0", taker: "0" }
`;

/** Lines of stderr of a backtest whose plugin makes one of these intents per candle and logs its refusals. */
async function refusalsOf(wants: readonly string[], yaml: string): Promise<readonly string[]> {
  const folder = await botFolder({ yaml: yaml.replace('sma.strategy.ts', 'wants.js') });
  // JavaScript, because TypeScript would reject some of these intents.
  await writeFile(
    path.join(folder, 'wants.js'),
    `import { CandleStrategy } from 'evenkeel';
export class Wants extends CandleStrategy() {
  wants = [${wants.map((want) => `() => this.${want}`).join(',\n')}];
  count = 0;
  onCandle() {
    this.wants[this.count]?.();
    this.count += 1;
  }
  onVerdict({ decision }) {
    if (decision.kind !== 'refused') return;
    const { check, text } = decision.refusal;
    this.log.info(this.count - 1 + ' ' + check + ': ' + text);
  }
  onOrder({ status, reason }) {
    if (status === 'canceled') this.log.info('canceled: ' + reason?.text);
  }
}
`,
  );
  const run = await runCommand(folder, ['backtest', 'bot.yaml', '--log']);
  expect(run.exitCode).toBe(0);
  return run.stderr.split('\n').map((line) => line.replace(/^\S+ +info +/, ''));
}

const TERMS =
  'add, bracket, direction, expireAfter, goodForMs, instrument, label, limitPrice, oco, priceRounding, protection, size, timeInForce, work';
const SIZES = 'one of quantity, notional, equity and risk';

/** An intent, the check that refuses it, and the text. `placed`: the text begins with the place in the plugin, as for all unknown keys. */
type Row = readonly [wants: string, check: string, text: string, where?: 'placed'];

/** The place of an intent in the plugin. Each intent has its own line. */
const placeOf = (index: number): string =>
  `wants.js:${String(3 + index)}:${index === 0 ? '23' : '12'}: `;

const WRITTEN_WRONG: readonly Row[] = [
  // Unknown keys.
  [
    "enterLong({ quantity: '1' }, { protection: { stoploss: { ratio: '0.02' } } })",
    'unknown-key',
    'protection has no key "stoploss": did you mean "stopLoss"?',
  ],
  [
    "enterLong({ quantity: '1' }, { protection: { stopLoss: { ration: '0.02' } } })",
    'unknown-key',
    'protection.stopLoss has no key "ration": did you mean "ratio"?',
  ],
  [
    "enterLong({ quantity: '1' }, { bracket: { takeprofit: { ratio: '0.02' } } })",
    'unknown-key',
    'bracket has no key "takeprofit": did you mean "takeProfit"?',
  ],
  [
    "enterLong({ quantity: '1' }, { limitprice: '1' })",
    'unknown-key',
    'enter has no key "limitprice": did you mean "limitPrice"?',
  ],
  [
    "enterLong({ quantity: '1', limitPrice: '1' })",
    'unknown-key',
    'size has no key "limitPrice": it belongs beside the size, among the terms',
  ],
  [
    "enterLong({ quantiy: '1' })",
    'unknown-key',
    'size has no key "quantiy": did you mean "quantity"?',
  ],
  [
    "enterLong({ quantity: '1' }, { equity: '0.5' })",
    'unknown-key',
    'enter has no key "equity": it belongs in the size, which comes before the terms',
  ],
  [
    "enterLong({ quantity: '1' }, { stopLoss: { ratio: '0.02' } })",
    'unknown-key',
    'enter has no key "stopLoss": it belongs in protection: { stopLoss }',
  ],
  [
    "enterLong({ quantity: '1' }, { zebra: 1 })",
    'unknown-key',
    `enter has no key "zebra": its keys are ${TERMS}`,
  ],
  [
    "exit({ quantity: '1' })",
    'unknown-key',
    'exit has no key "quantity": it belongs in size: { quantity }',
  ],
  [
    "exit({ stopLoss: { ratio: '0.02' } })",
    'unknown-key',
    'exit has no key "stopLoss": protect({ stopLoss }) guards what is held',
  ],
  ["cancel({ lable: 'a' })", 'unknown-key', 'target has no key "lable": did you mean "label"?'],
  [
    "replace({ label: 'a' }, { limitprice: '1' })",
    'unknown-key',
    'replace has no key "limitprice": did you mean "limitPrice"?',
  ],
  [
    "rebalance({ BTCUSDT: '1' }, { tolerence: '0.1' })",
    'unknown-key',
    'target has no key "tolerence": did you mean "tolerance"?',
  ],
  // Sizes.
  [
    "enterLong({ quantity: '1', equity: '0.5' })",
    'invalid-size',
    `size: expected ${SIZES}, received quantity and equity`,
    'placed',
  ],
  ['enterLong({})', 'invalid-size', `size: expected ${SIZES}, received none of them`, 'placed'],
  [
    'enterLong()',
    'invalid-size',
    'expected a size such as { quantity: "0.5" }, received undefined',
  ],
  [
    'enterLong({ quantity: 1 })',
    'invalid-size',
    'expected a size above 0 as decimal text such as "0.5" (BTC), received 1',
  ],
  [
    "enterLong({ quantity: 'all' })",
    'invalid-size',
    'expected a size above 0 as decimal text such as "0.5" (BTC), received "all"',
  ],
  [
    "enterLong({ risk: '0.01' })",
    'no-stop',
    'a size by risk needs a stop: give protection: { stopLoss } or { trailingStop }, or bracket: { stopLoss }',
  ],
  [
    "target('BTCUSDT', { weight: 0.5 })",
    'invalid-term',
    'to: expected decimal text, below 0 for short, received 0.5',
    'placed',
  ],
  [
    "target('BTCUSDT', {})",
    'invalid-size',
    'to: expected one of quantity, notional and weight, received none of them',
    'placed',
  ],
  // Levels.
  [
    "enterLong({ quantity: '0.1' }, { protection: { stopLoss: { price: '900000' } } })",
    'invalid-protection',
    'stopLoss: expected a price below <last>, received {"price":"900000"}',
  ],
  [
    "enterLong({ quantity: '0.1' }, { bracket: { takeProfit: { price: '9' } } })",
    'invalid-protection',
    'takeProfit: expected a price above <last>, received {"price":"9"}',
  ],
  [
    "enterLong({ quantity: '0.1' }, { limitPrice: '50000', protection: { stopLoss: { price: '51000' } } })",
    'invalid-protection',
    'stopLoss: expected a price below 50000, received {"price":"51000"}',
  ],
  [
    "enterLong({ quantity: '0.1' }, { protection: { stopLoss: { ratio: '-0.02' } } })",
    'invalid-protection',
    'stopLoss: expected a ratio above 0, received {"ratio":"-0.02"}',
  ],
  [
    "enterLong({ quantity: '0.1' }, { protection: { stopLoss: { ratio: 0.02 } } })",
    'invalid-protection',
    'protection.stopLoss.ratio: expected decimal text such as "0.02", received 0.02',
    'placed',
  ],
  [
    "enterLong({ quantity: '0.1' }, { protection: { trailingStop: { price: '1' } } })",
    'invalid-protection',
    'trailingStop: expected a ratio or distance above 0, received {"price":"1"}',
  ],
  // Terms.
  [
    "enterShort({ quantity: '1' })",
    'spot-short',
    'spot cannot be sold short; use margin or futures',
  ],
  [
    "target('BTCUSDT', { weight: '-0.5' })",
    'spot-short',
    'spot:BTCUSDT: spot cannot be sold short; use margin or futures, or a target of 0',
  ],
  [
    "raise({ kind: 'enter', direction: 'up', size: { quantity: '1' } })",
    'invalid-term',
    'direction: expected long or short, received "up"',
    'placed',
  ],
  [
    "enterLong({ quantity: '0.1' }, { timeInForce: 'POST_ONLY', limitPrice: '1' })",
    'time-in-force',
    'spot orders know no time in force: leave POST_ONLY out',
  ],
  [
    "enterLong({ quantity: '0.1' }, { limitPrice: 50000 })",
    'invalid-price',
    'expected a limit price of at least one tick as decimal text such as "100.5", received 50000',
  ],
  [
    "enterLong({ quantity: '0.1' }, { limitPrice: '5', expireAfter: '30' })",
    'invalid-term',
    'expireAfter: expected a duration above 0 such as 90s, 15min, 3h or 2d, received "30"',
    'placed',
  ],
  [
    "enterLong({ quantity: '0.1' }, { work: { chase: { every: '5s', maxbps: '20' } } })",
    'invalid-term',
    'work.chase: expected only every and maxBps, received "maxbps"',
    'placed',
  ],
  [
    "replace({ label: 'a' }, {})",
    'invalid-term',
    'replace: expected a limitPrice or a quantity, received nothing',
    'placed',
  ],
  // Intents that the account cannot pay for.
  [
    "enterLong({ equity: '95' })",
    'insufficient-balance',
    'needs 950000 USDT, costs included, and 10000 USDT can be used; 10000 USDT would pass',
  ],
  [
    "enterLong({ quantity: '0.000001' })",
    'min-order-quantity',
    '0 BTC after rounding is less than the smallest order of 0.00001 BTC; 0.00009 BTC would pass',
  ],
];

/** Intents while a position is held. */
const HELD: readonly Row[] = [
  ["enterLong({ quantity: '0.1' })", '', ''],
  [
    "exit({ share: '50' })",
    'invalid-size',
    'expected a share of the position above 0 and at most 1 as decimal text such as "0.5", received "50"',
  ],
  [
    'exit({ share: 0.5 })',
    'invalid-size',
    'expected a share of the position above 0 and at most 1 as decimal text such as "0.5", received 0.5',
  ],
  [
    "enterLong({ quantity: '0.01' }, { add: true, bracket: { stopLoss: { ratio: '2%' } } })",
    'invalid-protection',
    'stopLoss: expected a ratio in decimal text such as "0.02", received {"ratio":"2%"}',
  ],
];

const CONTRACT: readonly Row[] = [
  [
    "enterLong({ quantity: '100' }, { protection: { stopLoss: { ratio: '0.2' } } })",
    'stop-beyond-liquidation',
    'its stop at 56369.68 USDT would never be reached: the position is liquidated at 67248.4; set a nearer stop, or less leverage or quantity',
  ],
  [
    "enterShort({ quantity: '100' }, { protection: { stopLoss: { price: '1' } } })",
    'invalid-protection',
    'stopLoss: expected a price above <last>, received {"price":"1"}',
  ],
  [
    "exit({ direction: 'up' })",
    'invalid-term',
    'direction: expected long or short, received "up"',
    'placed',
  ],
  [
    "enterLong({ notional: '6' })",
    'min-order-quantity',
    '0 contracts after rounding is less than the smallest order of 1 contract; 70.7156 USDT would pass',
  ],
];

describe('the message of a refusal', () => {
  it.each([
    { of: 'an intent that is written wrong', rows: WRITTEN_WRONG, yaml: SPOT },
    { of: 'what is held', rows: HELD, yaml: SPOT },
    { of: 'a contract', rows: CONTRACT, yaml: FUTURES },
  ])('states the problem and the remedy of $of', async ({ rows, yaml }) => {
    const lines = await refusalsOf(
      rows.map(([wants]) => wants),
      yaml,
    );

    const said = rows.map((_, index) =>
      lines.find((line) => line.startsWith(`${String(index)} `))?.replace(/^\d+ /, ''),
    );
    const expected = rows.map(([, check, text, where], index) => {
      const isPlaced = where === 'placed' || check === 'unknown-key';
      return check === '' ? undefined : `${check}: ${isPlaced ? placeOf(index) : ''}${text}`;
    });
    expect(said.map((line) => line?.replace(/(?<=(?:below|above) )\d{5}\.\d+/, '<last>'))).toEqual(
      expected,
    );
  });

  it('a POST_ONLY order that would cross is canceled with its reason', async () => {
    const lines = await refusalsOf(
      ["enterLong({ quantity: '1' }, { limitPrice: '900000', timeInForce: 'POST_ONLY' })"],
      FUTURES,
    );

    expect(lines).toEqual([
      'canceled: the venue canceled a POST_ONLY order that would have crossed the book',
      '',
    ]);
  });
});
