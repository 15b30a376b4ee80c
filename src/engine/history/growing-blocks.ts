/** Rows of the first block are 2 to the power of this. */
const FIRST_BITS = 8;
const FIRST_ROWS = 1 << FIRST_BITS;

/**
 * Rows in blocks, each twice as long as the one before. A list that grows is copied as often as it doubles, and blocks that are all short are
 * copied while garbage is collected; long ones are not.
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
    if (index === this.#blocks.length) this.#blocks.push(this.#create(FIRST_ROWS << index));
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
  return row + FIRST_ROWS - (FIRST_ROWS << blockIndexOf(row));
}

function blockIndexOf(row: number): number {
  return 31 - FIRST_BITS - Math.clz32(row + FIRST_ROWS);
}
