import { z } from 'zod';
import { DAY_MS, formatUtc, MINUTE_MS } from '../../domain/index.js';
import type { FeeChange } from '../../simulator/index.js';
import { balancesSchema } from './balances-schema.js';
import { futuresSchema, marginSchema } from './derivative-schema.js';
import { byInstrument, filePath, Reference } from './reference.js';
import {
  addProblem,
  duration,
  flag,
  mapping,
  rename,
  text,
  utcTime,
  wholeNumberSchema,
  word,
} from './scalars.js';
import { suggestName } from '../problems/suggest-value.js';
import { feeRates, fillTerms, refuseLargeRebate, rulesBySymbol } from './trading-terms.js';

const feeChangeSchema = mapping({
  from: utcTime().meta({ description: 'Start of these rates (UTC).' }),
  symbol: text('a symbol of the instruments', /\S/)
    .optional()
    .meta({ description: 'Instrument; absent: all.' }),
  maker: feeRates.maker.meta({ description: 'As fees.maker.' }),
  taker: feeRates.taker.meta({ description: 'As fees.taker.' }),
}).superRefine(refuseLargeRebate);

/** Fee rates that apply from a later time, or to one instrument, with their symbols resolved. */
const feeChangesSchema = z
  .array(feeChangeSchema, { error: 'a list of changes' })
  .prefault([])
  .meta({ description: 'Rates that replace these from a given time, or for one instrument.' })
  .transform(
    (changes) =>
      new Reference(({ instruments, problem }): readonly FeeChange[] => {
        const starts = new Set<string>();
        const add = (change: FeeChange, index: number): FeeChange => {
          const start = `${formatUtc(change.from)} of ${change.instrumentId ?? 'all instruments'}`;
          if (starts.has(start))
            problem(['simulation', 'fees', 'changes', index, 'from'], 'one rate from each start', {
              code: 'E_CONFIG_DUPLICATE',
              received: `${start} a second time`,
            });
          starts.add(start);
          return change;
        };
        return changes.flatMap(({ symbol, ...rates }, index): readonly FeeChange[] => {
          if (symbol === undefined) return [add({ ...rates, instrumentId: undefined }, index)];
          const named = instruments.filter(
            ({ instrumentId, symbol: own }) => symbol === instrumentId || symbol === own,
          );
          if (named.length === 0) {
            const symbols = instruments.map((each) => each.symbol);
            problem(
              ['simulation', 'fees', 'changes', index, 'symbol'],
              `one of the configured instruments ${symbols.join(', ')}`,
              { code: 'E_CONFIG_VALUE', suggestion: suggestName(symbol, symbols) },
            );
          }
          return named.map(({ instrumentId }) => add({ ...rates, instrumentId }, index));
        });
      }),
  );

const wholeMs = (): z.ZodType<number, number> => wholeNumberSchema(0, DAY_MS);

const latencySchema = z
  .union(
    [
      wholeMs(),
      mapping({
        min: wholeMs().meta({ description: 'Shortest, in ms.' }),
        max: wholeMs().meta({ description: 'Longest, in ms.' }),
      }).superRefine(({ min, max }, context) => {
        if (min > max)
          addProblem(context, `at least min, ${String(min)}`, { code: 'E_CONFIG_VALUE' }, ['max']);
      }),
    ],
    { error: `a whole number from 0 to ${String(DAY_MS)}, or min and max` },
  )
  .transform((value) => (typeof value === 'number' ? { min: value, max: value } : value));

/** The `simulation` block: the data of a backtest, and the behavior of the simulated venue. */
export const simulationSchema = mapping({
  archive: filePath('the path of a folder').meta({
    description: 'Folder of stored candles; relative to this file.',
  }),
  from: utcTime().optional().meta({
    description:
      'Start (UTC): the run covers candles that open at or after it; absent: start of the data.',
  }),
  to: utcTime().optional().meta({
    description:
      'End (UTC): the run covers candles that close at or before it; absent, or after the data: end of the data.',
  }),
  balances: balancesSchema(['simulation', 'balances']).meta({
    description: 'Initial balances. With several products, by account, such as futures:USDT.',
  }),
  fees: mapping({
    ...feeRates,
    paidIn: word(['received', 'quote'])
      .default('received')
      .meta({ description: 'received: a buy pays in base, a sell in quote; quote: always quote.' }),
    changes: feeChangesSchema,
  })
    .superRefine(refuseLargeRebate)
    .meta({ description: 'Fees of the venue.' }),
  ...fillTerms,
  spreadBps: fillTerms.spreadBps.prefault('0'),
  remainder: word(['cancel', 'resend'])
    .default('cancel')
    .meta({ description: 'Handling of the remaining quantity of a MARKET or IOC order.' }),
  latencyMs: latencySchema.prefault(0).meta({
    description:
      'Time from the decision to the arrival of a command, in ms; from a range, values are drawn evenly.',
  }),
  cancelLatencyMs: latencySchema
    .optional()
    .meta({ description: 'As latencyMs, for cancels; absent: the same as latencyMs.' }),
  dataDelayMs: wholeNumberSchema(0, DAY_MS)
    .default(0)
    .meta({ description: "Time from a candle's close to its arrival at the engine, in ms." }),
  updatePollMs: wholeNumberSchema(1, 60 * MINUTE_MS)
    .default(2000)
    .meta({ description: 'Interval at which the engine receives updates of the venue, in ms.' }),
  stopPollMs: z
    .union([z.literal('auto'), wholeNumberSchema(1, 60 * MINUTE_MS)], {
      error: `auto, or a whole number from 1 to ${String(60 * MINUTE_MS)}`,
    })
    .default('auto')
    .meta({
      description:
        'Interval at which stops sample the last price, in ms; auto: as often as the rate limits of the venue allow a live bot with these instruments. In live, a number is the shortest time between two samples.',
    }),
  path: word(['nearest', 'high-first', 'low-first', 'finer'])
    .default('nearest')
    .meta({ description: 'Order in which the path of a candle reaches its extremes.' }),
  maxGap: duration()
    .optional()
    .meta({ description: 'Longest accepted gap in the candles, such as 3h.' }),
  closeAtEnd: flag()
    .default(false)
    .meta({ description: 'Whether to close positions at the last close.' }),
  seed: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)
    .default(1)
    .meta({ description: "Seed of the strategy's random numbers." }),
  rules: byInstrument(['simulation', 'rules'], rulesBySymbol)
    .prefault({})
    .meta({ description: 'Rules of the venue by symbol, if the archive has none.' }),
  futures: futuresSchema,
  margin: marginSchema,
})
  .superRefine(({ from, to }, context) => {
    if (from === undefined || to === undefined || from < to) return;
    const beside = ['simulation', 'from'];
    addProblem(context, 'an instant after simulation.from', { code: 'E_CONFIG_VALUE', beside }, [
      'to',
    ]);
  })
  .transform(({ fees: { changes, ...fees }, latencyMs, cancelLatencyMs, ...terms }) => ({
    ...rename(terms, { maxGap: 'maxGapMs' }),
    fees,
    feeChanges: changes,
    latency: { submit: latencyMs, cancel: cancelLatencyMs ?? latencyMs },
  }))
  .meta({ description: 'Data of a backtest, and behavior of the simulated venue.' });
