import { z } from 'zod';

import { ORDER_CAUSES } from '../../domain/index.js';
import { amount, count, ratio, text, time } from '../schema-parts.js';
import { BREAKDOWN_KINDS } from './breakdown-kinds.js';

const end = z.object({
  time: time(
    'First fill of an entry, last fill of an exit; the start of the run for what was held then',
  ),
  price: amount(
    'Average of the fills; harmonic of inverse contracts; null where nothing was traded',
  ).nullable(),
  quantity: amount('Base less a fee paid in base, or contracts'),
  fills: z
    .array(z.int().nonnegative())
    .describe('Places in fills, counted from 0, in order of time'),
  label: z.string().nullable().describe('Of the first fill of an entry, of the last of an exit'),
  cause: z.enum(ORDER_CAUSES).nullable().describe('As label'),
});

/** One trade of a result: one instrument and side, from flat to flat. Money in the equity currency. */
export const tradeSchema = z.object({
  instrument: text('Instrument, for example spot:BTCUSDT'),
  side: z.enum(['long', 'short']),
  open: z.boolean().describe('Whether something of it was still held at the end of the run'),
  entry: end,
  exit: end.nullable().describe('Null where nothing was closed'),
  duration: count(
    'From the first fill to the last, or to the end of the run while it is open; milliseconds',
  ),
  gross: amount('Profit before costs, of an open trade with what is held valued at the end'),
  fees: amount('Fees of all its fills; negative when received'),
  funding: amount('Funding of its position; negative when received'),
  interest: amount('Interest of its position'),
  profit: amount('gross − fees − funding − interest'),
  return: ratio('profit ÷ what was opened in all, at its prices'),
  mae: amount(
    'Largest loss before costs while it was held, 0 or below: at the prices of its fills, and of the candles during which what is held stayed the same',
  ),
  mfe: amount('Largest profit before costs, as mae; 0 or above'),
  arrival: amount(
    'Price that stood when the first order of the entry was sent: last of a worked intent, else the close of the last candle known; null where neither is known',
  ).nullable(),
  shortfall: amount(
    'What its fills cost beyond the prices that stood when their orders were sent, fees left out: positive when it cost; null where one of these is not known',
  ).nullable(),
  intents: z.array(z.int().nonnegative()).describe('Intents that its fills served, each once'),
});

/** How the trades add up to the change of equity. */
export const tradeTotalsSchema = z.object({
  closed: amount('Σ profit of closed trades'),
  open: amount('Σ profit of open trades'),
  dust: amount(
    'What is left below one step, at the last price, less what it cost to buy and to hold',
  ),
  insurance: amount('Losses beyond the margin that the venue paid'),
  other: amount(
    'The rest of final − initial equity: what balances in other assets gained or lost by their own price, and fees that nothing values; 0 where all money is in the equity currency',
  ),
});

/** Money that came or went without a trade. */
export const flowSchema = z.object({
  time: time('When it was booked'),
  kind: z
    .enum(['funding', 'interest', 'deposit', 'withdrawal'])
    .describe('Funding and interest are costs; what is paid in or out is no profit'),
  instrument: z.string().nullable().describe('Null where it is of no instrument'),
  side: z.enum(['long', 'short']).nullable(),
  amount: amount('In the equity currency; positive when received'),
});

/** Sum of closed trades that share a key. */
export const breakdownSchema = z.object({
  by: z
    .enum(BREAKDOWN_KINDS)
    .describe('Label of the entry, cause of the exit; weekday, hour and month of the entry, UTC'),
  key: z.string().describe('What they have in common; empty where a trade has none'),
  trades: count('How many'),
  wins: count('How many with a profit above 0'),
  gross: amount('Σ gross'),
  fees: amount('Σ fees'),
  funding: amount('Σ funding'),
  interest: amount('Σ interest'),
  profit: amount('Σ profit'),
});

/** Holding one instrument over the run, without costs. */
export const benchmarkSchema = z.object({
  instrument: text('What was held'),
  totalReturn: ratio('Last close ÷ first open − 1'),
  excessReturn: ratio('statistics.totalReturn − that of the benchmark'),
  beta: ratio(
    'Covariance of the daily returns ÷ variance of those of the benchmark (n − 1); null with fewer than 30 of them, or where they are all equal',
  ),
  correlation: ratio('Of the daily returns; null as beta'),
  curve: z
    .array(z.tuple([time('Instant'), amount('Price')]))
    .describe('First open, then closes at the day ends of the equity curve'),
});
