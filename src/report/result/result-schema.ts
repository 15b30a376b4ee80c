import { z } from 'zod';

import { HALT_ACTIONS, ORDER_CAUSES, type DeepReadonly } from '../../domain/index.js';
import { RESULT_VERSION } from './result-version.js';
import {
  amountSchema as amount,
  countSchema as count,
  figureSchema as ratio,
  textSchema as someText,
  timeSchema as time,
} from './schema-parts.js';
import {
  benchmarkSchema,
  breakdownSchema,
  flowSchema,
  tradeSchema,
  tradeTotalsSchema,
} from '../trades/trade-schema.js';

/** How the equity curve is sampled: at UTC day ends, or at every close of the execution interval. */
const CURVE_KINDS = ['daily', 'candle'] as const;

const sha256 = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits')
    .describe(description);
const side = z.enum(['buy', 'sell']);
const action = z.enum(['open', 'close']).describe('Whether it adds to a position or reduces one');
const instrument = someText('Instrument, for example spot:BTCUSDT');

const run = z.object({
  id: someText('Hash of the inputs: configuration, data, strategy source, engine version'),
  strategy: someText('Name of the strategy'),
  parameters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Parameters of the strategy by name, in alphabetical order'),
  instruments: z.array(instrument),
  from: time('Open of the first candle after warm-up'),
  to: time('Close of the last candle'),
  candles: count('Candles given to the strategy, warm-up not counted'),
  configHash: someText('Hash of the configuration'),
  dataHash: someText('Hash of the candles'),
  engine: someText('Version of the engine'),
});

const statistics = z.object({
  totalReturn: ratio('Final equity ÷ initial equity − 1'),
  cagr: ratio('(Final ÷ initial)^(365 days ÷ duration) − 1'),
  volatility: ratio('Standard deviation (n − 1) of the daily returns × √365'),
  sharpe: ratio('Mean of the daily returns ÷ their standard deviation (n − 1) × √365'),
  sortino: ratio('Mean of the daily returns ÷ √(Σ min(r, 0)² ÷ n) × √365'),
  calmar: ratio('cagr ÷ maxDrawdown'),
  maxDrawdown: ratio('Largest fall of equity below its previous peak; 0.2 is 20 %'),
  maxDrawdownDuration: ratio('Longest time from a peak of equity to its recovery, in milliseconds'),
  trades: count('Finished trades, flat to flat per instrument and direction'),
  winRate: ratio('Winning trades ÷ trades'),
  profitFactor: ratio('Σ profits ÷ Σ losses of trades; null without a loss'),
  expectancy: amount('Mean profit or loss of a trade after fees').nullable(),
  exposure: ratio('Closes with an open position ÷ all closes of the execution interval'),
  turnover: ratio('Σ notional of the fills ÷ mean equity at those closes'),
  fees: amount('Fees paid, in the equity currency; negative when received'),
  funding: amount('Funding paid, in the equity currency; negative when received'),
  interest: amount('Interest paid, in the equity currency'),
  insurance: amount('Losses beyond the margin, paid by the venue, in the equity currency'),
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
  intent: count('Number of the intent; 0 for orders that the venue made itself'),
  label: z.string().nullable().describe('Label of the intent, set by the strategy'),
  cause: z
    .enum(ORDER_CAUSES)
    .describe(
      'Cause of the order: a signal of the strategy, a stop or target of the position, flatten by strategy, halt or operator, the end of the run, or a trade made by the venue',
    ),
});

const order = z.object({
  id: someText('Client order id'),
  ...origin.shape,
  time: time('Time it was sent; if the venue made it, the time of its first fill'),
  instrument,
  action,
  side,
  type: z.enum(['market', 'limit']),
  price: amount('Limit price; null on market orders').nullable(),
  quantity: amount('Quantity in unit'),
  unit: z.enum(['base', 'quote', 'contracts']).describe('Unit of the quantity'),
  filled: amount('Filled quantity, in base or contracts'),
  status: someText('Last known status'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Reason of a rejection or early end: a code of the venue, or a name such as on-request, not-at-once or end-of-run. For orders made by the venue: their cause',
    ),
  reasonText: z.string().nullable().describe('The reason in words'),
});

const fill = z.object({
  time: time('Time of the fill'),
  orderId: someText('Client order id'),
  instrument,
  action,
  side,
  price: amount('Quote per base'),
  quantity: amount('Base or contracts'),
  fee: amount('Fee in feeAsset; positive when paid'),
  feeAsset: someText('Asset of the fee'),
  liquidity: z.enum(['maker', 'taker']),
  intent: origin.shape.intent.nullable(),
  label: origin.shape.label,
  cause: origin.shape.cause.nullable(),
});

const refusal = z.object({
  time: time('Time of the first refusal'),
  last: time('Time of the last refusal that differs only in the requested amount'),
  count: count('Number of refusals'),
  instrument,
  check: someText('Name of the check'),
  limit: z.string(),
  actual: z.string(),
  unit: z.string().describe('Unit of limit and actual'),
  text: someText('The first refusal in a sentence'),
});

const duration = someText('Duration, for example 10min');
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
    .describe('Method, as set by the strategy'),
  arrival: amount('Last price when risk checked the first of its orders'),
  quantity: amount('Intended quantity, in unit'),
  unit: order.shape.unit,
  filled: amount('Filled quantity, in base or contracts'),
  averagePrice: amount(
    'Σ price × filled ÷ Σ filled; harmonic mean for inverse contracts; null without a fill',
  ).nullable(),
  shortfall: amount(
    'Cost of trading at averagePrice instead of arrival, without fees; negative is a gain',
  ).nullable(),
  shortfallBps: ratio('shortfall ÷ value at arrival, in basis points'),
  currency: someText('Currency of shortfall: quote of the instrument'),
  from: time('Time of arrival'),
  to: time('Time the last of its orders ended; null if still worked').nullable(),
});

const protection = z.object({
  check: someText('Name of the check'),
  limit: someText('Its limit, with unit'),
});

const halt = z.object({
  time: time('Start of the halt'),
  reason: someText('Cause: daily-loss, drawdown, consecutive-losses or operator'),
  until: time('Time it ends by itself; null if only the operator can end it').nullable(),
  action: z.enum(HALT_ACTIONS).describe('Action in addition to refusing entries'),
  text: z.string().describe('The limit and the value that reached it'),
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
    initial: amount('Equity at the start'),
    final: amount(
      'Equity at the end, open positions valued at the last close, contracts at the mark',
    ),
    currency: someText('Currency of equity, profits and costs'),
  }),
  statistics,
  bounds: z
    .object({
      low: headline.describe(
        'Smallest value of each figure; empty if only one path was run, null if unknown',
      ),
      high: headline.describe(
        'Largest value of each figure; empty if only one path was run, null if unknown',
      ),
      undecidedCandles: count('Candles whose hidden path could have changed the result'),
      undecidedMoney: amount(
        'Value at stake, summed over these candles: orders, stops, positions and arrivals that made them undecided',
      ),
      undecidedShare: ratio(
        'Σ notional of fills inside these candles (after open, before close) ÷ Σ notional of all fills',
      ),
      exact: z
        .boolean()
        .describe(
          'True only if no result depends on the hidden path of a candle, or the runs covered every path of every candle that can matter',
        ),
      search: z
        .object({
          runs: count('Number of runs'),
          budget: count('Largest number of runs; absent if it is the usual one').optional(),
          joined: count('Runs that stopped in a state that another branch had reached'),
          cut: z
            .object({
              candles: count('Candles with a path that was not tried in every branch'),
              from: time('Open of the first of them'),
              to: time('Open of the last of them'),
            })
            .nullable()
            .describe('Candles not covered by the budget of runs; null if all were covered'),
        })
        .optional()
        .describe('Search for the range; absent if only one path was run'),
      ribbon: z
        .object({
          text: someText('Which runs the ribbon covers, in words'),
          points: z.array(z.tuple([time('UTC day end'), amount('Lowest'), amount('Highest')])),
        })
        .optional()
        .describe(
          'Lowest and highest equity of the runs that reached their end; absent if only one path was run',
        ),
    })
    .describe('Range of the figures over the possible paths of candles'),
  accounting: z.object({
    residual: amount('Sum of postings + position values − equity; 0 unless the ledger is wrong'),
  }),
  otherFees: z
    .array(
      z.object({
        asset: someText('Asset of the fees'),
        amount: amount('Sum of the fees'),
        value: amount(
          'Sum in the equity currency, at the last close before each fill; part of statistics.fees. Null if no price is known: then no figure contains these fees',
        ).nullable(),
        valuedBy: someText('Instrument whose closes give the value').nullable(),
      }),
    )
    .describe('Fees in assets that are neither base nor quote of the traded instrument'),
  gaps: z.object({
    count: count('Gaps in the candles'),
    missing: count('Missing candles'),
    moneyHeld: amount(
      'Σ over the gaps: value of the position, long and short, at the last close before the gap',
    ),
  }),
  calls: z
    .array(
      z.object({
        limit: someText('Name of a rate limit of the venue'),
        allowed: z.number().describe('Allowed calls per minute'),
        peak: z.number().describe('Most calls in any 60 s if the run had been live'),
        mean: z.number().describe('Mean calls per minute over the run, to two digits'),
      }),
    )
    .describe(
      'Calls for orders and cancels of the run, plus the polls of its configuration as if an order were always working',
    ),
  warnings: z.array(z.string()).describe('Warnings, one sentence each'),
  intents: count('Intents of the strategy, of every kind'),
  orders: z.array(order),
  fills: z.array(fill),
  refusals: z.array(refusal),
  worked: z.array(worked).optional().describe('Worked intents by number; absent if there are none'),
  plots: z
    .array(
      z.object({
        name: someText('Name given by the strategy'),
        instrument,
        points: z.array(z.tuple([time('Instant'), z.number()])),
      }),
    )
    .optional()
    .describe('Lines recorded by the strategy with plot; absent if there are none'),
  trades: z.array(tradeSchema).optional().describe('Trades by time of entry; absent if not listed'),
  tradeTotals: tradeTotalsSchema.optional().describe('Absent with trades'),
  breakdowns: z
    .array(breakdownSchema)
    .optional()
    .describe('Closed trades grouped in several ways; absent with trades'),
  benchmark: benchmarkSchema.optional().describe('Absent with trades'),
  flows: z
    .array(flowSchema)
    .optional()
    .describe('Money received or paid without a trade, in order of time; absent with trades'),
  undecided: z
    .array(
      z.object({
        instrument,
        spans: z.array(z.tuple([time('Open of the first'), time('Close of the last')])),
      }),
    )
    .optional()
    .describe('Undecided candles, adjacent ones merged; absent with trades'),
  breaks: z
    .array(z.object({ instrument, time: time('Close of the last candle before the gap') }))
    .optional()
    .describe('Starts of gaps in the candles; absent with trades'),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Configuration of the run, amounts as decimal text, without paths; absent with trades',
    ),
  protections: z.array(protection).describe('Active protections of the operator'),
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
