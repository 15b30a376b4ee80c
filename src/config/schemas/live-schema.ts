import path from 'node:path';
import { DAY_MS, MINUTE_MS, type AccountBalances } from '../../domain/index.js';
import { balancesSchema } from './balances-schema.js';
import { Reference } from './reference.js';
import {
  botName,
  decimalText,
  flag,
  mapping,
  pathText,
  wholeNumberSchema,
  word,
} from './scalars.js';

/** The `live` block: how a paper or live bot starts, watches itself and ends. */
export const liveSchema = mapping({
  journal: pathText('the path of a file')
    .optional()
    .meta({
      description:
        "File of the bot's journal; absent: NAME.journal beside this file. In paper mode, .paper is added before the extension.",
    })
    .transform(
      (written) =>
        new Reference(({ directory, name }) =>
          path.resolve(directory, written ?? `${name}.journal`),
        ),
    ),
  continues: botName().optional().meta({
    description:
      'Name of the bot whose journal this live bot continues, with its positions and orders; for a bot that was renamed.',
  }),
  onStop: word(['keep', 'cancel', 'flatten']).default('keep').meta({
    description:
      'Effect of stopping the bot. keep: orders and positions stay; cancel: cancels orders; flatten: also closes positions.',
  }),
  externalOrders: word(['refuse', 'ignore', 'claim']).default('refuse').meta({
    description:
      'Orders and positions that do not belong to this bot: refuse to start, ignore them, or claim them.',
  }),
  unverified: word(['refuse', 'accept']).default('refuse').meta({
    description:
      'Leverage and modes that the venue does not show: refuse to start, or accept them.',
  }),
  venueStops: word(['off', 'family', 'disaster']).default('off').meta({
    description:
      'Stops of contracts that rest at the venue. off: none; family: stop and take-profit of each position, if the venue can list and cancel triggers; disaster: one wide stop per position, never moved.',
  }),
  disasterDistance: decimalText({ above: '0', below: '1' }).prefault('0.2').meta({
    description:
      'Distance of the disaster stop from the entry price: "0.2" is 20 %. Closer if the position would be liquidated first.',
  }),
  orphans: word(['refuse', 'accept']).default('refuse').meta({
    description:
      'Entries on a side of a contract while the disaster stop of an earlier position there can still trigger.',
  }),
  stopBand: decimalText({ above: '0', below: '1' }).prefault('0.01').meta({
    description:
      'Distance of a contract price from a stop below which the bot samples last as well as mark: "0.01" is 1 % of the level.',
  }),
  guard: word(['on', 'off']).default('on').meta({
    description:
      "Whether a second process guards the bot's positions while the bot is dead or stuck, until its restart.",
  }),
  blindMargin: flag().default(false).meta({
    description:
      'Whether to trade margin although the venue shows no balance, debt or interest of it. The bot then derives them from its own fills, and counts debt plus a day of interest, also in backtests.',
  }),
  alignMs: wholeNumberSchema(0, MINUTE_MS).default(2_000).meta({
    description: 'How long candles of one close wait for late ones, in ms.',
  }),
  allocation: balancesSchema(['live', 'allocation'])
    .optional()
    .meta({
      description:
        "The bot's share of the account, in the form of simulation.balances; absent: those balances.",
    })
    .transform(
      (written) =>
        new Reference(
          (file): AccountBalances => (written ?? file.startingBalances)?.resolve(file) ?? {},
        ),
    ),
  staleAfterMs: wholeNumberSchema(1_000, DAY_MS).default(30_000).meta({
    description: "Largest delay of a stream's data; beyond it entries wait, in ms.",
  }),
  maxClockOffsetMs: wholeNumberSchema(1, DAY_MS).default(30_000).meta({
    description: 'Largest difference between the clocks of this machine and the venue, in ms.',
  }),
  loopStallMs: wholeNumberSchema(100, DAY_MS).default(5_000).meta({
    description: 'Largest delay of the process itself; beyond it entries wait, in ms.',
  }),
})
  .prefault({})
  .meta({ description: 'How a paper or live bot starts, watches itself and ends.' });
