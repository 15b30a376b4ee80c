import { z } from 'zod';
import {
  DomainError,
  FUNDING_RATES_KNOWN,
  HOUR_MS,
  TierBook,
  type DatedTiers,
  type InstrumentId,
} from '../../domain/index.js';
import { byInstrument } from './reference.js';
import {
  addProblem,
  decimalText,
  duration,
  leverageText,
  mapping,
  rename,
  utcTime,
  word,
} from './scalars.js';

const tierSchema = mapping({
  maxValue: decimalText({ above: '0' })
    .meta({
      description:
        'Largest position value at mark of this tier, in the margin coin; absent in the last tier.',
    })
    .optional(),
  maxLeverage: leverageText().meta({ description: 'Largest leverage in this tier.' }),
  keepRate: decimalText({ min: '0', below: '1' }).meta({
    description: 'Maintenance margin as a ratio of the value: "0.005" is 0.5 %.',
  }),
}).transform(({ maxValue, ...tier }) => ({ maxValue, ...tier }));

/** Leverage tiers of one contract, and the time from which they apply. */
export const datedTiersSchema = mapping({
  from: utcTime()
    .optional()
    .meta({ description: 'Start of these tiers (UTC); absent: start of the data.' }),
  tiers: z
    .array(tierSchema, { error: 'a list of tiers' })
    .min(1, { error: 'at least one tier' })
    .meta({ description: 'Tiers, smallest positions first.' }),
});

/** Times between settlements that divide a day, so that they fall on the same hours every day. */
const fundingInterval = duration().superRefine((interval, context) => {
  if (interval > 0 && interval % HOUR_MS === 0 && (24 * HOUR_MS) % interval === 0) return;
  addProblem(context, 'a number of hours that divides a day, such as 8h', {
    code: 'E_CONFIG_VALUE',
  });
});

/** Lists of dated tiers by contract. Each list is checked with the class that the venue reads it with. */
const tiersSchema = z
  .record(
    z.string(),
    z
      .array(
        datedTiersSchema.transform(({ from = 0, tiers }): DatedTiers => ({ from, tiers })),
        { error: 'a list of dated tiers' },
      )
      .min(1),
    { error: 'a mapping of contracts to tiers' },
  )
  .superRefine((written, context) => {
    for (const [name, entries] of Object.entries(written)) {
      try {
        new TierBook().set(name as InstrumentId, entries);
      } catch (error: unknown) {
        if (!(error instanceof DomainError)) throw error;
        const received = `others (${error.message})`;
        addProblem(context, 'consistent tiers', { code: 'E_CONFIG_VALUE', received }, [name]);
      }
    }
  });

/** How contracts are settled and liquidated: keys that bots and the local exchange share. */
export const contractTerms = {
  fundingRateKnown: word(FUNDING_RATES_KNOWN).default('current').meta({
    description:
      'Funding rate that the venue shows: the rate of the current period, paid at its end, or the last settled rate.',
  }),
  maxFeeRate: decimalText({ min: '0', below: '1' })
    .prefault('0.0006')
    .meta({ description: 'Fee of forced orders, as a ratio of the value.' }),
};

/** The `simulation.futures` block. */
export const futuresSchema = mapping({
  positionMode: word(['hedge', 'oneWay']).default('hedge').meta({
    description: 'hedge: long and short at once; oneWay: one direction per contract.',
  }),
  fundingRate: decimalText({ above: '-1', below: '1' })
    .prefault('0.0001')
    .meta({ description: 'Rate per period if no rates are stored: "0.0001" is 0.01 %.' }),
  fundingInterval: fundingInterval
    .prefault('8h')
    .meta({ description: 'Time between settlements, from 00:00 UTC, if no rates are stored.' }),
  ...contractTerms,
  tiers: byInstrument(['simulation', 'futures', 'tiers'], tiersSchema)
    .prefault({})
    .meta({ description: 'Leverage tiers by contract, if the archive has none.' }),
})
  .transform((written) => rename(written, { fundingInterval: 'fundingIntervalMs' }))
  .prefault({})
  .meta({ description: 'How contracts are settled and liquidated.' });

/** The `margin` block of bots and of the local exchange. */
export const marginSchema = mapping({
  hourlyRate: decimalText({ min: '0', below: '1' })
    .prefault('0.00001')
    .meta({ description: 'Interest per hour as a ratio of the debt.' }),
})
  .prefault({})
  .meta({ description: 'Cost of borrowed assets.' });
