/** Most combinations of a chunk. With so many, the traffic of a chunk is small beside the time of its runs. */
export const MOST_PER_CHUNK = 100;
/** The last chunks become no smaller than this, unless there are few combinations altogether. */
const FEWEST_PER_CHUNK = 10;
/** For each thread of the present workers, the remaining combinations are cut into at least this many pieces. */
const PIECES_PER_THREAD = 4;
const FEWEST_PIECES = 16;

interface ChunkSizeOptions {
  /** Number of combinations that were asked for and have not come back. */
  readonly open: number;
  /** Number of open combinations that are in no chunk yet. */
  readonly left: number;
  /** Number of threads of all workers. */
  readonly threads: number;
}

/**
 * Returns how many combinations go into the next chunk: a part of those that are left. So the last chunks are small, and threads do not
 * wait long for the last one.
 */
export function chunkSize({ open, left, threads }: ChunkSizeOptions): number {
  const pieces = Math.max(FEWEST_PIECES, PIECES_PER_THREAD * threads);
  const least = Math.min(FEWEST_PER_CHUNK, Math.ceil(open / pieces));
  return Math.min(MOST_PER_CHUNK, Math.max(1, least, Math.ceil(left / pieces)));
}
