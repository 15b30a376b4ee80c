/** Most combinations of a chunk: what goes through the queue per chunk is then little beside its runs. */
export const MOST_PER_CHUNK = 100;
/** The last chunks become no smaller than that, unless there are few combinations altogether. */
const FEWEST_PER_CHUNK = 10;
/** Pieces that what is left is cut into at least, for each thread of a worker that is there. */
const PIECES_PER_THREAD = 4;
const FEWEST_PIECES = 16;

export interface ChunkSizeOptions {
  /** Combinations that are asked for and have not come back. */
  readonly open: number;
  /** Of these, those that are in no chunk yet. */
  readonly left: number;
  /** Of all workers. */
  readonly threads: number;
}

/**
 * How many combinations go into the next chunk: a part of what is left, so that the last chunks are small and no thread waits long for the
 * last one.
 */
export function chunkSize({ open, left, threads }: ChunkSizeOptions): number {
  const pieces = Math.max(FEWEST_PIECES, PIECES_PER_THREAD * threads);
  const least = Math.min(FEWEST_PER_CHUNK, Math.ceil(open / pieces));
  return Math.min(MOST_PER_CHUNK, Math.max(1, least, Math.ceil(left / pieces)));
}
