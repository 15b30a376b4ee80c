import { cp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeHolding,
  HOLDING_KINDS,
  openArchive,
  syncHolding,
  type Archive,
  type HoldingKind,
  type OpenFile,
  type SyncOptions,
  type SyncReport,
} from '../../../src/archive/index.js';
import { HOUR_MS, parseFixed, parseInstrumentId } from '../../../src/domain/index.js';
import { filesIn } from '../../support/archive-files.js';
import { columnsFrom, columnsOf } from '../../support/candle-columns.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BTC = parseInstrumentId('spot:BTCUSDT');
const PERP = parseInstrumentId('futures:E-BTC-USDT');
const START = Date.UTC(2025, 0, 1);

/** Stores data of each kind. */
async function fill(archive: Archive, hours: number): Promise<void> {
  const columns = columnsFrom(START, hours, HOUR_MS);
  const marks = { ...columns, volume: new Float64Array(hours) };
  const source = { source: `${String(hours)}.csv` };
  const series = { interval: '1h', columns } as const;
  await archive.merge({ instrumentId: BTC, ...series }, { ...source, volumeUnit: 'base' });
  await archive.merge({ instrumentId: PERP, ...series }, { ...source, volumeUnit: 'contracts' });
  await archive.mergeMarks({ instrumentId: PERP, interval: '1h', columns: marks }, source);
  await archive.mergeFunding(
    PERP,
    { time: columns.openTime, rate: columns.openTime.map((_, row) => row / 1e6) },
    source,
  );
  const dates = Array.from({ length: Math.ceil(hours / 5) }, (_, index) => START + index * HOUR_MS);
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 0 };
  await archive.mergeRules(
    PERP,
    dates.map((from) => ({ from, rules })),
    source,
  );
  const tiers = [
    { maxValue: undefined, maxLeverage: parseFixed('20'), keepRate: parseFixed('0.05') },
  ];
  await archive.mergeTiers(
    PERP,
    dates.map((from) => ({ from, tiers })),
    source,
  );
}

async function syncAll(
  from: Archive,
  to: Archive,
  { kinds = HOLDING_KINDS, ...options }: SyncOptions & { kinds?: readonly HoldingKind[] } = {},
): Promise<readonly SyncReport[]> {
  const stored = await to.holdings().catch(() => []);
  const here = new Map(stored.map((entry) => [describeHolding(entry.key), entry]));
  const reports: SyncReport[] = [];
  for (const theirs of await from.holdings()) {
    if (!kinds.includes(theirs.key.kind)) continue;
    const pair = { theirs, ours: here.get(describeHolding(theirs.key)) };
    reports.push(await syncHolding({ from, to }, pair, options));
  }
  return reports;
}

const outcomes = (reports: readonly SyncReport[]): readonly string[] =>
  reports.map(({ outcome }) => outcome);

/** Opens files, but fails at each write after the first `count`, like a process that has ended. */
function endsAtWrite(count: number): OpenFile {
  let writes = 0;
  return (path, flags) => {
    if (flags === 'w') writes += 1;
    return writes > count ? Promise.reject(new Error('the process has ended')) : open(path, flags);
  };
}

describe('syncHolding', () => {
  it('law: a copy has the bytes of its original, and a second sync finds it equal', async () => {
    const [from, to] = [await temporaryFolder(), await temporaryFolder()];
    await fill(openArchive(from), 10);

    const first = await syncAll(openArchive(from), openArchive(to));
    const second = await syncAll(openArchive(from), openArchive(to));

    expect(outcomes(first)).toEqual(Array(6).fill('copied'));
    expect(outcomes(second)).toEqual(Array(6).fill('equal'));
    expect(await filesIn(to)).toEqual(await filesIn(from));
  });

  it('law: a sync that ended at any write and is repeated gives the bytes of an uninterrupted sync', async () => {
    const kinds: readonly HoldingKind[] = ['mark', 'funding', 'rules'];
    const from = await temporaryFolder();
    await fill(openArchive(from), 12);
    const [before, once] = [await temporaryFolder(), await temporaryFolder()];
    await fill(openArchive(before), 5);
    await cp(before, once, { recursive: true });
    await syncAll(openArchive(from), openArchive(once), { kinds });
    const expected = await filesIn(once);
    // The three kinds have two files, two files and one file.
    const folder = await temporaryFolder();

    for (let count = 0; count < 5; count += 1) {
      const to = join(folder, String(count));
      await cp(before, to, { recursive: true });
      const ending = openArchive(to, { open: endsAtWrite(count) });

      await expect(syncAll(openArchive(from), ending, { kinds })).rejects.toThrow(
        'the process has ended',
      );
      await syncAll(openArchive(from), openArchive(to), { kinds });

      expect(await filesIn(to), `ended at write ${String(count)}`).toEqual(expected);
      await rm(to, { recursive: true });
    }
  });

  it('law: the target holds the hours of both archives, and no stored candle changes', async () => {
    const hours = fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 8 });
    const folder = await temporaryFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(hours, hours, async (theirs, ours) => {
        run += 1;
        const at = (name: string): Archive => openArchive(join(folder, String(run), name));
        const [from, to] = [at('from'), at('to')];
        await store(from, theirs);
        await store(to, ours);
        const added = theirs.filter((hour) => !ours.includes(hour)).length;

        const [report] = await syncAll(from, to);

        const isEqual = theirs.length === ours.length && added === 0;
        expect(report).toMatchObject({
          outcome: isEqual ? 'equal' : added > 0 ? 'extended' : 'held',
          added,
          duplicates: theirs.length - added,
          replaced: 0,
        });
        const { openTime } = await to.read(BTC, '1h', { verify: true });
        expect([...openTime]).toEqual(timesOf([...new Set([...theirs, ...ours])]));
      }),
      { numRuns: 12 },
    );
  });

  it('writes nothing if nothing is missing or on a dry run', async () => {
    const [less, more] = [await temporaryFolder(), await temporaryFolder()];
    await fill(openArchive(less), 5);
    await fill(openArchive(more), 12);
    const [lessBefore, moreBefore] = [await filesIn(less), await filesIn(more)];
    const failing = (folder: string): Archive => openArchive(folder, { open: endsAtWrite(0) });

    const held = await syncAll(openArchive(less), failing(more));
    const dry = await syncAll(openArchive(more), failing(less), { dryRun: true });

    expect(outcomes(held)).toEqual(Array(6).fill('held'));
    expect(outcomes(dry)).toEqual(Array(6).fill('extended'));
    expect(await filesIn(less)).toEqual(lessBefore);
    expect(await filesIn(more)).toEqual(moreBefore);
    expect(await syncAll(openArchive(more), openArchive(less))).toEqual(dry);
  });
});

const timesOf = (hours: readonly number[]): readonly number[] =>
  hours.map((hour) => START + hour * HOUR_MS).sort((a, b) => a - b);

async function store(archive: Archive, hours: readonly number[]): Promise<void> {
  const columns = columnsOf(timesOf(hours).map((time) => ({ time, volume: time / HOUR_MS })));
  await archive.merge(
    { instrumentId: BTC, interval: '1h', columns },
    { source: 'a.csv', volumeUnit: 'base' },
  );
}
