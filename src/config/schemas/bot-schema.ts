import { z } from 'zod';
import type { Asset } from '../../domain/index.js';
import { instrumentSchema } from './instrument-schema.js';
import { liveSchema } from './live-schema.js';
import { filePath, Reference, type Resolved } from './reference.js';
import { PROTECTION_NAMES, protectionShape } from './protection-schema.js';
import { botName, decimalText, mapping, refuseRepeats, rename, text, word } from './scalars.js';
import { simulationSchema } from './simulation-schema.js';
import { suggestAsset } from '../problems/suggest-value.js';
import type { VenueModels } from './venue-models.js';
import { venueSchema } from './venue-schema.js';

const ASSET_TEXT = 'an asset such as USDT';

const strategySchema = mapping({
  path: filePath('the path of a plugin').meta({
    description: 'Plugin to run, a .ts, .js or .mjs file; relative to this file.',
  }),
  export: text('the name of an exported class', /^[A-Za-z_$][\w$]*$/)
    .optional()
    .meta({ description: 'Name of the exported class, if the plugin exports several.' }),
  parameters: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], { error: 'a number, text, true or false' }),
      { error: 'a mapping' },
    )
    .prefault({})
    .meta({ description: "Values of the strategy's parameters; absent ones have their default." }),
}).meta({ description: 'The strategy of the bot.' });

const riskSchema = mapping({
  marketBand: decimalText({ above: '0', below: '1' }).prefault('0.05').meta({
    description:
      'Largest distance from the last price at which a LIMIT order sent in place of a market order may fill: "0.05" is 5 %.',
  }),
  tooLarge: mapping({
    entries: word(['refuse', 'clamp', 'split'])
      .default('refuse')
      .meta({ description: 'Handling of an entry above a maximum of the venue.' }),
    exits: word(['refuse', 'clamp', 'split'])
      .default('split')
      .meta({ description: 'Handling of an exit above a maximum of the venue.' }),
  })
    .prefault({})
    .meta({ description: 'Handling of orders above a maximum of the venue.' }),
  dust: word(['sweep', 'leave', 'warn'])
    .default('sweep')
    .meta({ description: 'Handling of a remainder too small to sell alone.' }),
  liquidationWarning: decimalText({ above: '0', below: '1' }).prefault('0.2').meta({
    description:
      'Distance between mark and liquidation price of a contract below which a live bot warns its operator: "0.2" is 20 % of the mark.',
  }),
  ...protectionShape,
})
  .transform(({ marketBand, tooLarge, dust, liquidationWarning, ...protections }) => ({
    marketBand,
    tooLarge,
    dust,
    liquidationWarning,
    protections: rename(protections, PROTECTION_NAMES),
  }))
  .prefault({})
  .meta({ description: "How intents become orders, and the operator's protections." });

const warmUpSchema = mapping({
  length: word(['converged', 'lookback']).default('converged').meta({
    description:
      'Candles loaded from before the start. converged: until the initial values of indicators weigh less than 1e-9, or all available candles; lookback: until indicators have values.',
  }),
  incomplete: word(['wait', 'begin']).default('wait').meta({
    description:
      'Handling of missing warm-up candles in a paper or live bot. wait: no entries until they arrive; begin: trade at once. Exits and stops never wait. A backtest begins, and warns.',
  }),
})
  .prefault({})
  .meta({ description: 'Warm-up before trading, the same in every mode.' });

const instrumentsSchema = z
  .array(instrumentSchema, { error: 'a list of instruments' })
  .min(1, { error: 'at least one instrument' })
  .superRefine((instruments, context) => {
    const ids = instruments.map(({ instrumentId }) => instrumentId);
    refuseRepeats(context, ids, { expected: 'each instrument once' });
  })
  .meta({ description: 'Traded instruments. Candles of one instant arrive in this order.' });

const equityCurrencySchema = text(ASSET_TEXT, /^[A-Za-z0-9]{1,20}$/)
  .optional()
  .meta({
    description: 'Currency of equity; required only if the instruments have several quotes.',
  })
  .transform(
    (written) =>
      new Reference(({ instruments, problem }): Asset => {
        const quotes = [...new Set(instruments.map(({ quote }) => quote))];
        if (written === undefined && quotes.length > 1) {
          problem(
            ['equityCurrency'],
            `one of ${quotes.join(', ')}, because the instruments have several quotes`,
            { code: 'E_CONFIG_MISSING' },
          );
        }
        const suggestion = written === undefined ? undefined : suggestAsset(written, instruments);
        if (suggestion !== undefined)
          problem(['equityCurrency'], 'an asset of the instruments', {
            code: 'E_CONFIG_VALUE',
            suggestion,
          });
        return written ?? quotes[0] ?? '';
      }),
  );

/**
 * The YAML file of a bot, and the only declaration of its keys: types, JSON Schema and docs are made from it. The input is what a user writes.
 * The output is what assembly takes, with defaults, exact amounts and instants, after {@link resolveReferences}.
 */
export const botSchema = mapping({
  version: z
    .literal(1, { error: 'version 1' })
    .default(1)
    .meta({ description: "Version of this file's shape." }),
  name: botName().meta({ description: 'Name of the bot.' }),
  strategy: strategySchema,
  instruments: instrumentsSchema,
  equityCurrency: equityCurrencySchema,
  risk: riskSchema,
  warmUp: warmUpSchema,
  simulation: simulationSchema.optional(),
  venue: venueSchema.optional(),
  live: liveSchema,
});

/** A bot as a user writes it: the shape of its YAML file. Amounts and rates are decimal text. */
export type BotDescription = Written<z.input<typeof botSchema>>;

type Written<T> = T extends string | number | boolean | undefined
  ? T
  : { readonly [Key in keyof T]: Written<T[Key]> };

/** One bot as its file describes it, fully parsed. The command chooses the mode; no key says live or backtest. */
export type BotConfig = Resolved<z.output<typeof botSchema>>;

/** Name of an environment variable, or absolute path of a file with mode 0600. */
export type ConfiguredSecret = NonNullable<NonNullable<BotConfig['venue']>['key']>;

/** `models`: objects from a program. A file cannot hold them. */
export type SimulationConfig = NonNullable<BotConfig['simulation']> & {
  readonly models?: VenueModels | undefined;
};

/** A bot that can be backtested: it has a `simulation` block. */
export type BacktestConfig = BotConfig & { readonly simulation: SimulationConfig };

/** A bot that can trade at a venue, on paper or live. Its `simulation` block gives the terms that the venue does not give. */
export type SessionConfig = BacktestConfig & { readonly venue: NonNullable<BotConfig['venue']> };
