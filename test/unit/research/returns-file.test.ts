import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  KeptReturns,
  objectiveOf,
  returnsFileOf,
  ReturnsReader,
  TrialLedger,
  type DailyReturns,
} from '../../../src/research/index.js';
import { someTrialRecords } from '../../support/research/trials.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Kept {
  readonly id: string;
  readonly returns: DailyReturns;
}

/** Adds trials with their returns to a ledger. Returns the places of the returns from the lines of the ledger. */
async function write(ledger: string, kept: readonly Kept[]): Promise<readonly number[]> {
  const open = await TrialLedger.open({ file: ledger });
  const records = someTrialRecords(1);
  for (const { id, returns } of kept)
    for (const record of records) open.append({ ...record, id }, returns);
  await open.close();
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n').slice(-kept.length);
  return lines.map((line) => (JSON.parse(line) as { readonly returns: number }).returns);
}

const idOf = (index: number): string => String(index).padStart(64, '0');

function someReturns(count: number, days = 3): readonly Kept[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    returns: {
      from: 86_400_000 * index,
      values: Float64Array.from({ length: days }, (__, day) => index + day / 7),
    },
  }));
}

describe('the daily returns beside a ledger', () => {
  test.prop(
    [
      fc.array(fc.array(fc.double(), { minLength: 1, maxLength: 9 }), {
        minLength: 1,
        maxLength: 5,
      }),
    ],
    { numRuns: 20 },
  )('are read back unchanged, even after a crash between two openings', async (columns) => {
    const ledger = path.join(await temporaryFolder(), 'data.trials.jsonl');
    const kept = columns.map((values, index) => ({
      id: idOf(index),
      returns: { from: index, values: Float64Array.from(values) },
    }));
    const places = [...(await write(ledger, kept.slice(0, 1)))];
    await appendFile(returnsFileOf(ledger), 'torn');
    places.push(...(kept.length > 1 ? await write(ledger, kept.slice(1)) : []));

    const reader = await ReturnsReader.open(ledger);
    for (const [index, { id, returns }] of kept.entries())
      expect(await reader.read(id, places[index] ?? NaN)).toEqual(returns);
    await reader.close();
  });

  it('are stored in data.trials.returns', () => {
    expect(returnsFileOf('/x/data.trials.jsonl')).toBe('/x/data.trials.returns');
  });

  it('are undefined if a byte was changed, the file was cut, or they belong to another trial', async () => {
    const ledger = path.join(await temporaryFolder(), 'data.trials.jsonl');
    const [first = NaN, second = NaN] = await write(ledger, someReturns(2));
    const bytes = await readFile(returnsFileOf(ledger));
    bytes.writeUInt8(bytes.readUInt8(first + 60) ^ 1, first + 60);
    await writeFile(returnsFileOf(ledger), bytes.subarray(0, -1));

    const reader = await ReturnsReader.open(ledger);
    const found = [
      await reader.read(idOf(0), first),
      await reader.read(idOf(1), second),
      await reader.read(idOf(0), second),
      await reader.read(idOf(1), 10_000),
    ];
    await reader.close();

    expect(found).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('fail to open if the file is missing', async () => {
    const ledger = path.join(await temporaryFolder(), 'data.trials.jsonl');
    await write(ledger, someReturns(1));
    await rm(returnsFileOf(ledger));

    await expect(ReturnsReader.open(ledger)).rejects.toMatchObject({ code: 'E_DATA_READ' });
  });
});

describe('KeptReturns', () => {
  const objective = objectiveOf('sharpe');

  it('keeps all of 20,000 trials', () => {
    const kept = new KeptReturns(20_000, objective);
    expect([null, -1, 3].every((figure) => kept.keeps('f'.repeat(64), figure))).toBe(true);
  });

  it('keeps of more trials a sample by id, and all that are among the best at the end', () => {
    const total = 76_000;
    const kept = new KeptReturns(total, objective);
    // A quarter of the ids is kept: those that begin with 0, 1, 2 or 3.
    expect(kept.keeps(`3${'f'.repeat(63)}`, null)).toBe(true);
    expect(kept.keeps(`4${'0'.repeat(63)}`, null)).toBe(false);
    const late = Array.from({ length: 5_000 }, (_, index) => (index * 2_741) % 5_000);
    const good = late.filter((figure) => kept.keeps('f'.repeat(64), figure));
    const best = late.toSorted((a, b) => b - a).slice(0, 1_000);
    expect(best.every((figure) => good.includes(figure))).toBe(true);
    expect(good.length).toBeLessThan(3_000);
    expect(kept.keeps('f'.repeat(64), 3_999)).toBe(false);
  });
});
