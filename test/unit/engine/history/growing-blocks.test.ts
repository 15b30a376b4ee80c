import { describe, expect, it } from 'vitest';

import { GrowingBlocks } from '../../../../src/engine/history/growing-blocks.js';

describe('GrowingBlocks', () => {
  it('gives each row its own place, in blocks that double up to 4,096 rows', () => {
    const sizes: number[] = [];
    const blocks = new GrowingBlocks((first, rows) => {
      sizes.push(rows);
      return { first, rows: new Int32Array(rows).fill(-1) };
    });
    const count = 20_000;
    const wrong: number[] = [];

    for (let row = 0; row < count; row += 1) {
      const isNext = blocks.length === row;
      const block = blocks.add();
      const isFree = block.rows[row - block.first] === -1;
      if (!isNext || !isFree || blocks.blockOf(row) !== block) wrong.push(row);
      block.rows[row - block.first] = row;
    }

    expect(wrong).toEqual([]);
    const kept = Array.from({ length: count }, (_, row) => {
      const { first, rows } = blocks.blockOf(row);
      return rows[row - first];
    });
    expect(kept).toEqual(Array.from({ length: count }, (_, row) => row));
    expect(blocks.length).toBe(count);
    expect(sizes).toEqual([256, 512, 1_024, 2_048, 4_096, 4_096, 4_096, 4_096]);
  });

  it('starts again from row 0 after clear()', () => {
    const blocks = new GrowingBlocks((_, rows) => new Int32Array(rows));
    blocks.add()[0] = 7;

    blocks.clear();

    expect(blocks.length).toBe(0);
    expect(blocks.add()[0]).toBe(0);
    expect(blocks.blockOf(0)[0]).toBe(0);
  });
});
