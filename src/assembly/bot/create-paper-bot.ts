import { divergenceError } from '../../journal/index.js';
import { paperSession, type LiveBot } from '../../live/index.js';
import { beginEngine } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { askVenue } from './journal/replay-journal.js';
import { PaperVenue } from './paper-venue.js';
import { prepareBot } from './prepare-bot.js';
import { marketOptions, wireBot } from './wire-bot.js';

/**
 * Makes a bot that trades on live market data at a simulated venue, from its configuration and its journal: a new bot warms up; a bot whose process ended is
 * replayed together with its venue, and continues. It runs once it is started. Nothing is sent that needs a key.
 *
 * @throws {ConfigError} when the configuration does not fit strategy or venue; {JournalError} as `openJournal`, `E_REPLAY_DIVERGED` when engine or simulated
 * venue do not repeat the journal; errors of the venue.
 */
export function createPaperBot(inputs: BotInputs): Promise<LiveBot> {
  const { config } = inputs;
  return prepareBot(inputs, (parts) =>
    wireBot(inputs, parts, async (onVerdict) => {
      let matching = new PaperVenue(config, parts.terms);
      const begun = await beginEngine(inputs, parts, {
        onVerdict,
        onFirst: () => {
          matching = new PaperVenue(config, parts.terms);
        },
        onEntry: (entry) => {
          const divergence = askVenue(matching, entry);
          if (divergence !== undefined) throw divergenceError(divergence);
        },
      });
      const { fundingIntervalMs } = config.simulation.futures;
      const market = marketOptions(inputs, begun);
      const { venue } = inputs.connection;
      const { gone } = parts;
      return {
        begun,
        openSession: paperSession({ ...market, venue, gone, matching, fundingIntervalMs }),
      };
    }),
  );
}
