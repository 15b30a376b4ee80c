import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listKeys } from '../../../src/archive/index.js';
import { checkOne } from '../../../src/cli/data/check-one.js';
import { checkStored, type StoredCheck } from '../../../src/cli/data/check-stored.js';
import type { CheckedCandles } from '../../../src/cli/data/checked-candles.js';
import {
  DAMAGES,
  someDamagedSeries,
  storeDamaged,
  type DamagedSeries,
} from '../../support/damaged-archive.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The thread runs compiled code: `npm test` compiles before it tests. */
const entry = pathToFileURL(path.resolve('dist/cli/data/check-stored.thread.js'));

/** Each run starts six threads. */
const RUNS = 5;
const { signal } = new AbortController();

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const check = async (
  directory: string,
  how: Partial<StoredCheck> = {},
): Promise<readonly CheckedCandles[]> =>
  checkStored({
    keys: await listKeys(directory),
    directory,
    maxGapMs: 2 * 3_600_000,
    jobs: undefined,
    signal,
    entry,
    ...how,
  });

/** One file of each kind of damage. The files differ in length. */
const EACH: readonly DamagedSeries[] = DAMAGES.map((damage, index) => {
  return { damage, rows: 30 + 50 * index, gap: index % 4, place: 0.5 };
});

describe('checkStored', () => {
  it('law: reports the same in the same order in this thread and in one, two or three threads', async () => {
    await fc.assert(
      fc.asyncProperty(someDamagedSeries, (series) =>
        inFolder(async (folder) => {
          await storeDamaged(folder, series);

          const here = await check(folder);

          expect(here).toHaveLength(series.length);
          for (const jobs of [1, 2, 3]) expect(await check(folder, { jobs })).toEqual(here);
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it('reports each series as if it were read alone', async () => {
    const directory = await temporaryFolder();
    await storeDamaged(directory, EACH);

    const together = await check(directory);

    const options = { directory, maxGapMs: 2 * 3_600_000 };
    const keys = await listKeys(directory);
    const alone = await Promise.all(keys.map((key) => checkOne(key, options)));
    expect(together).toEqual(alone);
    expect(together.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: DAMAGES.length - 1 }, () => 'damaged'),
      'readable',
    ]);
  });

  it.each([undefined, 2])('rejects when it is interrupted, with %s threads', async (jobs) => {
    const directory = await temporaryFolder();
    await storeDamaged(directory, EACH);
    const interrupt = new AbortController();

    const checking = check(directory, { jobs, signal: interrupt.signal });
    interrupt.abort(new Error('interrupted'));

    await expect(checking).rejects.toThrow('interrupted');
  });

  it('starts threads only if there is much to read', async () => {
    const directory = await temporaryFolder();
    await storeDamaged(directory, EACH);
    const none = pathToFileURL(path.join(directory, 'none.js'));

    const small = await check(directory, { entry: none });
    // A sparse file, which takes almost no room on the disk.
    await truncate(path.join(directory, 'spot', 'A0USDT', '1h.arrow'), 300 * 1024 * 1024);

    expect(small).toHaveLength(EACH.length);
    await expect(check(directory, { entry: none })).rejects.toThrow('none.js');
  });

  it('rejects with the error that broke a thread', async () => {
    const directory = await temporaryFolder();
    await storeDamaged(directory, EACH);

    const checking = check(directory, { jobs: 2, entry: pathToFileURL(`${directory}/none.js`) });

    await expect(checking).rejects.toThrow('none.js');
  });
});
