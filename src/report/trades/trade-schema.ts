import { z } from 'zod';

import { ORDER_CAUSES } from '../../domain/index.js';
import {
  amountSchema as amount,
  countSchema as count,
  figureSchema as ratio,
  textSchema as someText,
  timeSchema as time,
} from '../result/schema-parts.js';
import { BREAKDOWN_KINDS } from './breakdown-kinds.js';

const end = z.object({
  time: time(
    'First fill of an entry, last fill of an exit; start of the run for a position held then',
  ),
  price: amount(
    'Average price of the fills; harmonic mean for inverse contracts; null without a fill',
  ).nullable(),
  quantity: amount('Base minus fees paid in base, or contracts'),
  fills: z.array(z.int().nonnegative()).describe('Indexes in fills, from 0, in order of time'),
  label: z
    .string()
    .nullable()
    .describe('Label of the first fill of an entry, or of the last fill of an exit'),
  cause: z.enum(ORDER_CAUSES).nullable().describe('Cause of the same fill as label'),
});

/** One trade of a result: one instrument and side, from flat to flat. Money in the equity currency. */
export const tradeSchema = z.object({
  instrument: someText('Instrument, for example spot:BTCUSDT'),
  side: z.enum(['long', 'short']),
  open: z.boolean().describe('Whether part of the position was still open at the end of the run'),
  entry: end,
  exit: end.nullable().describe('Null if nothing was closed'),
  duration: count(
    'From the first fill to the last, or to the end of the run if still open; milliseconds',
  ),
  gross: amount('Profit before costs; an open position is valued at the end of the run'),
  fees: amount('Fees of its fills; negative when received'),
  funding: amount('Funding of its position; negative when received'),
  interest: amount('Interest of its position'),
  profit: amount('gross − fees − funding − interest'),
  return: ratio(
    'profit ÷ value of its opening fills, each less a fee paid in base; of a position held at the start, its value then',
  ),
  mae: amount(
    'Maximum adverse excursion: largest loss before costs, ≤ 0. Uses the prices of its fills, and of candles during which the position did not change',
  ),
  mfe: amount(
    'Maximum favorable excursion: largest profit before costs, ≥ 0, from the same prices as mae',
  ),
  arrival: amount(
    'Price when the first order of the entry was sent: last for a worked intent, otherwise the close of the last known candle; null if unknown',
  ).nullable(),
  shortfall: amount(
    'Cost of its fills compared with the prices when their orders were sent, without fees; for inverse contracts that of their coins; positive is a cost; null if one of these prices is unknown',
  ).nullable(),
  intents: z.array(z.int().nonnegative()).describe('Intents of its fills, each once'),
});

/** How the trades add up to the change of equity. */
export const tradeTotalsSchema = z.object({
  closed: amount('Σ profit of closed trades'),
  open: amount('Σ profit of open trades'),
  dust: amount('Value of remainders below one step at the last price, minus their costs'),
  insurance: amount('Losses beyond the margin, paid by the venue'),
  other: amount(
    'Rest of final − initial equity: price changes of balances in other assets, base that buy-backs of shorts on margin brought beyond the debt (at the last price), and fees without a known price; 0 if all money is in the equity currency',
  ),
});

/** Money that came or went without a trade. */
export const flowSchema = z.object({
  time: time('Time it was booked'),
  kind: z
    .enum(['funding', 'interest', 'deposit', 'withdrawal'])
    .describe('Funding and interest are costs; deposits and withdrawals are not profit'),
  instrument: z.string().nullable().describe('Null if it belongs to no instrument'),
  side: z.enum(['long', 'short']).nullable(),
  amount: amount('In the equity currency; positive when received'),
});

/** Sum of closed trades that share a key. */
export const breakdownSchema = z.object({
  by: z
    .enum(BREAKDOWN_KINDS)
    .describe('Label of the entry, cause of the exit; weekday, hour and month of the entry, UTC'),
  key: z.string().describe('Common value of the trades; empty if a trade has none'),
  trades: count('Number of trades'),
  wins: count('Trades with a profit above 0'),
  gross: amount('Σ gross'),
  fees: amount('Σ fees'),
  funding: amount('Σ funding'),
  interest: amount('Σ interest'),
  profit: amount('Σ profit'),
});

/** Holding one instrument over the run, without costs. */
export const benchmarkSchema = z.object({
  instrument: someText('Held instrument'),
  totalReturn: ratio(
    'Last close ÷ price at the start − 1; that is the last close before the start, or the first open without one',
  ),
  excessReturn: ratio('statistics.totalReturn − totalReturn of the benchmark'),
  beta: ratio(
    "Covariance of the daily returns ÷ variance of the benchmark's (n − 1); null with fewer than 30 returns, or if all are equal",
  ),
  correlation: ratio('Correlation of the daily returns; null if beta is null'),
  curve: z
    .array(z.tuple([time('Instant'), amount('Price')]))
    .describe('Price at the start, then closes at the day ends of the equity curve'),
});
