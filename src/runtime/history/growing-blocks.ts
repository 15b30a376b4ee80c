/** Rows of the first block. */
const FIRST_ROWS = 256;

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
    if (index === this.#blocks.length) this.#blocks.push(this.#create(FIRST_ROWS * 2 ** index));
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
  return row - FIRST_ROWS * (2 ** blockIndexOf(row) - 1);
}

function blockIndexOf(row: number): number {
  return 31 - Math.clz32(Math.floor(row / FIRST_ROWS) + 1);
}
