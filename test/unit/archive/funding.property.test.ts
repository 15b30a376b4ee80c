import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { FUNDING_LAYOUT, hashFunding } from '../../../src/archive/columns/funding-columns.js';
import { mergeColumns } from '../../../src/archive/columns/merge.js';
import { parseInstrumentId, type FundingColumns } from '../../../src/domain/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PERP = parseInstrumentId('futures:E-BTC-USDT');
const MINUTE = 60_000;

/** Settlements some minutes apart, at rates with up to eight decimals. */
const funding = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -1e7, max: 1e7 })), {
    selector: ([minute]) => minute,
    minLength: 1,
    maxLength: 30,
  })
  .map((rows): FundingColumns => {
    const sorted = [...rows].sort(([a], [b]) => a - b);
    return {
      time: Float64Array.from(sorted, ([minute]) => minute * MINUTE),
      rate: Float64Array.from(sorted, ([, units]) => units / 1e8),
    };
  });

const pick = (
  { time, rate }: FundingColumns,
  isWanted: (row: number) => boolean,
): FundingColumns => ({
  time: time.filter((_, row) => isWanted(row)),
  rate: rate.filter((_, row) => isWanted(row)),
});

const FUNDING = { layout: FUNDING_LAYOUT, noun: 'funding rates' };

describe('mergeColumns of funding rates', () => {
  it('law: merging rates with themselves changes nothing', () => {
    fc.assert(
      fc.property(funding, (columns) => {
        const merged = mergeColumns(columns, columns, FUNDING);

        expect(hashFunding(merged.columns)).toBe(hashFunding(columns));
        expect(merged).toMatchObject({ added: 0, duplicates: columns.time.length, replaced: 0 });
      }),
    );
  });

  it('law: any parts, merged in any order, give the whole', () => {
    fc.assert(
      fc.property(funding, fc.array(fc.boolean()), fc.boolean(), (columns, sides, isSwapped) => {
        const part = (side: boolean): FundingColumns =>
          pick(columns, (row) => (sides[row] ?? true) === side);
        const [first, second] = isSwapped ? [part(false), part(true)] : [part(true), part(false)];

        expect(hashFunding(mergeColumns(first, second, FUNDING).columns)).toBe(
          hashFunding(columns),
        );
      }),
    );
  });

  it('law: with replace the new rate wins, and every time stays unique', () => {
    fc.assert(
      fc.property(funding, funding, (stored, incoming) => {
        const { columns, ...counts } = mergeColumns(stored, incoming, {
          ...FUNDING,
          replace: true,
        });

        const times = new Set([...stored.time, ...incoming.time]);
        expect([...columns.time]).toEqual([...times].sort((a, b) => a - b));
        expect(counts.added + counts.duplicates + counts.replaced).toBe(incoming.time.length);
        for (const [row, time] of incoming.time.entries()) {
          expect(columns.rate[columns.time.indexOf(time)]).toBe(incoming.rate[row]);
        }
      }),
    );
  });
});

describe('stored funding', () => {
  it('law: is read back bit for bit, with times rounded to the nearest minute', async () => {
    const folder = await temporaryFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        funding,
        fc.integer({ min: -29_999, max: 29_999 }),
        async (columns, late) => {
          run += 1;
          const archive = openArchive(`${folder}/${String(run)}`);
          const stamped = { time: columns.time.map((time) => time + late), rate: columns.rate };

          await archive.mergeFunding(PERP, stamped, { source: 'law' });
          const read = await archive.funding(PERP);

          expect(read === undefined ? '' : hashFunding(read)).toBe(hashFunding(columns));
        },
      ),
      { numRuns: 50 },
    );
  });
});
