/** Most combinations of a chunk: what goes through the queue per chunk is then little beside its runs. */
export const MOST_PER_CHUNK = 100;
/** Pieces that what is left is cut into at least, for each thread of a worker that is there: none waits long for the last one. */
const PIECES_PER_THREAD = 4;
const FEWEST_PIECES = 16;

/**
 * How many combinations go into one chunk.
 *
 * `open`: combinations that are asked for and have not come back; `threads`: of all workers.
 */
export function chunkSize({
  open,
  threads,
}: {
  readonly open: number;
  readonly threads: number;
}): number {
  const pieces = Math.max(FEWEST_PIECES, PIECES_PER_THREAD * threads);
  return Math.min(MOST_PER_CHUNK, Math.max(1, Math.ceil(open / pieces)));
}
