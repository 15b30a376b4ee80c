import { describe, expect, it } from 'vitest';
import { UnservedSearch } from '../../../src/queue/unserved-search.js';

const SEARCH = '0123456789abcdef';
const IDLE = { threads: 1, search: null };

/** Messages second by second until the search ends, each with its second. */
function play(
  search: UnservedSearch,
  seconds: number,
  at: (second: number) => Partial<Parameters<UnservedSearch['look']>[0]> = () => ({}),
): readonly (readonly [number, string])[] {
  const said: (readonly [number, string])[] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const look = { elapsed: 1_000 * second, isWaiting: true, workers: [], refusals: 0 };
    const line = search.look({ ...look, ...at(second) });
    if (line !== undefined) said.push([second, line]);
  }
  return said;
}

describe('UnservedSearch', () => {
  it('reports the workers every minute without ending the search', () => {
    const workers = [IDLE, { threads: 2, search: 'another' }];

    const said = play(new UnservedSearch(SEARCH, Infinity), 185, () => ({ workers, refusals: 1 }));

    const there =
      '2 workers on the queue, 1 with another search, 1 refused it (see queue status for the reasons)';
    expect(said).toEqual([
      [60, `no worker has served the search ${SEARCH} for 60 seconds: ${there}`],
      [120, `no worker has served the search ${SEARCH} for 2 minutes: ${there}`],
      [180, `no worker has served the search ${SEARCH} for 3 minutes: ${there}`],
    ]);
  });

  it('ends the search after the given time', () => {
    const search = new UnservedSearch(SEARCH, 5_000);

    expect(play(search, 4)).toEqual([]);
    expect(() =>
      search.look({ elapsed: 5_000, isWaiting: true, workers: [IDLE], refusals: 0 }),
    ).toThrow(
      expect.objectContaining({
        code: 'E_QUEUE_UNSERVED',
        message: expect.stringContaining(
          'for 5 seconds: 1 worker on the queue. Finished',
        ) as string,
      }) as Error,
    );
  });

  it.each<[string, Partial<Parameters<UnservedSearch['look']>[0]>]>([
    ['a worker serves it', { workers: [{ threads: 1, search: SEARCH }] }],
    ['nothing waits for one', { isWaiting: false }],
  ])('counts from the last time that %s', (_, served) => {
    const search = new UnservedSearch(SEARCH, 61_000);

    const said = play(search, 100, (second) => (second === 40 ? served : {}));

    expect(said.map(([second]) => second)).toEqual([100]);
  });

  it('does not count long gaps between two looks', () => {
    const search = new UnservedSearch(SEARCH, 10_001);

    expect(play(search, 5, (second) => ({ elapsed: 100_000 * second * second }))).toEqual([]);
  });
});
