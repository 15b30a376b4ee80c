import { z } from 'zod';
import {
  createInstrumentId,
  INTERVALS,
  type InstrumentId,
  type ProductKind,
} from '../../domain/index.js';
import type { Resolved } from './reference.js';
import {
  addProblem,
  refuseRepeats,
  decimalText,
  flag,
  isMapping,
  leverageText,
  mapping,
  text,
  word,
} from './scalars.js';
import { splitSymbol, suggestSymbol, type AssetPair } from '../symbol.js';

const SYMBOL = text('a symbol such as BTCUSDT or E-BTC-USDT', /^[A-Za-z0-9][A-Za-z0-9._-]*$/);
const ASSET = text('an asset such as BTC', /^[A-Za-z0-9]{1,20}$/);

const commonShape = {
  symbol: SYMBOL.meta({ description: "The venue's name of the instrument, such as BTCUSDT." }),
  intervals: z
    .array(word(INTERVALS), { error: 'a list of intervals' })
    .min(1, { error: 'at least one interval' })
    .superRefine((intervals, context) => {
      refuseRepeats(context, intervals, { expected: 'each interval once' });
    })
    .meta({
      description: 'Intervals of the candles for the strategy; the finest sets the simulated path.',
    }),
  base: ASSET.optional().meta({
    description: 'Traded asset; required if the symbol does not show it.',
  }),
  quote: ASSET.optional().meta({
    description: 'Asset of prices; required if the symbol does not show it.',
  }),
  // No default: an absent key stays absent, so that the hash of a file without it does not change.
  readOnly: flag().optional().meta({
    description: 'true: the strategy receives its market data, and every order on it is refused.',
  }),
};

const leverage = leverageText().meta({
  description: 'Leverage set at the venue; margin and futures only.',
});

const product = <const Kind extends ProductKind>(kind: Kind): z.ZodLiteral<Kind> =>
  z.literal(kind).meta({ description: 'Market of the venue.' });

const spotShape = mapping({ product: product('spot'), ...commonShape });
const marginShape = mapping({ product: product('margin'), ...commonShape, leverage });
const futuresShape = mapping({
  product: product('futures'),
  ...commonShape,
  leverage,
  marginMode: word(['cross', 'isolated']).meta({
    description: 'Margin mode set at the venue; futures only.',
  }),
  contract: word(['linear', 'inverse']).default('linear').meta({
    description: 'linear: margin and profit in quote; inverse: in base.',
  }),
  multiplier: decimalText({ above: '0' }).meta({
    description: 'Face value of one contract, in base (linear) or quote (inverse).',
  }),
});

/** One entry of `instruments`. */
export const instrumentSchema = z.discriminatedUnion(
  'product',
  [
    spotShape.transform(identify),
    marginShape.transform(identify),
    futuresShape.transform(identify),
  ],
  { error: ({ input }) => (isMapping(input) ? 'one of spot, margin, futures' : 'a mapping') },
);

export type InstrumentConfig = Resolved<z.output<typeof instrumentSchema>>;
export type FuturesInstrumentConfig = Extract<InstrumentConfig, { readonly kind: 'futures' }>;

interface WrittenInstrument extends WrittenPair {
  readonly product: ProductKind;
}

type Identified<Written extends WrittenInstrument> = Omit<Written, 'product'> &
  AssetPair & { kind: Written['product']; instrumentId: InstrumentId };

function identify<Written extends WrittenInstrument>(
  { product: kind, ...written }: Written,
  context: z.RefinementCtx,
): Identified<Written> {
  const pair = findPair(written, context);
  if (pair === undefined) return z.NEVER;
  return { ...written, ...pair, kind, instrumentId: createInstrumentId(kind, written.symbol) };
}

interface WrittenPair {
  readonly symbol: string;
  readonly base?: string | undefined;
  readonly quote?: string | undefined;
}

function findPair(
  { symbol, base, quote }: WrittenPair,
  context: z.RefinementCtx,
): AssetPair | undefined {
  if (base !== undefined && quote !== undefined) return { base, quote };
  const readings = splitSymbol(symbol).filter(
    (pair) => (base ?? pair.base) === pair.base && (quote ?? pair.quote) === pair.quote,
  );
  if (readings.length === 1) return readings[0];
  const meant = readings.length === 0 ? suggestSymbol(symbol) : undefined;
  const found = readings.map((pair) => `${pair.base} in ${pair.quote}`).join(' or ');
  addProblem(
    context,
    'a symbol that names its base and quote',
    {
      code: 'E_CONFIG_PAIR',
      received: `"${symbol}"${found === '' ? '' : `, which may be ${found}`}`,
      suggestion:
        meant === undefined
          ? 'add the keys base and quote'
          : `did you mean "${meant}"? Otherwise add the keys base and quote`,
    },
    ['symbol'],
  );
  return undefined;
}
