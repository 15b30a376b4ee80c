import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { contractTerms, marginSchema } from './derivative-schema.js';
import {
  decimalText,
  flag,
  mapping,
  pathText,
  refuseRepeats,
  text,
  utcTime,
  wholeNumberSchema,
  word,
} from './scalars.js';
import { feeRates, fillTerms, refuseLargeRebate, rulesBySymbol } from './trading-terms.js';

const SYMBOL = 'a symbol such as BTCUSDT or E-BTC-USDT';
const symbolText = (): z.ZodType<string, string> => text(SYMBOL, /^[A-Za-z0-9][A-Za-z0-9._-]*$/);

/** The message for a mapping, or for one of its keys. */
const mappingOf =
  (what: string, key: string) =>
  ({ code }: z.core.$ZodRawIssue): string =>
    code === 'invalid_key' ? key : `a mapping of ${what}`;

const variable = (): z.ZodType<string, string> =>
  text('the name of an environment variable', /^[A-Za-z_][A-Za-z0-9_]{0,99}$/);

const contractSchema = mapping({
  candlesOf: text(
    'an instrument such as spot:BTCUSDT',
    /^(?:spot|futures):[A-Za-z0-9][A-Za-z0-9._-]*$/,
  )
    .optional()
    .meta({
      description: 'Instrument whose candles set its price; absent: its own stored candles.',
    }),
  contract: word(['linear', 'inverse'])
    .default('linear')
    .meta({ description: 'linear: a contract is an amount of base; inverse: of quote.' }),
  multiplier: decimalText({ above: '0' }).meta({
    description: 'Face value of one contract, in base (linear) or quote (inverse).',
  }),
});

const positive = (description: string): z.ZodType<bigint, string> =>
  decimalText({ above: '0', below: '1000000000000' }).meta({ description });

const syntheticSchema = mapping({
  seed: wholeNumberSchema(0, 2 ** 31 - 1)
    .default(1)
    .meta({ description: 'Random seed; equal seeds make equal candles.' }),
  pairs: z
    .record(
      symbolText(),
      mapping({
        price: positive('Price of the first candle, in quote.'),
        volatility: positive('Annual volatility; 0.5 is 50 %.'),
        dailyVolume: positive('Mean daily volume, in base.'),
      }),
      { error: mappingOf('symbols', SYMBOL) },
    )
    .optional()
    .meta({ description: 'Pairs to generate; absent: BTCUSDT.' }),
});

const marketSchema = mapping({
  synthetic: syntheticSchema.optional().meta({
    description: 'Generates endless candles instead of reading stored ones.',
  }),
  archive: pathText('the path of a folder').optional().meta({
    description: 'Folder of stored candles; absent: the candles that ship with evenkeel.',
  }),
  spot: z
    .array(symbolText(), { error: 'a list of symbols' })
    .superRefine((symbols, context) => {
      refuseRepeats(context, symbols, { expected: 'each pair once' });
    })
    .optional()
    .meta({ description: 'Listed pairs; absent: all stored pairs.' }),
  contracts: z
    .record(symbolText(), contractSchema, { error: mappingOf('contract names', SYMBOL) })
    .optional()
    .meta({ description: 'Listed contracts; absent: one on each pair of the shipped candles.' }),
  rules: rulesBySymbol.prefault({}).meta({
    description: 'Rules by symbol; they replace the rules of the archive and the standard rules.',
  }),
  ...fillTerms,
  spreadBps: fillTerms.spreadBps.prefault('1'),
  futures: mapping(contractTerms)
    .prefault({})
    .meta({ description: 'How contracts are settled and liquidated.' }),
  margin: marginSchema,
});

/** An account takes amounts of up to 20 digits before the point. */
const MOST = '100000000000000000000';

const amounts = (
  description: string,
): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<bigint, string>>> =>
  z
    .record(z.string().regex(/^[A-Z0-9]{1,20}$/), decimalText({ min: '0', below: MOST }), {
      error: mappingOf('assets to amounts', 'an asset in capitals such as USDT'),
    })
    .optional()
    .meta({ description });

const feeTier = (
  description: string,
): z.ZodOptional<z.ZodObject<typeof feeRates, z.core.$strict>> =>
  mapping(feeRates).superRefine(refuseLargeRebate).optional().meta({ description });

const accountSchema = mapping({
  name: text(
    'a name of letters, digits, ".", "_" and "-"',
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  ).meta({ description: 'Name of the account.' }),
  keyEnv: variable().optional().meta({
    description: 'Environment variable with the API key; absent: generated and printed once.',
  }),
  secretEnv: variable().optional().meta({
    description: 'Environment variable with the secret; absent: generated and printed once.',
  }),
  balances: mapping({
    spot: amounts('Spot wallet.'),
    margin: amounts('Margin wallet.'),
    futures: amounts('Futures wallet, by margin coin.'),
  })
    .optional()
    .meta({
      description: 'Initial balances; absent: 100,000 USDT each on spot, margin and futures.',
    }),
  fees: mapping({
    spot: feeTier('Ratios of the notional.'),
    futures: feeTier('Ratios of the notional of contracts.'),
  })
    .optional()
    .meta({
      description:
        'Fee tier: maker and taker, for spot (and margin) and for futures; absent: 0.001 and 0.001 on spot and margin, 0.0002 and 0.0006 on futures.',
    }),
  leverage: wholeNumberSchema(1, 200)
    .optional()
    .meta({ description: 'Leverage of positions and margin accounts; absent: 5.' }),
  marginMode: word(['cross', 'isolated'])
    .optional()
    .meta({ description: 'Margin mode of all contracts; absent: set by orders while flat.' }),
});

/** The YAML file of a local exchange. Every key has a default. */
export const exchangeSchema = mapping({
  profile: word(['interface', 'family']).default('interface').meta({
    description:
      'Form of the answers. interface: exactly as the documented interface; family: as exchanges of its family answer.',
  }),
  lists: word(['bare', 'wrapped']).default('bare').meta({
    description:
      'Form of the lists of spot and margin: bare, or {"list": […]} as in some deployments.',
  }),
  listen: mapping({
    host: text('an address', /^\S+$/)
      .default('127.0.0.1')
      .meta({ description: 'Address to listen on.' }),
    port: wholeNumberSchema(0, 65_535)
      .default(8480)
      .meta({ description: 'Port to listen on; 0: any free port.' }),
    remote: flag().default(false).meta({
      description: 'Whether to accept calls from other machines; there is no encryption.',
    }),
  })
    .prefault({})
    .meta({ description: 'Address and port of the exchange.' }),
  clock: mapping({
    mode: word(['realtime', 'accelerated', 'lockstep'])
      .default('realtime')
      .meta({ description: 'Pace of market time.' }),
    speed: wholeNumberSchema(1, 100_000)
      .default(60)
      .meta({ description: 'Milliseconds of market time per real millisecond; accelerated only.' }),
    start: utcTime().optional().meta({
      description:
        'Start of trading within the data; absent: a week after the start of the data, or a quarter of it if that is less.',
    }),
  })
    .prefault({})
    .meta({ description: 'Market time.' }),
  limits: flag()
    .default(true)
    .meta({ description: 'Whether to enforce the rate limits of the interface.' }),
  state: pathText('the path of a file').optional().meta({
    description: 'SQLite file for all state; absent: state is lost at exit.',
  }),
  market: marketSchema.prefault({}).meta({ description: 'Listed markets, and how orders fill.' }),
  accounts: z
    .array(accountSchema, { error: 'a list of accounts' })
    .min(1, { error: 'at least one account' })
    .superRefine((accounts, context) => {
      const names = accounts.map(({ name }) => name);
      refuseRepeats(context, names, {
        expected: 'a name of its own for each account',
        key: 'name',
      });
    })
    .optional()
    .meta({ description: 'Accounts that may trade; absent: one account with a generated key.' }),
  faults: mapping({
    seed: wholeNumberSchema(0, 2 ** 31 - 1)
      .default(1)
      .meta({ description: 'Random seed of the faults.' }),
    rules: z
      .array(z.record(z.string(), z.unknown(), { error: 'a mapping' }), {
        error: 'a list of faults',
      })
      .prefault([])
      .meta({ description: 'Faults active from the start; see the table of faults.' }),
  })
    .prefault({})
    .meta({ description: 'Injected faults.' }),
});

export type ExchangeConfig = z.output<typeof exchangeSchema>;

/** JSON Schema of the file, for editors and for suggestions. */
export function createExchangeJsonSchema(): JsonSchema {
  return z.toJSONSchema(exchangeSchema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  }) as JsonSchema;
}
