import { appendFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  countTrials,
  indexFileOf,
  indexTrials,
  rowsOf,
  type SearchCount,
} from '../../../src/research/ledger/index.js';
import { formatLine } from '../../../src/research/ledger/trial-record.js';
import type { TrialRecord } from '../../../src/research/index.js';
import { aFinishedTrial, aTrialRecord } from '../../support/research/trials.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Drawn {
  readonly id: number;
  readonly strategy: number;
  readonly data: number;
  /** null if the trial failed. */
  readonly sharpe: number | null;
  readonly at: number | null;
}

const idOf = (index: number): string => String(index).padStart(64, '0');

function recordOf({ id, strategy, data, sharpe, at }: Drawn): TrialRecord {
  return aTrialRecord({
    id: idOf(id),
    strategy: `S${String(strategy)}`,
    data: String(data).repeat(64),
    outcome:
      sharpe === null
        ? { status: 'failed', code: 'E_STRATEGY_START', message: 'no' }
        : aFinishedTrial(sharpe),
    ...(at !== null && { at }),
  });
}

const drawn = fc.record({
  id: fc.nat(30),
  strategy: fc.nat(2),
  data: fc.nat(2),
  sharpe: fc.option(fc.integer({ min: -9, max: 9 })),
  at: fc.option(fc.integer({ min: 1, max: 1_000 })),
});

const textOf = (trials: readonly Drawn[]): string =>
  trials.map((trial) => formatLine(recordOf(trial))).join('');

async function columnsOf(ledger: string, onLine?: () => void) {
  const handle = await open(ledger, 'r');
  try {
    return (await indexTrials({ file: ledger, handle, shown: 'data.trials.jsonl' }, onLine))
      .columns;
  } finally {
    await handle.close();
  }
}

/** Counts the trials, and the lines that are read again for it. */
async function count(ledger: string): Promise<[readonly SearchCount[], number]> {
  let read = 0;
  const columns = await columnsOf(ledger, () => {
    read += 1;
  });
  return [countTrials(columns), read];
}

/** The same counts, computed directly from the trials. */
function countPlainly(trials: readonly Drawn[]): ReadonlyMap<string, unknown> {
  const found = new Map<
    string,
    { trials: number; failed: number; first?: number; best?: number }
  >();
  const seen = new Set<number>();
  for (const { id, strategy, data, sharpe, at } of trials) {
    if (seen.has(id)) continue;
    seen.add(id);
    const key = `S${String(strategy)} ${String(data).repeat(64)}`;
    const one = found.get(key) ?? { trials: 0, failed: 0 };
    found.set(key, one);
    if (sharpe === null) one.failed += 1;
    else {
      one.trials += 1;
      one.best = Math.max(one.best ?? -Infinity, sharpe);
    }
    if (at !== null) one.first = Math.min(one.first ?? Infinity, at);
  }
  return found;
}

async function aLedger(text: string): Promise<string> {
  const ledger = path.join(await temporaryFolder(), 'data.trials.jsonl');
  await writeFile(ledger, text);
  return ledger;
}

const SOME: readonly Drawn[] = [0, 1, 2, 3].map((id) => ({
  ...{ id, strategy: id % 2, data: 1, sharpe: id, at: 10 * id },
}));

describe('the index of a ledger', () => {
  test.prop([fc.array(drawn, { maxLength: 30 }), fc.nat(30)], { numRuns: 30 })(
    'law: it counts the trials of the ledger, whenever it was updated',
    async (trials, cut) => {
      const ledger = await aLedger(textOf(trials.slice(0, cut)));
      await count(ledger);
      await appendFile(ledger, textOf(trials.slice(cut)));

      const [counts, read] = await count(ledger);

      expect(read).toBe(trials.slice(cut).length);
      const found = counts.map((one) => {
        const { trials: finished, failed, first, bestSharpe: best } = one;
        const figures = { trials: finished, failed, ...(first !== undefined && { first }) };
        return [
          `${one.strategy} ${one.data}`,
          { ...figures, ...(best !== undefined && { best }) },
        ] as const;
      });
      expect(new Map(found)).toEqual(countPlainly(trials));
    },
  );

  it('reads no line twice, but starts again if the ledger was replaced', async () => {
    const ledger = await aLedger(textOf(SOME));
    const first = await count(ledger);
    const again = await count(ledger);
    await writeFile(ledger, textOf(SOME.map((trial) => ({ ...trial, strategy: 5 }))));
    const other = await count(ledger);
    await truncate(ledger, textOf(SOME.slice(0, 2)).length);
    const shorter = await count(ledger);

    expect([first[1], again[1], other[1], shorter[1]]).toEqual([4, 0, 4, 2]);
    expect(again[0]).toEqual(first[0]);
    expect(other[0]).toMatchObject([{ strategy: 'S5', trials: 4 }]);
    expect(shorter[0]).toMatchObject([{ strategy: 'S5', trials: 2 }]);
  });

  it('is rebuilt if it was changed, truncated or deleted', async () => {
    const ledger = await aLedger(textOf(SOME));
    const [counts] = await count(ledger);
    const whole = await readFile(indexFileOf(ledger));
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(whole.length - 40) ^ 1, whole.length - 40);

    for (const bytes of [changed, whole.subarray(0, -1), Buffer.from('{}\n'), Buffer.from('x')]) {
      await writeFile(indexFileOf(ledger), bytes);
      expect(await count(ledger)).toEqual([counts, 4]);
    }
    await rm(indexFileOf(ledger));
    expect(await count(ledger)).toEqual([counts, 4]);
    expect(await readFile(indexFileOf(ledger))).toEqual(whole);
  });

  it('ignores a torn end, and reports a damaged line by its number', async () => {
    const ledger = await aLedger(textOf(SOME.slice(0, 2)));
    await count(ledger);
    await appendFile(ledger, '{"version":1,"id":"00');
    expect((await count(ledger))[1]).toBe(0);

    await appendFile(ledger, `\n${textOf(SOME.slice(2))}`);
    await expect(count(ledger)).rejects.toMatchObject({
      code: 'E_TRIALS_DAMAGED',
      message: expect.stringMatching(/^data\.trials\.jsonl:3: this line is damaged/),
    });
  });

  it('chooses trials by strategy, data and time', async () => {
    const columns = await columnsOf(await aLedger(textOf(SOME)));

    expect(rowsOf(columns, { strategy: 'S1' })).toEqual([1, 3]);
    expect(rowsOf(columns, { data: '11', since: 20 })).toEqual([2, 3]);
    expect(rowsOf(columns, { data: '2' })).toEqual([]);
    expect(countTrials(columns, { since: 20, strategy: 'S0' })).toEqual([
      {
        strategy: 'S0',
        data: '1'.repeat(64),
        trials: 1,
        failed: 0,
        first: 20,
        last: 20,
        bestSharpe: 2,
      },
    ]);
  });
});
