import { z } from 'zod';
import { DomainError, formatFixed, resolveRules } from '../../domain/index.js';
import { addProblem, decimalText, flag, isMapping, mapping, wholeNumberSchema } from './scalars.js';

/** Fee rates of a venue, in bots and in accounts of the local exchange. */
export const feeRates = {
  maker: decimalText({ above: '-1', below: '1' }).meta({
    description: 'Ratio of the notional: "0.001" is 0.1 %; a negative ratio is a rebate.',
  }),
  taker: decimalText({ min: '0', below: '1' }).meta({
    description: 'Ratio of the notional: "0.001" is 0.1 %.',
  }),
};

/** Refuses a rebate above the fee of takers: whoever trades with himself would earn. */
export function refuseLargeRebate(
  { maker, taker }: { readonly maker: bigint; readonly taker: bigint },
  context: z.RefinementCtx,
): void {
  if (maker + taker >= 0n) return;
  const expected = `at least ${formatFixed(-taker)}, what takers pay`;
  addProblem(context, expected, { code: 'E_CONFIG_VALUE' }, ['maker']);
}

const basisPoints = (): z.ZodType<bigint, string> => decimalText({ min: '0', below: '10000' });

const slippageModel = <const M extends 'fixed' | 'squareRoot'>(model: M): z.ZodLiteral<M> =>
  z.literal(model).meta({ description: 'Model of the slippage.' });

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
          description:
            'Coefficient c of slippage = c × √(quantity ÷ candle volume), as a ratio of the price.',
        }),
      }),
    ],
    {
      error: ({ input }) => (isMapping(input) ? 'one of fixed, squareRoot' : 'a mapping'),
    },
  )
  .prefault({ model: 'fixed', bps: '0' })
  .meta({
    description:
      'Cost of takers beyond the spread: fixed with bps, or squareRoot with coefficient.',
  });

/** How orders fill. A backtest and the local exchange use the same keys. */
export const fillTerms = {
  spreadBps: basisPoints().meta({
    description: 'Full spread between bid and ask, in basis points.',
  }),
  slippage: slippageSchema,
  participation: z
    .union([z.literal('off'), decimalText({ above: '0', max: '1' })], {
      error: 'a quoted decimal > 0 and <= 1, or off',
    })
    .prefault('0.1')
    .meta({ description: "Share of a candle's volume that orders may take, or off." }),
  fillOnTouch: flag()
    .default(false)
    .meta({ description: 'Whether a resting order fills when the price only touches its limit.' }),
};

const optionalAmount = (description: string): z.ZodExactOptional<z.ZodType<bigint, string>> =>
  decimalText({ min: '0' }).meta({ description }).exactOptional();
const optionalMaximum = (description: string): z.ZodExactOptional<z.ZodType<bigint, string>> =>
  decimalText({ above: '0' }).meta({ description }).exactOptional();

/** Rules of the venue for one instrument. */
export const rulesSchema = mapping({
  tradable: flag().default(true).meta({ description: 'Whether the venue accepts orders.' }),
  pricePrecision: wholeNumberSchema(0, 18).meta({ description: 'Decimals of a price.' }),
  quantityPrecision: wholeNumberSchema(0, 18).meta({ description: 'Decimals of a quantity.' }),
  minOrderQuantity: optionalAmount('Smallest quantity of an order, in base or contracts.'),
  minOrderMoney: optionalAmount('Smallest value of an order, in quote.'),
  maxMarketQuantity: optionalMaximum('Largest quantity of a MARKET order, in base or contracts.'),
  maxMarketMoney: optionalMaximum('Largest value of a MARKET order, in quote.'),
  maxLimitQuantity: optionalMaximum('Largest quantity of a LIMIT order, in base or contracts.'),
  maxWorkingOrders: wholeNumberSchema(1, 1_000_000)
    .meta({ description: 'Most working orders at once.' })
    .exactOptional(),
});

/** Rules by symbol. Each set is checked to be consistent: at least one order must be possible. */
export const rulesBySymbol = z.record(
  z.string(),
  rulesSchema.superRefine((rules, context) => {
    try {
      resolveRules(rules);
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      const received = `others (${error.message})`;
      addProblem(context, 'consistent rules', { code: 'E_CONFIG_VALUE', received });
    }
  }),
  { error: 'a mapping of symbols to rules' },
);
