import { describe, expect, it } from 'vitest';

import { PackedBlock } from '../../../../src/engine/history/packed-block.js';
import { RecordMemory } from '../../../../src/engine/history/record-memory.js';

const BLOCK_BYTES = 8 * Float64Array.BYTES_PER_ELEMENT;

describe('RecordMemory', () => {
  it('lends returned memory again, filled with 0', () => {
    const memory = new RecordMemory({ mostBytes: BLOCK_BYTES });
    const first = memory.lend();
    const taken = first.take(8);
    const block = new PackedBlock(0, 8, { take: () => taken });
    block.setAmount(6, -1n);
    first.giveBack();

    const again = memory.lend().take(8);

    expect(again).toBe(taken);
    expect([...again]).toEqual(new Array(8).fill(0));
  });

  it('does not lend the same memory to two runs at once', () => {
    const memory = new RecordMemory({ mostBytes: 10 * BLOCK_BYTES });
    const first = memory.lend();
    const [one, two] = [first.take(8), first.take(8)];
    const three = memory.lend().take(8);
    first.giveBack();
    first.giveBack();

    const second = memory.lend();
    const after = [second.take(8), second.take(8), second.take(8)];

    expect(new Set([one, two, three]).size).toBe(3);
    expect(new Set(after).size).toBe(3);
    expect(after).not.toContain(three);
  });

  it('keeps no more than its maximum', () => {
    const memory = new RecordMemory({ mostBytes: 2 * BLOCK_BYTES });
    const first = memory.lend();
    const taken = [first.take(8), first.take(8), first.take(8)];
    first.giveBack();

    const second = memory.lend();
    const after = [second.take(8), second.take(8), second.take(8)];

    expect(after.filter((numbers) => taken.includes(numbers))).toHaveLength(2);
  });
});
