import { z } from 'zod';

import { HALT_ACTIONS, ORDER_CAUSES } from '../domain/index.js';
import { RESULT_VERSION } from './result-version.js';
import { amount, count, ratio, text, time } from './schema-parts.js';
import {
  benchmarkSchema,
  breakdownSchema,
  flowSchema,
  tradeSchema,
  tradeTotalsSchema,
} from './trades/trade-schema.js';

/** How the equity curve is sampled: at UTC day ends, or at every close of the execution interval. */
export const CURVE_KINDS = ['daily', 'candle'] as const;

const sha256 = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits')
    .describe(description);
const side = z.enum(['buy', 'sell']);
const action = z.enum(['open', 'close']).describe('Whether it adds to a position or reduces one');
const instrument = text('Instrument, for example spot:BTCUSDT');

const run = z.object({
  id: text('Hash of the inputs: configuration, data, strategy source, engine version'),
  strategy: text('Name of the strategy'),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Parameters of the strategy by name, in alphabetical order'),
  instruments: z.array(instrument),
  from: time('Open of the first candle after warm-up'),
  to: time('Close of the last candle'),
  candles: count('Candles given to the strategy, warm-up not counted'),
  configHash: text('Hash of the configuration'),
  dataHash: text('Hash of the candles'),
  engine: text('Version of the engine'),
});

const statistics = z.object({
  totalReturn: ratio('Final equity ÷ initial equity − 1'),
  cagr: ratio('(Final ÷ initial)^(365 days ÷ duration) − 1'),
  volatility: ratio('Standard deviation (n − 1) of the daily returns × √365'),
  sharpe: ratio('Mean ÷ standard deviation (n − 1) of the daily returns × √365'),
  sortino: ratio('Mean of the daily returns ÷ √(Σ min(r, 0)² ÷ n) × √365'),
  calmar: ratio('cagr ÷ maxDrawdown'),
  maxDrawdown: ratio('Deepest fall below the highest equity before it; 0.2 is 20 %'),
  maxDrawdownDuration: ratio('Longest time from a peak until it was regained, in milliseconds'),
  trades: count('Finished trades, flat to flat per instrument and direction'),
  winRate: ratio('Trades that earned ÷ trades'),
  profitFactor: ratio('Σ profits ÷ Σ losses of the trades; null without a loss'),
  expectancy: amount('Mean profit or loss of a trade after fees').nullable(),
  exposure: ratio('Closes with a position ÷ closes of the execution interval'),
  turnover: ratio('Σ notional of the fills ÷ mean equity at those closes'),
  fees: amount('Fees paid, in the equity currency; negative when received'),
  funding: amount('Funding paid, in the equity currency; negative when received'),
  interest: amount('Interest paid, in the equity currency'),
  insurance: amount('Losses beyond the margin that the venue paid, in the equity currency'),
});

const headline = z
  .object({
    finalEquity: amount('Equity at the end'),
    totalReturn: ratio('As in statistics'),
    cagr: ratio('As in statistics'),
    sharpe: ratio('As in statistics'),
    maxDrawdown: ratio('As in statistics'),
    trades: count('As in statistics').nullable(),
    winRate: ratio('As in statistics'),
    profitFactor: ratio('As in statistics'),
  })
  .partial();

/** Origin of an order. */
const origin = z.object({
  intent: count('Number of the intent it serves; 0 for what the venue did by itself'),
  label: z.string().nullable().describe('As the strategy gave it to the intent'),
  cause: z
    .enum(ORDER_CAUSES)
    .describe(
      'Why it was sent: a signal of the strategy, a stop or target of the position, flatten of strategy, halt or operator, the end of the run, or a trade that the venue made',
    ),
});

const order = z.object({
  id: text('Client order id'),
  ...origin.shape,
  time: time('When it was sent'),
  instrument,
  action,
  side,
  type: z.enum(['market', 'limit']),
  price: amount('Limit price; null on market orders').nullable(),
  quantity: amount('In unit'),
  unit: z.enum(['base', 'quote', 'contracts']).describe('What the quantity counts'),
  filled: amount('Filled quantity, in base or contracts'),
  status: text('Last known status'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why it was not accepted or ended early: a code of the venue, or a name such as on-request, not-at-once or end-of-run; or the cause of an order of the venue',
    ),
  reasonText: z.string().nullable().describe('The same in words'),
});

const fill = z.object({
  time: time('When it happened'),
  orderId: text('Client order id'),
  instrument,
  action,
  side,
  price: amount('Quote per base'),
  quantity: amount('Base or contracts'),
  fee: amount('Paid when positive'),
  feeAsset: text('What the fee was paid in'),
  liquidity: z.enum(['maker', 'taker']),
  intent: origin.shape.intent.nullable(),
  label: origin.shape.label,
  cause: origin.shape.cause.nullable(),
});

const refusal = z.object({
  time: time('When an intent was turned down'),
  last: time('When the last one was that is equal but for what it asked'),
  count: count('How many there were'),
  instrument,
  check: text('Name of the check'),
  limit: z.string(),
  actual: z.string(),
  unit: z.string().describe('Unit of limit and actual'),
  text: text('The first of them in a sentence'),
});

const duration = text('Duration, for example 10min');
const worked = z.object({
  intent: origin.shape.intent,
  instrument,
  side,
  action,
  label: origin.shape.label,
  work: z
    .union([
      z.object({ limitFor: duration, then: z.literal('market') }),
      z.object({ chase: z.object({ every: duration, maxBps: amount('Basis points') }) }),
      z.object({ twap: z.object({ over: duration, slices: count('Parts') }) }),
    ])
    .describe('How, as the strategy said it'),
  arrival: amount('Last when risk was asked for the first of its orders'),
  quantity: amount('Wanted at first, in unit'),
  unit: order.shape.unit,
  filled: amount('Filled quantity, in base or contracts'),
  averagePrice: amount(
    'Σ price × filled ÷ Σ filled; harmonic of inverse contracts; null where nothing was filled',
  ).nullable(),
  shortfall: amount(
    'What was traded at averagePrice beyond its worth at arrival, fees left out: positive when it cost, negative when it brought',
  ).nullable(),
  shortfallBps: ratio('The same ÷ the worth at arrival, in basis points'),
  currency: text('What shortfall is counted in: quote of the instrument'),
  from: time('When arrival was taken'),
  to: time('When the last of its orders ended; null where it was still worked').nullable(),
});

const protection = z.object({
  check: text('Name of the check'),
  limit: text('Its limit, with unit'),
});

const halt = z.object({
  time: time('When it began'),
  reason: text('What brought it: daily-loss, drawdown, consecutive-losses or operator'),
  until: time('When it ended by itself; null where only the operator can end it').nullable(),
  action: z.enum(HALT_ACTIONS).describe('What happened besides the refusal of entries'),
  text: z.string().describe('The limit that was reached and by what'),
});

/**
 * The result file (DESIGN §9) as a schema. Money is decimal text, ratios are numbers or null, times are UTC milliseconds.
 *
 * Unknown keys are ignored, so that a file of a newer minor version can be read.
 */
export const resultSchema = z.object({
  version: z.literal(RESULT_VERSION),
  run,
  equity: z.object({
    initial: amount('At the start'),
    final: amount('At the end, open positions marked to the last close'),
    currency: text('What equity, profits and costs are counted in'),
  }),
  statistics,
  bounds: z
    .object({
      low: headline.describe(
        'Smallest value of each figure; empty when one path was run, null where it is not known',
      ),
      high: headline.describe(
        'Largest value of each figure; empty when one path was run, null where it is not known',
      ),
      undecidedCandles: count('Candles whose hidden path could have changed what happened'),
      undecidedMoney: amount(
        'Value at stake: of the orders, stops, positions and arrivals that made them so, in each of them anew',
      ),
      undecidedShare: ratio(
        'Σ notional of the fills inside these candles, after their open and before their close, ÷ Σ notional of all fills',
      ),
      exact: z
        .boolean()
        .describe(
          'True only when nothing depends on the hidden path of any candle, or every order of every candle that can matter was covered',
        ),
      search: z
        .object({
          runs: count('Runs that were made'),
          joined: count('Runs that ended where another branch had been'),
          cut: z
            .object({
              candles: count('Candles of which one order was not tried in every branch'),
              from: time('Open of the first of them'),
              to: time('Open of the last of them'),
            })
            .nullable()
            .describe('What the budget of runs left out; null when nothing'),
        })
        .optional()
        .describe('How the range was found; absent when one path was run'),
      ribbon: z
        .object({
          text: text('Of which runs, in words'),
          points: z.array(z.tuple([time('UTC day end'), amount('Lowest'), amount('Highest')])),
        })
        .optional()
        .describe(
          'Lowest and highest equity of the runs that went to their end; absent when one path was run',
        ),
    })
    .describe('Range over the ways a candle may have moved'),
  accounting: z.object({
    residual: amount('Sum of postings + position values − equity; 0 unless the ledger is wrong'),
  }),
  otherFees: z
    .array(
      z.object({
        asset: text('What the fees were paid in'),
        amount: amount('Sum of the fees'),
        value: amount(
          'The same in the equity currency, at the last close before each fill; part of statistics.fees. Null where nothing values it: then it is in no figure',
        ).nullable(),
        valuedBy: text('Instrument whose closes say so').nullable(),
      }),
    )
    .describe('Fees in assets that are neither base nor quote of what was traded'),
  gaps: z.object({
    count: count('Holes in the candles'),
    missing: count('Candles missing in them'),
    moneyHeld: amount(
      'Σ over the gaps of what was held of the instrument when its candles broke off, long and short, at the last close before',
    ),
  }),
  calls: z
    .array(
      z.object({
        limit: text("Name of one of the venue's limits"),
        allowed: z.number().describe('Calls per minute that it allows'),
        peak: z.number().describe('Most calls in any 60 s, had the run been live'),
        mean: z.number().describe('The same per minute over the run, to two digits'),
      }),
    )
    .describe(
      'Orders and cancels of the run, and polls of its config as if orders worked all the time',
    ),
  warnings: z.array(z.string()).describe('What a reader must know, one sentence each'),
  intents: count('Intents of the strategy, of every kind'),
  orders: z.array(order),
  fills: z.array(fill),
  refusals: z.array(refusal),
  worked: z
    .array(worked)
    .optional()
    .describe('Intents that were worked, by number; absent where none was'),
  trades: z
    .array(tradeSchema)
    .optional()
    .describe('Trades in the order they began; absent where they were not listed'),
  tradeTotals: tradeTotalsSchema.optional().describe('Absent with trades'),
  breakdowns: z
    .array(breakdownSchema)
    .optional()
    .describe('Closed trades added up in several ways; absent with trades'),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The configuration as it was run, amounts as decimal text, no path in it; absent with trades',
    ),
  undecided: z
    .array(
      z.object({
        instrument,
        spans: z.array(z.tuple([time('Open of the first'), time('Close of the last')])),
      }),
    )
    .optional()
    .describe('Undecided candles, neighbors together; absent with trades'),
  plots: z
    .array(
      z.object({
        name: text('As the strategy called it'),
        instrument,
        points: z.array(z.tuple([time('Instant'), z.number()])),
      }),
    )
    .optional()
    .describe('Lines that the strategy recorded with plot; absent where it recorded none'),
  breaks: z
    .array(z.object({ instrument, time: time('Close of the last candle before') }))
    .optional()
    .describe('Where candles break off; absent with trades'),
  benchmark: benchmarkSchema.optional().describe('Absent with trades'),
  flows: z
    .array(flowSchema)
    .optional()
    .describe('Money that came or went without a trade, in order of time; absent with trades'),
  protections: z.array(protection).describe('Protections of the operator that were on'),
  halts: z.array(halt),
  curve: z.enum(CURVE_KINDS).describe('Sampling of equityCurve'),
  equityCurve: z
    .array(z.tuple([time('Instant'), amount('Equity')]))
    .describe('Exact equity from the start to the end: at UTC day ends, or at every close'),
  hash: z.object({
    orders: sha256('SHA-256 of the orders'),
    fills: sha256('SHA-256 of the fills'),
  }),
});

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** A finished run in the form of its result file. */
export type Result = DeepReadonly<z.infer<typeof resultSchema>>;
export type ResultOrder = Result['orders'][number];
export type ResultFill = Result['fills'][number];
export type WorkedIntent = NonNullable<Result['worked']>[number];
export type Trade = NonNullable<Result['trades']>[number];
export type TradeTotals = NonNullable<Result['tradeTotals']>;
export type Breakdown = NonNullable<Result['breakdowns']>[number];
export type Benchmark = NonNullable<Result['benchmark']>;
export type Flow = NonNullable<Result['flows']>[number];
export type HeadlineFigures = Result['bounds']['low'];
export type CurveKind = (typeof CURVE_KINDS)[number];

/** JSON Schema of the result file, for readers in other languages. */
export function resultJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(resultSchema, { io: 'input' });
}
