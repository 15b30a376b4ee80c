import { z } from 'zod';
import {
  DomainError,
  HALT_ACTIONS,
  parseDuration,
  type Asset,
  type Fixed,
} from '../../domain/index.js';
import { byInstrument, Reference } from './reference.js';
import {
  decimalText,
  duration,
  mapping,
  parsedText,
  refuseRepeats,
  rename,
  wholeNumberSchema,
  word,
} from './scalars.js';
import { suggestAsset } from '../problems/suggest-value.js';

type Optional<Output, Input> = z.ZodExactOptional<z.ZodType<Output, Input>>;

const optional = <Output, Input>(
  schema: z.ZodType<Output, Input>,
  description: string,
): Optional<Output, Input> => schema.meta({ description }).exactOptional();

const money = (description: string): Optional<Fixed, string> =>
  optional(decimalText({ above: '0' }), description);
const ratio = (description: string): Optional<Fixed, string> =>
  optional(decimalText({ above: '0', max: '1' }), description);
const count = (description: string): Optional<number, number> =>
  optional(wholeNumberSchema(1, 1_000_000), description);
const pause = (description: string): Optional<number, string> =>
  optional(parsedText('a duration > 0 such as 90s, 15min, 3h or 2d', parsePause), description);

function parsePause(text: string): number {
  const pauseMs = parseDuration(text);
  if (pauseMs <= 0) throw new DomainError('E_DURATION', 'expected a duration > 0');
  return pauseMs;
}

/** In the order of the numbers that `ProtectionConfig` uses for weekdays. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const clock = (description: string): z.ZodType<number, string> =>
  parsedText('a time of day such as "08:00"', parseClock).meta({ description });

/** Minutes after midnight; 24:00 is the end of the day. */
function parseClock(text: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$|^24:00$/.exec(text);
  if (match === null) throw new DomainError('E_TIME', 'expected a time of day');
  return match[1] === undefined ? 1_440 : Number(match[1]) * 60 + Number(match[2]);
}

const tradingHours = mapping({
  days: z
    .array(word(WEEKDAYS), { error: 'a list of days' })
    .min(1, { error: 'at least one day' })
    .superRefine((days, context) => {
      refuseRepeats(context, days, { expected: 'each day once' });
    })
    .meta({ description: 'Weekdays on which the window opens.' })
    .transform((days) => days.map((day) => WEEKDAYS.indexOf(day))),
  from: clock('Time it opens, UTC.'),
  to: clock('Time it closes, UTC; on the next day if not after from.').refine(
    (minutes) => minutes > 0,
    { error: 'a time after "00:00"; the end of a day is "24:00"' },
  ),
});

/** Largest amounts by base asset of the instruments. */
const assetExposure = z
  .record(z.string(), decimalText({ above: '0' }), { error: 'a mapping of assets to amounts' })
  .transform(
    (written) =>
      new Reference(({ instruments, problem }): ReadonlyMap<Asset, Fixed> => {
        const bases = [...new Set(instruments.map(({ base }) => base))];
        for (const name of Object.keys(written)) {
          if (bases.includes(name)) continue;
          problem(
            ['risk', 'maxAssetExposure', name],
            `one of the assets that the instruments buy: ${bases.join(', ')}`,
            {
              code: 'E_CONFIG_KEY',
              received: JSON.stringify(name),
              suggestion: suggestAsset(name, instruments),
            },
          );
        }
        return new Map(Object.entries(written));
      }),
  );

/** Keys of the `risk` block that protect the operator. An absent key switches its protection off. */
export const protectionShape = {
  maxPositionQuantity: optional(
    byInstrument(
      ['risk', 'maxPositionQuantity'],
      z.record(z.string(), decimalText({ above: '0' }), {
        error: 'a mapping of symbols to amounts',
      }),
    ),
    'Largest position per instrument, in base or contracts.',
  ),
  maxPositionNotional: money('Largest position in one instrument, in the equity currency.'),
  maxOrderNotional: money('Largest entry order, in the equity currency.'),
  maxTotalNotional: money('Largest sum of all positions, long plus short.'),
  maxAssetExposure: optional(
    assetExposure,
    'Largest net exposure to one base asset, over all its instruments.',
  ),
  maxNetExposure: money('Largest net exposure of all positions, long minus short.'),
  maxLeverage: money('Largest sum of all positions as a multiple of equity.'),
  maxMarginUse: ratio('Largest initial margin of futures as a share of equity.'),
  maxOpenPositions: count('Most instruments held or being opened at once.'),
  maxOpenOrders: count('Most working orders per instrument.'),
  maxTotalOpenOrders: count('Most working orders in total.'),
  priceBand: optional(
    mapping({
      last: ratio('Largest distance of limit prices from last: "0.05" is 5 % either way.'),
      mark: ratio('Largest distance of prices from mark: "0.05" is 5 % either way.'),
    }),
    'Largest distance of a price from the market.',
  ),
  maxPriceAge: pause('Age above which the last price is too old to trade.'),
  maxOrdersPerMinute: count('Most orders of any kind in 60 s.'),
  maxOrdersPerDay: count('Most orders of any kind since resetHour.'),
  minEntryInterval: pause('Shortest time between entry orders, per instrument.'),
  cooldownAfterStop: pause('Shortest time between a stop and the next entry, per instrument.'),
  tradingHours: optional(
    z.array(tradingHours, { error: 'a list of windows' }).min(1, { error: 'at least one window' }),
    'Windows in which entries are allowed.',
  ),
  fundingBlock: optional(
    mapping({
      before: duration().meta({ description: 'Time before a funding time.' }),
      after: duration().meta({ description: 'Time after a funding time.' }),
    }).transform((written) => rename(written, { before: 'beforeMs', after: 'afterMs' })),
    'No entries around the funding times of a contract.',
  ),
  maxDailyLoss: money(
    'Loss of equity since resetHour that halts trading until the next resetHour.',
  ),
  maxDailyLossRatio: ratio('As maxDailyLoss, as a share of the equity at resetHour.'),
  maxDrawdown: money('Fall of equity below its peak that halts trading for haltFor.'),
  maxDrawdownRatio: ratio('As maxDrawdown, as a share of the peak.'),
  drawdownWindow: pause('Period of the peak; absent: since the start.'),
  maxConsecutiveLosses: count('Losing trades in a row that halt trading for haltFor.'),
  haltFor: pause('Length of a halt after a drawdown or losing trades; absent: until resumed.'),
  resetHour: optional(wholeNumberSchema(0, 23), 'UTC hour at which a day starts; absent: 0.'),
  onHalt: optional(
    word(HALT_ACTIONS),
    'Action of a halt besides refusing entries: block does nothing more, cancel cancels working entries, flatten closes positions; absent: block.',
  ),
};

/** Keys with another name in `ProtectionConfig`, which counts in ms. */
export const PROTECTION_NAMES = {
  maxPriceAge: 'maxPriceAgeMs',
  minEntryInterval: 'minEntryIntervalMs',
  cooldownAfterStop: 'cooldownAfterStopMs',
  drawdownWindow: 'drawdownWindowMs',
  haltFor: 'haltMs',
} as const;
