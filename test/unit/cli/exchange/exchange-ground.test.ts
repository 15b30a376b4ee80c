import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGround } from '../../../../src/cli/exchange/exchange-ground.js';
import { openArchive } from '../../../../src/archive/index.js';
import { archiveFolder } from '../../../../src/cli/exchange/exchange-listings.js';
import { loadExchangeConfig } from '../../../../src/config/index.js';
import { DAY_MS, parseInstrumentId } from '../../../../src/domain/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PAIR = '{ price: "100", volatility: "0.5", dailyVolume: "20000" }';
const RULES = '{ pricePrecision: 9, quantityPrecision: 5 }';

async function open(lines: readonly string[]): Promise<unknown> {
  const folder = await temporaryFolder();
  const text = ['clock: { mode: lockstep }', 'market:', ...lines, ''].join('\n');
  await writeFile(path.join(folder, 'exchange.yaml'), text);
  const loaded = await loadExchangeConfig('exchange.yaml', folder);
  return openGround(loaded, { now: Date.UTC(2025, 5, 1), state: undefined });
}

describe('openGround with synthetic candles', () => {
  it.each<[string, readonly string[], string]>([
    [
      'a precision that the generator does not have',
      [
        `  synthetic: { pairs: { BTCUSDT: ${PAIR} } }`,
        '  contracts: {}',
        '  rules:',
        `    BTCUSDT: ${RULES}`,
      ],
      'exchange.yaml:6:16 market.rules.BTCUSDT.pricePrecision: expected a number from 0 to 8 for synthetic candles, received 9 (E_SYNTH)',
    ],
    [
      'a precision of rules by full id',
      [
        `  synthetic: { pairs: { BTCUSDT: ${PAIR} } }`,
        '  contracts: {}',
        '  rules:',
        `    spot:BTCUSDT: ${RULES}`,
      ],
      'exchange.yaml:6:21 market.rules.spot:BTCUSDT.pricePrecision: expected a number from 0 to 8 for synthetic candles, received 9 (E_SYNTH)',
    ],
    [
      'an archive, which would not be read',
      ['  synthetic: { seed: 1 }', '  archive: data'],
      'exchange.yaml:4:3 market.archive: expected no folder beside market.synthetic, whose candles are made, received "data" (E_CONFIG_VALUE)',
    ],
    [
      'stored pairs, which would not be listed',
      ['  synthetic: { seed: 1 }', '  spot: [ETHUSDT]'],
      'exchange.yaml:4:3 market.spot: expected no list beside market.synthetic: its pairs are in market.synthetic.pairs, received ["ETHUSDT"] (E_CONFIG_VALUE)',
    ],
    [
      'no pairs',
      ['  synthetic: { pairs: {} }', '  contracts: {}'],
      'exchange.yaml:3:16 market.synthetic.pairs: expected at least one pair, received none (E_SYNTH)',
    ],
    [
      'a price that is rounded to the bound',
      [
        '  contracts: {}',
        '  synthetic:',
        '    pairs:',
        `      BTCUSDT: ${PAIR.replace('"100"', '"999999999999.999999999999"')}`,
      ],
      'exchange.yaml:6:18 market.synthetic.pairs.BTCUSDT.price: expected a number above 0 and below 1000000000000, received 1000000000000 (E_SYNTH)',
    ],
    [
      'a contract so small that too many are traded',
      [
        `  synthetic: { pairs: { BTCUSDT: ${PAIR} } }`,
        '  contracts:',
        '    E-BTC-USDT: { multiplier: "0.00000001" }',
      ],
      'exchange.yaml:5:19 market.contracts.E-BTC-USDT.multiplier: expected a daily volume above 0 and below 1000000000000 contracts, received 2000000000000 (E_SYNTH)',
    ],
  ])('names file, line and key of %s', async (_, lines, message) => {
    await expect(open(lines)).rejects.toThrow(message);
  });

  it('makes the candles of a valid file', async () => {
    const ground = await open([`  synthetic: { pairs: { BTCUSDT: ${PAIR} } }`, '  contracts: {}']);

    expect(ground).toMatchObject({ instruments: [{ interval: '1min' }] });
  });
});

describe('openGround with stored candles', () => {
  it('keeps the dates of rules where candles are moved to now, as a bot reads the archive', async () => {
    const loaded = await loadExchangeConfig(undefined, '.');
    const id = parseInstrumentId('futures:E-BTC-USDT');
    const now = Date.UTC(2026, 0, 1, 12);

    const { instruments } = await openGround(loaded, { now, state: undefined });

    const listed = instruments.find(({ instrument }) => instrument.id === id);
    const archive = openArchive(archiveFolder(loaded));
    expect(listed?.rows.openTime(0)).toBeGreaterThan(now - 8 * DAY_MS);
    expect(listed?.rules).toEqual(await archive.rules(id));
    expect(listed?.tiers).toEqual(await archive.tiers(id));
    expect(listed?.rules.map(({ from }) => from)).toEqual([0, Date.UTC(2025, 5, 15)]);
  });

  it.each<[string, readonly string[], string]>([
    [
      'a missing archive',
      ['  archive: nowhere'],
      'exchange.yaml:3:3 market.archive: expected a folder of stored candles, received ',
    ],
    [
      'a pair without candles',
      ['  spot: [BTCUSDT, XXXUSDT]'],
      'exchange.yaml:3:19 market.spot.1: expected candles of one of spot:',
    ],
    [
      'candles of a contract that are not stored',
      ['  contracts:', '    E-BTC-USDT: { candlesOf: "spot:NOUSDT", multiplier: "0.001" }'],
      'exchange.yaml:4:19 market.contracts.E-BTC-USDT.candlesOf: expected candles of one of ',
    ],
    [
      'a contract without candles of its own',
      ['  contracts:', '    E-NO-USDT: { multiplier: "0.001" }'],
      'exchange.yaml:4:5 market.contracts.E-NO-USDT: expected candles of one of ',
    ],
  ])('names file, line and key of %s', async (_, lines, message) => {
    await expect(open(lines)).rejects.toThrow(message);
  });
});

describe('openGround with rules', () => {
  const rules = '{ pricePrecision: 2, quantityPrecision: 5 }';
  const ARCHIVE = ['  spot: [BTCUSDT]', '  contracts: {}'];
  const MADE = [`  synthetic: { pairs: { BTCUSDT: ${PAIR} } }`, '  contracts: {}'];

  it.each([
    ['stored', ARCHIVE],
    ['synthetic', MADE],
  ])('rejects rules of an instrument that is not listed, with %s candles', async (_, lines) => {
    await expect(open([...lines, `  rules: { BTCUSTD: ${rules} }`])).rejects.toThrow(
      'exchange.yaml:5:12 market.rules.BTCUSTD: expected one of the listed instruments BTCUSDT, received "BTCUSTD"; did you mean "BTCUSDT"? (E_CONFIG_VALUE)',
    );
  });

  it.each(['BTCUSDT', 'spot:BTCUSDT'])('applies rules of %s', async (name) => {
    const ground = await open([...ARCHIVE, `  rules: { ${name}: ${rules} }`]);

    expect(ground).toMatchObject({
      instruments: [{ rules: [{ rules: { pricePrecision: 2, quantityPrecision: 5 } }] }],
    });
  });
});
