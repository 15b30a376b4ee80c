import { nounOf, visibleText } from '../../domain/index.js';
import type { ChunkCounts, QueuedSearchProgress, WorkerState } from '../../queue/index.js';
import { countText } from '../../report/index.js';
import { describeRest } from '../sweep/sweep-progress.js';

export interface SearchStatus {
  readonly name: string;
  readonly priority: number;
  /** Null if the announced text is no valid search. */
  readonly strategy: string | null;
  /** Hash of the plugin. */
  readonly plugin: string | null;
  readonly isSigned: boolean;
  readonly hasCoordinator: boolean;
  readonly progress: QueuedSearchProgress | null;
  readonly chunks: ChunkCounts;
  /** Reasons why workers do not serve the search, by worker. */
  readonly refusals: Readonly<Record<string, string>>;
}

/** The content of `queue status`, as text and as JSON. */
export interface QueueStatus {
  readonly queue: string;
  /** In the order in which they are served. */
  readonly searches: readonly SearchStatus[];
  readonly workers: readonly (WorkerState & { readonly name: string })[];
}

/** Describes a queue for reading. Text that others wrote to the queue cannot control the terminal. */
export function renderQueueStatus({ queue, searches, workers }: QueueStatus): string {
  const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
  const lines = [
    `${queue}: ${counted(searches.length, 'search', 'searches')}, ${counted(workers.length, 'worker')} with ${counted(threads, 'thread')}`,
    ...searches.flatMap((search) => describeSearch(search, workers)),
    ...(workers.length === 0 ? [] : ['', 'Workers']),
    ...workers.map(
      ({ name, threads: own, search }) =>
        `  ${name}  ${counted(own, 'thread')}, ${search === null ? 'waits' : `serves ${search}`}`,
    ),
  ];
  return `${lines.map(visibleText).join('\n')}\n`;
}

function describeSearch(
  {
    name,
    priority,
    strategy,
    plugin,
    isSigned,
    hasCoordinator,
    progress,
    chunks,
    refusals,
  }: SearchStatus,
  workers: QueueStatus['workers'],
): readonly string[] {
  const serving = workers.filter(({ search }) => search === name).length;
  return [
    '',
    `Search ${name}  ${strategy ?? 'no valid search'}, priority ${String(priority)}, ${counted(serving, 'worker')}${hasCoordinator ? '' : ', no coordinator'}`,
    ...(progress === null ? [] : [`  Progress  ${describeProgress(progress)}`]),
    `  Chunks    ${countText(chunks.waiting)} waiting, ${countText(chunks.active)} running, ${countText(chunks.completed)} completed, ${countText(chunks.failed)} failed`,
    ...(plugin === null ? [] : [`  Plugin    ${plugin}, ${isSigned ? 'signed' : 'not signed'}`]),
    ...Object.entries(refusals).map(([worker, why]) => `  Refused   by ${worker}: ${why}`),
  ];
}

function describeProgress({ done, total, failed, leftMs }: QueuedSearchProgress): string {
  const parts = [`${countText(done)} of ${countText(total)} ${nounOf(total, 'combination')}`];
  if (failed > 0) parts.push(`${countText(failed)} failed`);
  if (leftMs !== null) parts.push(`${describeRest(leftMs)} left`);
  return parts.join(', ');
}

function counted(count: number, one: string, many?: string): string {
  return `${countText(count)} ${nounOf(count, one, many)}`;
}
