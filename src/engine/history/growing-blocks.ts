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
  readonly #create: (rows: number) => Block;
  #blocks: Block[] = [];
  #length = 0;

  constructor(create: (rows: number) => Block) {
    this.#create = create;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a row and returns its number. */
  add(): number {
    const row = this.#length;
    const index = blockIndexOf(row);
    if (index === this.#blocks.length)
      this.#blocks.push(this.#create(FIRST_ROWS << Math.min(index, GROWING_BLOCKS - 1)));
    this.#length = row + 1;
    return row;
  }

  /** The block of a row that has been added. */
  blockOf(row: number): Block {
    return this.#blocks[blockIndexOf(row)] as Block;
  }

  clear(): void {
    this.#blocks = [];
    this.#length = 0;
  }
}

/** The place of a row within its block. */
export function placeOf(row: number): number {
  return (row + FIRST_ROWS) & ((FIRST_ROWS << growthOf(row)) - 1);
}

/** Has no branch for rows behind the growing blocks. V8 would first meet such a branch late in a run, and would then drop its optimized code for rows. */
function blockIndexOf(row: number): number {
  return growthOf(row) + 1 + (Math.max(row - GROWING_ROWS, -1) >> MOST_BITS);
}

/** How many doublings the row's block is above the length of the first block. */
function growthOf(row: number): number {
  return 31 - FIRST_BITS - Math.clz32(Math.min(row, GROWING_ROWS - 1) + FIRST_ROWS);
}
