import path from 'node:path';
import { DAY_MS, MINUTE_MS, type AccountBalances } from '../domain/index.js';
import { balancesSchema } from './balances-schema.js';
import { Reference } from './reference.js';
import { decimalText, flag, mapping, text, wholeNumberSchema, word } from './scalars.js';

/** The `live` block: how a paper or live bot starts, watches itself and ends. */
export const liveSchema = mapping({
  journal: text('the path of a file', /\S/)
    .optional()
    .meta({
      description:
        'Where a bot records itself; absent: NAME.journal beside this file. On paper .paper goes before the ending.',
    })
    .transform(
      (written) =>
        new Reference(({ directory, name }) =>
          path.resolve(directory, written ?? `${name}.journal`),
        ),
    ),
  onStop: word(['keep', 'cancel', 'flatten']).default('keep').meta({
    description:
      'What a stop does: keep leaves everything, cancel withdraws orders, flatten leaves positions too.',
  }),
  externalOrders: word(['refuse', 'ignore', 'claim']).default('refuse').meta({
    description:
      'Orders and positions that are not of this bot: refuse to start, ignore them, or claim them.',
  }),
  unverified: word(['refuse', 'accept']).default('refuse').meta({
    description:
      'Leverage and modes that the venue does not show: refuse to start, or accept them.',
  }),
  venueStops: word(['off', 'family', 'disaster']).default('off').meta({
    description:
      'Which stops of contracts are handed to the venue: off none; family stop and take-profit of each position, where the venue lists and cancels triggers; disaster one wide stop per position, never moved.',
  }),
  disasterDistance: decimalText({ above: '0', below: '1' }).prefault('0.2').meta({
    description:
      'How far from the entry price venueStops: disaster places its stop: "0.2" is 20 %; nearer where the position would be liquidated before.',
  }),
  orphans: word(['refuse', 'accept']).default('refuse').meta({
    description:
      'Entries on a side of a contract while the disaster stop of an earlier position there can fire.',
  }),
  stopBand: decimalText({ above: '0', below: '1' }).prefault('0.01').meta({
    description:
      'How near the price of a contract has to be to the level of a stop for last to be sampled instead of the mark alone: "0.01" is 1 % of the level.',
  }),
  guard: word(['on', 'off']).default('on').meta({
    description:
      'Whether a second process guards what the bot holds when the bot is dead or stuck, until it is started again.',
  }),
  blindMargin: flag().default(false).meta({
    description:
      'Whether margin is traded, though the venue shows no balance, debt or interest of it: they are counted by own executions, and what is owed counts with a day of interest on top, in backtests too.',
  }),
  alignMs: wholeNumberSchema(0, MINUTE_MS).default(2_000).meta({
    description: 'How long the candles of one close wait for the late ones, in ms.',
  }),
  allocation: balancesSchema(['live', 'allocation'])
    .optional()
    .meta({
      description: "What of the account is the bot's, as simulation.balances; absent: those.",
    })
    .transform(
      (written) =>
        new Reference(
          (file): AccountBalances => (written ?? file.startingBalances)?.resolve(file) ?? {},
        ),
    ),
  staleAfterMs: wholeNumberSchema(1_000, DAY_MS).default(30_000).meta({
    description: 'How late the data of a stream may be before entries wait, in ms.',
  }),
  maxClockOffsetMs: wholeNumberSchema(1, DAY_MS).default(30_000).meta({
    description: "How far this machine's clock may be from the venue's, in ms.",
  }),
  loopStallMs: wholeNumberSchema(100, DAY_MS).default(5_000).meta({
    description: 'How late the process itself may be before entries wait, in ms.',
  }),
})
  .prefault({})
  .meta({ description: 'How a paper or live bot starts, watches itself and ends.' });
