/** Rows of the first block are 2 to the power of this. */
const FIRST_BITS = 8;
const FIRST_ROWS = 1 << FIRST_BITS;
/** Rows of the longest are 2 to the power of this. */
const MOST_BITS = 12;
/** So many rows are in blocks of which each is twice as long as the one before; all after them are as long as the last. */
const GROWING_ROWS = (2 << MOST_BITS) - FIRST_ROWS;
const GROWING_BLOCKS = MOST_BITS - FIRST_BITS + 1;

/**
 * Rows in blocks, each twice as long as the one before, up to 4,096 rows. A list that grows is copied as often as it doubles; blocks that go on to
 * double leave up to half of their memory unused, and memory that is asked for is what has garbage collected in full.
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

  /** Adds a row, and returns its number. */
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

/** Without a branch for rows behind the growing blocks: it would be new to V8 when the first comes, which then throws away all code of the rows of a run. */
function blockIndexOf(row: number): number {
  return growthOf(row) + 1 + (Math.max(row - GROWING_ROWS, -1) >> MOST_BITS);
}

/** How often the block of a row is twice as long as the one before. */
function growthOf(row: number): number {
  return 31 - FIRST_BITS - Math.clz32(Math.min(row, GROWING_ROWS - 1) + FIRST_ROWS);
}
