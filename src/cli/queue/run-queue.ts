import { UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { openQueue, requireAddress, type OpenQueue } from './queue-access.js';
import type { AccessFlags } from './queue-options.js';
import { renderQueueStatus, type QueueStatus, type SearchStatus } from './render-status.js';

/** Runs `queue status`. */
export async function showStatus(
  flags: AccessFlags & { readonly json?: string },
  context: CliContext,
): Promise<void> {
  const { json } = flags;
  if (json !== undefined) await checkOutput(json, context);
  const status = await withQueue(flags, context, readStatus);
  if (json !== undefined)
    await writeOutput(json, `${JSON.stringify(status, undefined, 2)}\n`, context);
  if (json !== '-') context.stdout.write(renderQueueStatus(status));
}

/** Runs `queue drain`. */
export function drainSearch(
  search: string,
  flags: AccessFlags,
  context: CliContext,
): Promise<void> {
  return withQueue(flags, context, async ({ board }) => {
    await requireSearch(search, board);
    if (!(await board.hasCoordinator(search)))
      throw new UsageError(
        'E_QUEUE_SEARCH',
        `the search ${search} has no coordinator to take its results; queue cancel ${search} removes it`,
      );
    await board.drain(search);
    context.stdout.write(`search ${search}: running work finishes, nothing new starts\n`);
  });
}

/** Runs `queue cancel`. */
export function cancelSearch(
  search: string,
  flags: AccessFlags,
  context: CliContext,
): Promise<void> {
  return withQueue(flags, context, async ({ board }) => {
    await requireSearch(search, board);
    await board.remove(search);
    context.stdout.write(`search ${search} was canceled\n`);
  });
}

async function withQueue<T>(
  flags: AccessFlags,
  context: CliContext,
  use: (queue: OpenQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(await requireAddress(flags, context), context);
  try {
    return await use(queue);
  } finally {
    queue.server.close();
  }
}

/** @throws {UsageError} `E_QUEUE_SEARCH`. */
async function requireSearch(search: string, board: OpenQueue['board']): Promise<void> {
  if (await board.has(search)) return;
  const names = await board.names();
  throw new UsageError(
    'E_QUEUE_SEARCH',
    names.length === 0
      ? 'the queue has no search'
      : `expected a search of the queue, ${names.join(', ')}, received ${search}`,
  );
}

async function readStatus({ board, server }: OpenQueue): Promise<QueueStatus> {
  const workers = await board.workers();
  const searches: SearchStatus[] = [];
  for (const name of await board.names()) {
    const posted = await board.read(name);
    if (posted === undefined) continue;
    const { priority, description } = posted;
    searches.push({
      name,
      priority,
      strategy: description?.inputs.strategy ?? null,
      plugin: description?.plugin.hash ?? null,
      isSigned: posted.signature !== undefined,
      hasCoordinator: await board.hasCoordinator(name),
      progress: (await board.progressOf(name)) ?? null,
      chunks: await board.countChunks(name),
      refusals: Object.fromEntries(await board.refusals(name)),
    });
  }
  return {
    queue: server.address.shown,
    searches,
    workers: [...workers].map(([name, state]) => ({ name, ...state })),
  };
}
