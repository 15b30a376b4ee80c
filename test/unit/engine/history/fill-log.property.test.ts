import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FillRecord, ForcedCause } from '../../../../src/domain/index.js';
import { FillLog } from '../../../../src/engine/history/fill-log.js';
import { OrderIds } from '../../../../src/engine/order-ids.js';
import type { RecordedFill } from '../../../../src/engine/index.js';
import { tradingFills } from '../../../support/arbitraries/trading-fills.js';

const ids = new OrderIds('bot');

/** Fills as an engine learns them: in any order of time, of first and later orders, some with a trade id of the venue, some forced. */
const recordedFills = fc
  .tuple(
    tradingFills('received'),
    fc.infiniteStream(
      fc.record({
        time: fc.nat(5),
        id: fc.boolean(),
        first: fc.boolean(),
        forced: fc.boolean(),
        feeRate: fc.option(fc.bigInt({ min: 1n, max: 10n ** 21n }), { nil: undefined }),
      }),
    ),
  )
  .map(([fills, stream]): readonly RecordedFill[] =>
    fills.map(({ record, step, quoteRate }, index) => {
      const { time, id, first, forced, feeRate } = stream.next().value;
      const known: FillRecord = {
        ...record,
        ...(first && { clientOrderId: ids.first(index + 1) }),
        eventTime: time,
        ...(id && { venueTradeId: String(time) }),
      };
      const cause: ForcedCause | undefined = forced ? 'liquidation' : undefined;
      return { record: known, step, quoteRate, feeRate, cause };
    }),
  );

function logOf(fills: readonly RecordedFill[], kept?: number): FillLog {
  const log = new FillLog(ids, { kept });
  for (const [index, fill] of fills.entries()) {
    ids.first(index + 1);
    log.add(fill);
  }
  return log;
}

function effectOf({ record, step, quoteRate, feeRate, cause }: RecordedFill) {
  const ids = new Set(['clientOrderId', 'venueTradeId']);
  const effect = Object.fromEntries(Object.entries(record).filter(([key]) => !ids.has(key)));
  return { record: effect, step, quoteRate, feeRate, cause };
}

describe('FillLog', () => {
  it('returns the added fills, as often as it is read', () => {
    fc.assert(
      fc.property(recordedFills, (fills) => {
        const log = logOf(fills);

        expect(log.length).toBe(fills.length);
        expect([...log]).toStrictEqual(fills);
        expect([...log]).toStrictEqual(fills);
        expect(fills.map((_, index) => log.at(index))).toStrictEqual(fills.map(effectOf));
        expect(log.at(fills.length)).toBeUndefined();
      }),
    );
  });

  it('keeps at least the wanted number of newest fills, and less than twice as many', () => {
    fc.assert(
      fc.property(recordedFills, fc.integer({ min: 1, max: 5 }), (fills, kept) => {
        const log = logOf(fills, kept);

        expect(log.length).toBeGreaterThanOrEqual(Math.min(kept, fills.length));
        expect(log.length).toBeLessThan(2 * kept);
        expect([...log]).toStrictEqual(fills.slice(fills.length - log.length));
      }),
    );
  });

  it('sorts by time, and keeps the order of fills of one instant', () => {
    fc.assert(
      fc.property(recordedFills, (fills) => {
        const sorted = fills.toSorted(
          (one, other) => one.record.eventTime - other.record.eventTime,
        );

        expect([...logOf(fills).inOrderOfTime()]).toStrictEqual(sorted);
      }),
    );
  });
});
