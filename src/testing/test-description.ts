import type { RunDescription } from '../run/index.js';

type Instruments = RunDescription['instruments'];
type Simulation = RunDescription['simulation'];

/** The description of a bot under test. Every key is optional; keys and values are those of the bot's YAML file. */
export interface TestDescription {
  /** Parameters that differ from the declared defaults. */
  readonly parameters?: NonNullable<RunDescription['strategy']>['parameters'];
  /** @defaultValue spot BTCUSDT with candles of an hour */
  readonly instruments?: Instruments | undefined;
  /** @defaultValue as in a bot's file */
  readonly risk?: RunDescription['risk'] | undefined;
  /**
   * Differences from the default venue, which has no fees, spread, slippage or latency and fills any size: prices of 2 decimals, quantities of 5, whole
   * contracts; 10,000 USDT on the account of the first instrument.
   */
  readonly simulation?: Partial<Simulation> | undefined;
}

const DEFAULT_INSTRUMENTS: Instruments = [
  { product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] },
];
const CASH = { USDT: '10000' };

/** Completes the description of a bot under test. */
export function describeTest({
  parameters = {},
  instruments = DEFAULT_INSTRUMENTS,
  risk,
  simulation = {},
}: TestDescription): RunDescription {
  return {
    name: 'test',
    strategy: { parameters },
    instruments,
    ...(risk !== undefined && { risk }),
    simulation: {
      balances: CASH,
      fees: { maker: '0', taker: '0' },
      participation: 'off',
      rules: rulesOf(instruments),
      ...simulation,
    },
  };
}

function rulesOf(instruments: Instruments): Simulation['rules'] {
  return Object.fromEntries(
    instruments.map(({ product, symbol }) => [
      symbol,
      { pricePrecision: 2, quantityPrecision: product === 'futures' ? 0 : 5 },
    ]),
  );
}
