import { z } from 'zod';
import {
  DomainError,
  HALT_ACTIONS,
  parseDuration,
  type Asset,
  type Fixed,
} from '../domain/index.js';
import { byInstrument, Reference } from './reference.js';
import {
  decimalText,
  duration,
  mapping,
  parsedText,
  rename,
  wholeNumberSchema,
  word,
} from './scalars.js';

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
    .array(
      word(WEEKDAYS).transform((day) => WEEKDAYS.indexOf(day)),
      { error: 'a list of days' },
    )
    .min(1, { error: 'at least one day' })
    .meta({ description: 'Days on which the window opens.' }),
  from: clock('When it opens, UTC.'),
  to: clock('When it closes, UTC; not after from: on the next day.').refine(
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
            { code: 'E_CONFIG_KEY', received: JSON.stringify(name) },
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
  maxTotalNotional: money('All positions together, long and short added up.'),
  maxAssetExposure: optional(
    assetExposure,
    'Net money in one base asset, over all its instruments.',
  ),
  maxNetExposure: money('Net money in all positions, long less short.'),
  maxLeverage: money('All positions together as a multiple of equity.'),
  maxMarginUse: ratio('Initial margin of futures as a share of equity.'),
  maxOpenPositions: count('Instruments held or being opened at once.'),
  maxOpenOrders: count('Orders at work per instrument.'),
  maxTotalOpenOrders: count('Orders at work in all.'),
  priceBand: optional(
    mapping({
      last: ratio('Limit prices, from last: "0.05" is 5 % either way.'),
      mark: ratio('Prices, from mark: "0.05" is 5 % either way.'),
    }),
    'How far a price may be from the market.',
  ),
  maxPriceAge: pause('Age above which the last price is too old to trade on.'),
  maxOrdersPerMinute: count('Orders of any kind in 60 s.'),
  maxOrdersPerDay: count('Orders of any kind since resetHour.'),
  minEntryInterval: pause('From one entry order to the next, per instrument.'),
  cooldownAfterStop: pause('From a stop to the next entry, per instrument.'),
  tradingHours: optional(
    z.array(tradingHours, { error: 'a list of windows' }).min(1, { error: 'at least one window' }),
    'Windows in which entries are allowed.',
  ),
  fundingBlock: optional(
    mapping({
      before: duration().meta({ description: 'How long before a funding time.' }),
      after: duration().meta({ description: 'How long after it.' }),
    }).transform((written) => rename(written, { before: 'beforeMs', after: 'afterMs' })),
    'No entries around the funding times of a contract.',
  ),
  maxDailyLoss: money('Equity lost since resetHour that halts until the next.'),
  maxDailyLossRatio: ratio('The same as a share of the equity at resetHour.'),
  maxDrawdown: money('Equity below its highest that halts for haltFor.'),
  maxDrawdownRatio: ratio('The same as a share of that highest.'),
  drawdownWindow: pause('How far back the highest is looked for; absent: to the start.'),
  maxConsecutiveLosses: count('Trades lost in a row that halt for haltFor.'),
  haltFor: pause('How long a drawdown or lost trades halt; absent: until resumed.'),
  resetHour: optional(wholeNumberSchema(0, 23), 'UTC hour at which a day begins; absent: 0.'),
  onHalt: optional(
    word(HALT_ACTIONS),
    'Besides refusing entries, a halt does nothing (block, where absent), cancels working entries, or flattens.',
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
