import { InvalidArgumentError } from 'commander';
import type { SynthInstrument } from '../../archive/index.js';
import { parseInstrumentId, splitInstrumentId, type InstrumentId } from '../../domain/index.js';
import { argument } from './options.js';

/** Settings of an instrument, with their defaults: a small coin at 100. */
const DEFAULTS = {
  price: 100,
  volatility: 0.6,
  volume: 10_000,
  'price-precision': 2,
  'quantity-precision': 5,
} as const;
type Setting = keyof typeof DEFAULTS;
/** Quantities of contracts are whole numbers. */
const CONTRACT_PRECISION = 0;

/**
 * Parses one `--instrument` of `data synth` and adds it to the earlier ones.
 *
 * @example `spot:BTCUSDT,price=62000,volatility=0.5,volume=20000,price-precision=2,quantity-precision=5`
 */
export function addSynthInstrument(
  text: string,
  before: readonly SynthInstrument[] = [],
): readonly SynthInstrument[] {
  const [id = '', ...pairs] = text.split(',');
  const instrumentId = argument(parseInstrumentId)(id);
  const settings: Record<Setting, number> = { ...DEFAULTS };
  if (splitInstrumentId(instrumentId).kind === 'futures') {
    settings['quantity-precision'] = CONTRACT_PRECISION;
  }
  let like: InstrumentId | undefined;
  const given = new Set<string>();
  for (const pair of pairs) {
    const [name = '', value, ...rest] = pair.split('=');
    if (given.has(name)) throw new InvalidArgumentError(`${name}= is given twice`);
    given.add(name);
    if (name === 'like') {
      like = argument(parseInstrumentId)(value ?? '');
      continue;
    }
    const setting = settingNames.find((candidate) => candidate === name);
    if (setting === undefined || rest.length > 0) {
      throw new InvalidArgumentError(
        `expected ${settingNames.join('=, ')}=, like=, received "${pair}"`,
      );
    }
    settings[setting] = parseNumber(setting, value ?? '');
  }
  if (before.some((other) => other.instrumentId === instrumentId)) {
    throw new InvalidArgumentError(`${id} is given twice`);
  }
  const instrument: SynthInstrument = {
    instrumentId,
    like,
    startPrice: settings.price,
    volatility: settings.volatility,
    dailyVolume: settings.volume,
    pricePrecision: settings['price-precision'],
    quantityPrecision: settings['quantity-precision'],
  };
  return [...before, instrument];
}

const settingNames: readonly Setting[] = [
  'price',
  'volatility',
  'volume',
  'price-precision',
  'quantity-precision',
];

function parseNumber(setting: Setting, text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    throw new InvalidArgumentError(`expected a number for ${setting}, received "${text}"`);
  }
  return Number(text);
}
