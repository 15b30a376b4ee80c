import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readPages } from '../../../src/client/http/read-pages.js';

/** How a venue interprets `fromId`, and which of the matching ids it returns. */
type Venue = (
  ids: readonly number[],
  fromId: number | undefined,
  limit: number,
) => readonly number[];

const VENUES: Readonly<Record<string, Venue>> = {
  'rising from an id, oldest first': (ids, fromId = 0, limit) =>
    ids.filter((id) => id >= fromId).slice(0, limit),
  'rising from an id, newest first': (ids, fromId = 0, limit) =>
    ids
      .filter((id) => id >= fromId)
      .slice(0, limit)
      .toReversed(),
  'rising past an id': (ids, fromId = -1, limit) => ids.filter((id) => id > fromId).slice(0, limit),
  'falling from an id': (ids, fromId = Infinity, limit) =>
    ids
      .filter((id) => id <= fromId)
      .slice(-limit)
      .toReversed(),
};

async function read(venue: Venue, ids: readonly number[], pageSize: number, fromId?: string) {
  let requests = 0;
  const rows: number[] = [];
  const pages = readPages({
    readPage: (start) => {
      requests += 1;
      return Promise.resolve(venue(ids, start === undefined ? undefined : Number(start), pageSize));
    },
    idOf: String,
    fromId,
    pageSize,
  });
  for await (const row of pages) rows.push(row);
  return { rows, requests };
}

describe('readPages', () => {
  it.each(Object.entries(VENUES))(
    'reads every id once from a venue that counts %s',
    async (_name, venue) => {
      const law = fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { maxLength: 60 }),
        fc.integer({ min: 2, max: 20 }),
        async (unsorted, pageSize) => {
          const ids = unsorted.toSorted((a, b) => a - b);

          const { rows } = await read(venue, ids, pageSize);

          expect(rows.toSorted((a, b) => a - b)).toEqual(ids);
        },
      );

      await fc.assert(law);
    },
  );

  it('compares ids beyond 2^53 by all their digits', async () => {
    const ids = ['9', '3221406049627539350', '3221406049627539351', '3221406049627539352'];
    const readPage = (start = '0') =>
      Promise.resolve(ids.filter((id) => BigInt(id) >= BigInt(start)).slice(0, 2));

    const rows: string[] = [];
    for await (const row of readPages({
      readPage,
      idOf: (id) => id,
      fromId: undefined,
      pageSize: 2,
    })) {
      rows.push(row);
    }

    expect(rows).toEqual(ids);
  });

  it('sends one request if the first page is not full', async () => {
    expect(await read((ids) => ids, [1, 2, 3], 100)).toEqual({ rows: [1, 2, 3], requests: 1 });
  });

  it('reads on after a page that the venue cut short', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    const cutting: Venue = (all, fromId = 0) => all.filter((id) => id >= fromId).slice(0, 100);

    const { rows } = await read(cutting, ids, 1_000);

    expect(rows).toEqual(ids);
  });

  it('reads two rows with one id that differ, once each', async () => {
    const page = ['1 a', '1 b', '2 a', '1 a'];
    const rows: string[] = [];
    const pages = readPages({
      readPage: () => Promise.resolve(page),
      idOf: (row) => row.slice(0, 1),
      keyOf: (row) => row,
      fromId: undefined,
      pageSize: 4,
    });
    for await (const row of pages) rows.push(row);

    expect(rows).toEqual(['1 a', '1 b', '2 a']);
  });

  it('sends no request once its reader stops', async () => {
    let requests = 0;
    const readPage = (start = '0') => {
      requests += 1;
      return Promise.resolve([Number(start), Number(start) + 1]);
    };

    for await (const row of readPages({ readPage, idOf: String, fromId: undefined, pageSize: 2 })) {
      if (row === 3) break;
    }

    expect(requests).toBe(3);
  });
});
