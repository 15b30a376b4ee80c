/**
 * A bot from code in a process of its own, on a venue that the process which has started it is. In its arguments: its folder, and what time it is. Its time is
 * what it is told after that; each time it says how it is. Told to stop, it ends in order.
 */
import { runBot, type RunningBot } from 'evenkeel/run';
import { Grid, GRID } from '../contract/second-venue/grid.js';
import { linkToParent } from '../contract/second-venue/line-process.js';
import { lineVenue } from '../contract/second-venue/line-venue.js';
import { VirtualTime } from '../support/virtual-time.js';

/** What its owner tells it: what time it is, or to stop. */
export type OwnerMessage = { readonly to: number } | { readonly stop: true };

const [directory = '', now = ''] = process.argv.slice(2);
const time = new VirtualTime(Number(now));
const started: { bot?: RunningBot } = {};

// Whoever started it is gone: nobody would end it.
process.once('disconnect', () => process.exit());
process.on('message', (message: OwnerMessage | { readonly lines: unknown }) => {
  if ('to' in message) void time.advance(message.to - time.now()).then(tell);
  else if ('stop' in message) void started.bot?.stop('cancel');
});
tell();
const bot = await runBot({
  ...{ mode: 'live', config: GRID, strategy: Grid, directory, time },
  venue: lineVenue(linkToParent()),
});
started.bot = bot;
await bot.ended;
tell();
process.disconnect();

function tell(): void {
  process.send?.({ status: started.bot?.status() ?? null });
}
