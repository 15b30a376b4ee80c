/**
 * A bot from code in a process of its own. Its venue is the parent process. Arguments: its folder and the time. Later messages of the parent move its time, and
 * the bot answers each with its status. After `stop`, it ends in order.
 */
import { runBot, type RunningBot } from 'evenkeel/run';
import { Grid, GRID } from '../contract/second-venue/grid.js';
import { linkToParent } from '../contract/second-venue/line-process.js';
import { lineVenue } from '../contract/second-venue/line-venue.js';
import { VirtualTime } from '../support/virtual-time.js';

/** Messages of the parent: the new time, or to stop. */
export type OwnerMessage = { readonly to: number } | { readonly stop: true };

const [directory = '', now = ''] = process.argv.slice(2);
const time = new VirtualTime(Number(now));
const started: { bot?: RunningBot } = {};

// Without its parent, no other process would end it.
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
