import { z } from 'zod';
import {
  FEE_ASSET_POLICIES,
  PATH_MODES,
  REMAINDER_POLICIES,
  type SlippageConfig,
} from '../../assembly/backtest/index.js';
import { DAY_MS, MINUTE_MS } from '../../domain/index.js';
import { balancesSchema } from './balances-schema.js';
import { futuresSchema, marginSchema } from './derivative-schema.js';
import {
  decimalText,
  duration,
  flag,
  isObject,
  mapping,
  text,
  utcTime,
  wholeNumberSchema,
  word,
} from './scalars.js';

const rate = (): z.ZodType<bigint, string> => decimalText({ min: '0', below: '1' });
const basisPoints = (): z.ZodType<bigint, string> => decimalText({ min: '0', below: '10000' });

const slippageModel = <const M extends SlippageConfig['model']>(model: M): z.ZodLiteral<M> =>
  z.literal(model).meta({ description: 'How slippage grows with the order.' });

const slippageSchema = z
  .discriminatedUnion(
    'model',
    [
      mapping({
        model: slippageModel('fixed'),
        bps: basisPoints().meta({ description: 'Basis points of the price.' }),
      }),
      mapping({
        model: slippageModel('squareRoot'),
        coefficient: decimalText({ min: '0', max: '100' }).meta({
          description: 'Times √(quantity ÷ candle volume), a ratio of the price.',
        }),
      }),
    ],
    {
      error: ({ input }) => (isObject(input) ? 'one of fixed, squareRoot' : 'a mapping'),
    },
  )
  .prefault({ model: 'fixed', bps: '0' }) satisfies z.ZodType<SlippageConfig>;

const optionalAmount = (description: string): z.ZodOptional<z.ZodType<bigint, string>> =>
  decimalText({ min: '0' }).meta({ description }).optional();
const optionalMaximum = (description: string): z.ZodOptional<z.ZodType<bigint, string>> =>
  decimalText({ above: '0' }).meta({ description }).optional();

/** What the venue accepts for one instrument. */
export const rulesSchema = mapping({
  tradable: flag().default(true).meta({ description: 'Whether the venue takes orders.' }),
  pricePrecision: wholeNumberSchema(0, 18).meta({ description: 'Decimals of a price.' }),
  quantityPrecision: wholeNumberSchema(0, 18).meta({ description: 'Decimals of a quantity.' }),
  minOrderQuantity: optionalAmount('Smallest quantity of an order, in base or contracts.'),
  minOrderMoney: optionalAmount('Smallest value of an order, in quote.'),
  maxMarketQuantity: optionalMaximum('Largest quantity of a MARKET order, in base or contracts.'),
  maxMarketMoney: optionalMaximum('Largest value of a MARKET order, in quote.'),
  maxLimitQuantity: optionalMaximum('Largest quantity of a LIMIT order, in base or contracts.'),
  maxWorkingOrders: wholeNumberSchema(1, 1_000_000)
    .meta({ description: 'Most orders that may work at once.' })
    .optional(),
});

const feeChangeSchema = mapping({
  from: utcTime().meta({ description: 'First instant of these rates (UTC).' }),
  symbol: text('a symbol of the instruments', /\S/)
    .optional()
    .meta({ description: 'Which instrument; absent: all.' }),
  maker: rate().meta({ description: 'As fees.maker.' }),
  taker: rate().meta({ description: 'As fees.taker.' }),
});

const wholeMs = (): z.ZodType<number, number> => wholeNumberSchema(0, DAY_MS);

const latencySchema = z
  .union(
    [
      wholeMs(),
      mapping({
        min: wholeMs().meta({ description: 'Shortest, in ms.' }),
        max: wholeMs().meta({ description: 'Longest, in ms.' }),
      }).refine(({ min, max }) => min <= max, { error: 'min <= max' }),
    ],
    { error: `a whole number from 0 to ${String(DAY_MS)}, or min and max` },
  )
  .transform((value) => (typeof value === 'number' ? { min: value, max: value } : value));

/** The `simulation` block: what a backtest replays, and how the simulated venue behaves. */
export const simulationSchema = mapping({
  archive: text('the path of a folder', /\S/).meta({
    description: 'Folder of stored candles; relative to this file.',
  }),
  from: utcTime().optional().meta({
    description:
      'Start (UTC): candles that open at or after it belong to the run; absent: where the data starts.',
  }),
  to: utcTime().optional().meta({
    description:
      'End (UTC): candles that close at or before it belong to the run; absent, or later than the data: where the data ends.',
  }),
  balances: balancesSchema.meta({
    description:
      'What the account starts with; with several products by account, such as futures:USDT.',
  }),
  fees: mapping({
    maker: rate().meta({ description: 'Ratio of the notional: "0.001" is 0.1 %.' }),
    taker: rate().meta({ description: 'Ratio of the notional: "0.001" is 0.1 %.' }),
    paidIn: word(FEE_ASSET_POLICIES)
      .default('received')
      .meta({ description: 'received: a buy pays in base, a sell in quote; quote: always quote.' }),
    changes: z
      .array(feeChangeSchema, { error: 'a list of changes' })
      .prefault([])
      .meta({ description: 'Rates that replace these from a time on, or of one instrument.' }),
  }).meta({ description: 'What the venue charges.' }),
  spreadBps: basisPoints()
    .prefault('0')
    .meta({ description: 'Full spread between bid and ask, in basis points.' }),
  slippage: slippageSchema.meta({
    description:
      'What takers pay beyond the spread: fixed with bps, or squareRoot with coefficient.',
  }),
  participation: z
    .union([z.literal('off'), decimalText({ above: '0', max: '1' })], {
      error: 'a quoted decimal > 0 and <= 1, or off',
    })
    .prefault('0.1')
    .meta({ description: "Share of a candle's volume that orders may take, or off." }),
  fillOnTouch: flag()
    .default(false)
    .meta({ description: 'Whether a resting order fills when its limit is only touched.' }),
  remainder: word(REMAINDER_POLICIES)
    .default('cancel')
    .meta({ description: 'What becomes of the remaining quantity of a MARKET or IOC order.' }),
  latencyMs: latencySchema.prefault(0).meta({
    description:
      'From the decision to the arrival of a command, in ms; a range is drawn from evenly.',
  }),
  cancelLatencyMs: latencySchema
    .optional()
    .meta({ description: 'The same for cancels; absent: as latencyMs.' }),
  dataDelayMs: wholeNumberSchema(0, DAY_MS)
    .default(0)
    .meta({ description: "From a candle's close to its arrival at the engine, in ms." }),
  updatePollMs: wholeNumberSchema(1, 60 * MINUTE_MS)
    .default(2000)
    .meta({ description: 'Grid on which the engine learns what the venue did, in ms.' }),
  stopPollMs: wholeNumberSchema(1, 60 * MINUTE_MS)
    .optional()
    .meta({
      description:
        'Grid on which stops sample the last price, in ms; absent: 2000 for futures, 1000 for spot and margin.',
    }),
  path: word(PATH_MODES)
    .default('nearest')
    .meta({ description: 'Order in which a candle visits its extremes.' }),
  maxGap: duration()
    .optional()
    .meta({ description: 'Longest stretch of missing candles that is accepted, such as 3h.' }),
  closeAtEnd: flag()
    .default(false)
    .meta({ description: 'Whether positions are closed at the last close.' }),
  seed: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)
    .default(1)
    .meta({ description: "Start of the strategy's random numbers." }),
  rules: z
    .record(z.string(), rulesSchema, { error: 'a mapping of symbols to rules' })
    .prefault({})
    .meta({ description: "The venue's rules by symbol, where the archive has none." }),
  futures: futuresSchema,
  margin: marginSchema,
}).meta({ description: 'What a backtest replays, and how the simulated venue behaves.' });
