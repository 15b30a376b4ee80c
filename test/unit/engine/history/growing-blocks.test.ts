import { describe, expect, it } from 'vitest';

import { GrowingBlocks, placeOf } from '../../../../src/engine/history/growing-blocks.js';

describe('GrowingBlocks', () => {
  it('gives each row its own place, in blocks that double up to 4,096 rows', () => {
    const sizes: number[] = [];
    const blocks = new GrowingBlocks((rows) => {
      sizes.push(rows);
      return new Int32Array(rows).fill(-1);
    });
    const count = 20_000;

    for (let row = 0; row < count; row += 1) {
      expect(blocks.add()).toBe(row);
      expect(blocks.blockOf(row)[placeOf(row)]).toBe(-1);
      blocks.blockOf(row)[placeOf(row)] = row;
    }

    const kept = Array.from({ length: count }, (_, row) => blocks.blockOf(row)[placeOf(row)]);
    expect(kept).toEqual(Array.from({ length: count }, (_, row) => row));
    expect(blocks.length).toBe(count);
    expect(sizes).toEqual([256, 512, 1_024, 2_048, 4_096, 4_096, 4_096, 4_096]);
  });

  it('starts again from row 0 after clear()', () => {
    const blocks = new GrowingBlocks((rows) => new Int32Array(rows));
    blocks.blockOf(blocks.add())[0] = 7;

    blocks.clear();

    expect(blocks.length).toBe(0);
    expect(blocks.blockOf(blocks.add())[0]).toBe(0);
  });
});
