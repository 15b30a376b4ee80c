import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AMOUNT_WIDTH, PackedBlock } from '../../../../src/engine/history/packed-block.js';

const ROWS = 4;
const AMOUNT = 0;
const OTHER = AMOUNT + AMOUNT_WIDTH;
const NUMBER = OTHER + AMOUNT_WIDTH;
const WIDTH = NUMBER + 1;

/** Amounts of any size, with many near the sizes at which the block changes its encoding. */
const amounts = fc.oneof(
  fc.bigInt(),
  fc
    .tuple(fc.bigInt(60n, 130n), fc.bigInt(-(2n ** 66n), 2n ** 66n), fc.boolean())
    .map(([bits, offset, isNegative]) => (isNegative ? -1n : 1n) * (2n ** bits + offset)),
  fc
    .tuple(fc.constantFrom(63n, 64n, 116n, 117n), fc.bigInt(-2n, 2n), fc.boolean())
    .map(([bits, offset, isNegative]) => (isNegative ? -1n : 1n) * 2n ** bits + offset),
);

describe('PackedBlock', () => {
  it('returns every amount and number, whatever their neighbors', () => {
    const rows = fc.array(fc.tuple(amounts, amounts, fc.double()), {
      minLength: ROWS,
      maxLength: ROWS,
    });
    fc.assert(
      fc.property(rows, (written) => {
        const block = new PackedBlock(0, ROWS * WIDTH);
        for (const [row, [amount, other, number]] of written.entries()) {
          block.setAmount(row * WIDTH + AMOUNT, amount);
          block.setAmount(row * WIDTH + OTHER, other);
          block.numbers[row * WIDTH + NUMBER] = number;
        }

        const read = written.map((_, row) => [
          block.amount(row * WIDTH + AMOUNT),
          block.amount(row * WIDTH + OTHER),
          block.numbers[row * WIDTH + NUMBER],
        ]);

        expect(read).toEqual(written);
      }),
    );
  });

  it('reads 0 if nothing was written', () => {
    const block = new PackedBlock(0, ROWS * WIDTH);

    expect(block.amount(WIDTH + OTHER)).toBe(0n);
    expect(block.numbers[WIDTH + NUMBER]).toBe(0);
  });
});
