import { UsageError } from '../../domain/index.js';
import { MOST_DESCRIBED, QueueRunner } from '../../queue/index.js';
import type { CliContext } from '../cli-context.js';
import type { TrialSetup } from '../sweep/trial-pool.js';
import { describeQueuedSearch } from './describe-inputs.js';
import { openQueue } from './queue-access.js';
import { queueClock } from './queue-clock.js';
import type { QueueUse } from './queue-place.js';

/**
 * Announces a search on a queue, and returns the runner of its combinations. `count`: expected number of combinations.
 *
 * @throws {DataError} `E_QUEUE_SERVER`; {UsageError} `E_QUEUE_DRIVER`.
 */
export async function startQueueRunner(
  { context, setup, count }: { context: CliContext; setup: TrialSetup; count: number },
  { address, seal, priority, waitMs, bot, ledger, synced }: QueueUse,
): Promise<QueueRunner> {
  const description = await describeQueuedSearch(bot, setup, ledger);
  const text = JSON.stringify(description);
  if (text.length > MOST_DESCRIBED)
    throw new UsageError(
      'E_USAGE',
      `expected a config and a plugin of at most ${String(MOST_DESCRIBED)} characters together, received ${String(text.length)}`,
    );
  const { server, board } = await openQueue(address, context);
  const say = (line: string): void => {
    context.stderr.write(`${line}\n`);
  };
  const search = await board.post(text, seal?.sign('search', text), priority);
  say(`search ${search} on ${address.shown}, priority ${String(priority)}`);
  if (seal === undefined)
    say(
      `the search is not signed: a worker runs it only if its --allow file lists the plugin's hash, ${description.plugin.hash}`,
    );
  return QueueRunner.start({
    ...{ server, board, search, seal, count, synced, waitMs, say },
    time: queueClock,
  });
}
