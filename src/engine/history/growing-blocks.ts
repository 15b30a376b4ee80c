/** The first block has 2 to the power of this many rows. */
const FIRST_BITS = 8;
const FIRST_ROWS = 1 << FIRST_BITS;
/** The longest blocks have 2 to the power of this many rows. */
const MOST_BITS = 12;
/** Total rows of the blocks that double in length. Every later block is as long as the last of these. */
const GROWING_ROWS = (2 << MOST_BITS) - FIRST_ROWS;
const GROWING_BLOCKS = MOST_BITS - FIRST_BITS + 1;

/**
 * Rows in blocks. Each block is twice as long as the one before, up to 4,096 rows. A plain list would be copied at each doubling. Blocks without
 * an upper limit would leave up to half of their memory unused, and allocated memory is the cause of full garbage collections.
 */
export class GrowingBlocks<Block> {
  readonly #create: (first: number, rows: number) => Block;
  #blocks: Block[] = [];
  /** Number of rows that the blocks have room for. */
  #room = 0;
  /** Number of rows that have been added. */
  length = 0;

  /** `create` makes the block of `rows` rows that begins with row `first`. */
  constructor(create: (first: number, rows: number) => Block) {
    this.#create = create;
  }

  /** Adds a row, whose number is the {@link length} before, and returns its block. */
  add(): Block {
    if (this.length === this.#room) {
      const rows = FIRST_ROWS << Math.min(this.#blocks.length, GROWING_BLOCKS - 1);
      this.#blocks.push(this.#create(this.#room, rows));
      this.#room += rows;
    }
    this.length += 1;
    return this.#blocks[this.#blocks.length - 1] as Block;
  }

  /**
   * The block of a row that has been added. There is no branch for rows behind the growing blocks: V8 would first meet it late in a run, and would then
   * drop its optimized code for rows.
   */
  blockOf(row: number): Block {
    const doubled = 31 - FIRST_BITS - Math.clz32(Math.min(row, GROWING_ROWS - 1) + FIRST_ROWS);
    const behind = Math.max(row - GROWING_ROWS, -1) >> MOST_BITS;
    return this.#blocks[doubled + 1 + behind] as Block;
  }

  clear(): void {
    this.#blocks = [];
    this.#room = 0;
    this.length = 0;
  }
}
