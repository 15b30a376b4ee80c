import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingLines } from '../../../src/research/ledger/waiting-lines.js';

const line = fc.oneof(
  fc.string({ unit: 'binary' }),
  // Longer than the initial buffer for lines.
  fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.repeat(3_000)),
);

describe('WaitingLines', () => {
  it('returns the bytes of all lines added since the last call, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(line)), (batches) => {
        const waiting = new WaitingLines();
        for (const batch of batches) {
          for (const text of batch) waiting.add(text);
          const bytes = Buffer.from(batch.join(''));

          expect(waiting.isEmpty).toBe(bytes.length === 0);
          expect(waiting.take().equals(bytes)).toBe(true);
          expect(waiting.isEmpty).toBe(true);
        }
      }),
    );
  });
});
