import { appendFileSync, existsSync } from 'node:fs';
import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it, vi } from 'vitest';
import {
  KnownTrials,
  ledgerOf,
  TrialLedger,
  trialRecordSchema,
  type TrialRecord,
} from '../../../src/research/index.js';
import { addTrial } from '../../../src/research/ledger/index.js';
import { aTrialRecord, someTrialRecords } from '../../support/research/trials.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function emptyLedger(): Promise<string> {
  return path.join(await temporaryFolder(), 'data.trials.jsonl');
}

async function write(file: string, records: readonly TrialRecord[]): Promise<void> {
  const ledger = await TrialLedger.open({ file });
  for (const record of records) ledger.append(record);
  await ledger.close();
}

/** Ids of the lines of a ledger, and the bytes of a torn end after a crash. */
async function read(
  file: string,
): Promise<{ readonly ids: readonly string[]; readonly torn: number }> {
  const ids: string[] = [];
  const ledger = await TrialLedger.open({
    file,
    onLine: ({ id }) => {
      ids.push(id);
    },
  });
  await ledger.close();
  return { ids, torn: ledger.torn };
}

const idsOf = (records: readonly TrialRecord[]): string[] => records.map(({ id }) => id);

describe('a ledger of trials', () => {
  it('is beside the folder of the archive', () => {
    expect(ledgerOf('/home/me/candles/')).toBe('/home/me/candles.trials.jsonl');
  });

  it('keeps added trials in order over several openings', async () => {
    const file = await emptyLedger();
    const records = someTrialRecords(5);

    await write(file, records.slice(0, 2));
    await write(file, records.slice(2));

    expect(await read(file)).toEqual({ ids: idsOf(records), torn: 0 });
  });

  it('holds one line of JSON per trial, as in the schema', async () => {
    const file = await emptyLedger();
    const records = [
      aTrialRecord(),
      aTrialRecord({
        id: '2'.repeat(64),
        strategy: 'Quoted "name"',
        outcome: { status: 'failed', code: 'E_STRATEGY_START', message: 'fast >= slow' },
      }),
    ];

    await write(file, records);

    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => trialRecordSchema.parse(JSON.parse(line)))).toEqual(records);
    expect((await read(file)).ids).toEqual(idsOf(records));
  });

  it('has all lines on disk after flush', async () => {
    const file = await emptyLedger();
    const records = someTrialRecords(50);
    const ledger = await TrialLedger.open({ file });

    for (const record of records) ledger.append(record);
    await ledger.flush();

    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(51);
    await ledger.close();
  });

  it('returns known trials as they were written', async () => {
    const file = await emptyLedger();
    const records = someTrialRecords(3);
    await write(file, records);
    const known = new KnownTrials(file, aTrialRecord(), new Set(idsOf(records.slice(1))));

    await (await TrialLedger.open({ file, onLine: known.look })).close();

    expect(known.count).toBe(2);
    expect(known.get(records[0]?.id ?? '')).toBeUndefined();
    // Byte for byte, so that a resumed sweep has the same document as an uninterrupted one.
    expect(JSON.stringify(known.get(records[2]?.id ?? ''))).toBe(JSON.stringify(records[2]));
  });

  it('counts a trial before the sweep once, also if the ledger has it twice', async () => {
    const file = await emptyLedger();
    const made = aTrialRecord({ parameters: { fast: 11 } });
    await write(file, [made, made]);
    const known = new KnownTrials(file, made, new Set());

    await (await TrialLedger.open({ file, onLine: known.look })).close();

    expect(known.countBefore([])).toBe(1);
  });

  it('counts trials of the strategy on other inputs, with the differences of the closest', async () => {
    const file = await emptyLedger();
    const [one, two, three] = ['d'.repeat(64), 'e'.repeat(64), 'f'.repeat(64)];
    await write(file, [
      aTrialRecord({ id: one, data: one, source: one }),
      aTrialRecord({ id: two, data: two }),
      aTrialRecord({ id: three, strategy: 'Other', data: three }),
      // Another combination on the same inputs.
      aTrialRecord({ parameters: { fast: 11 } }),
    ]);
    const known = new KnownTrials(file, aTrialRecord(), new Set());

    await (await TrialLedger.open({ file, onLine: known.look })).close();

    expect(known.others).toEqual({ count: 2, differences: ['data'] });
  });
});

describe('a ledger after a crash', () => {
  test.prop([fc.nat({ max: 3_999 }), fc.constantFrom('cut', 'zeros', 'garbage')], { numRuns: 60 })(
    'keeps every whole line, cuts off the rest, and accepts new lines',
    async (place, damage) => {
      const file = await emptyLedger();
      const records = someTrialRecords(4);
      await write(file, records);
      const whole = await readFile(file);
      const at = place % whole.length;
      await truncate(file, at);
      if (damage === 'zeros') await appendFile(file, Buffer.alloc(100));
      // With a shorter start of a line before the garbage, the file would count as another kind of file.
      if (damage === 'garbage' && at >= '{"version":'.length) await appendFile(file, 'x\ny');
      const kept = whole.subarray(0, at).toString('utf8').split('\n').length - 1;

      const first = await read(file);
      await write(file, records.slice(kept));

      expect(first.ids).toEqual(idsOf(records).slice(0, kept));
      expect(await read(file)).toEqual({ ids: idsOf(records), torn: 0 });
      expect(await readFile(file)).toEqual(whole);
    },
  );

  it('reports how many bytes were cut off', async () => {
    const file = await emptyLedger();
    await write(file, someTrialRecords(2));
    await appendFile(file, '{"version":1,"id":');

    expect((await read(file)).torn).toBe(18);
    expect((await read(file)).torn).toBe(0);
  });

  it('refuses a damaged line before whole lines, with its number', async () => {
    const file = await emptyLedger();
    await write(file, someTrialRecords(3));
    const text = await readFile(file, 'utf8');
    // Changes one digit of a figure in the second line.
    const lines = text.split('\n');
    lines[1] = (lines[1] ?? '').replace('"orders":20', '"orders":21');
    await writeFile(file, lines.join('\n'));

    await expect(TrialLedger.open({ file })).rejects.toMatchObject({
      code: 'E_TRIALS_DAMAGED',
      message: `${file}:2: this line is damaged, and others follow it; delete it, or name another --ledger`,
    });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('never cuts a file that is no ledger', async () => {
    const file = await emptyLedger();
    await writeFile(file, 'my notes\nof years');

    await expect(TrialLedger.open({ file })).rejects.toMatchObject({ code: 'E_TRIALS_FOREIGN' });
    expect(await readFile(file, 'utf8')).toBe('my notes\nof years');
  });

  it('refuses wanted trials of another version', async () => {
    const file = await emptyLedger();
    const record = aTrialRecord();
    await write(file, [{ ...record, version: 2 as unknown as 1 }]);
    const known = new KnownTrials(file, record, new Set([record.id]));

    await expect(TrialLedger.open({ file, onLine: known.look })).rejects.toMatchObject({
      code: 'E_TRIALS_VERSION',
    });
  });
});

describe('the lock of a ledger', () => {
  it('is not left behind by a disk that is full', async () => {
    const file = await emptyLedger();
    const handle = await open(file, 'a');
    const prototype = Object.getPrototypeOf(handle) as { writeFile: () => Promise<void> };
    const real = prototype.writeFile;
    prototype.writeFile = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
    try {
      await expect(TrialLedger.open({ file })).rejects.toMatchObject({
        code: 'E_DATA_WRITE',
        message: `cannot write ${file}.lock: the disk is full`,
      });
    } finally {
      prototype.writeFile = real;
      await handle.close();
    }
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('allows one writer', async () => {
    const file = await emptyLedger();
    const ledger = await TrialLedger.open({ file });

    await expect(TrialLedger.open({ file })).rejects.toMatchObject({
      code: 'E_TRIALS_LOCKED',
      message: expect.stringContaining(`locked by process ${String(process.pid)} on ${hostname()}`),
    });
    await ledger.close();

    expect((await read(file)).ids).toEqual([]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('is taken over from a process that has ended', async () => {
    const file = await emptyLedger();
    // No process has this number.
    await writeFile(`${file}.lock`, JSON.stringify({ pid: 2 ** 22 + 7, host: hostname() }));

    expect((await read(file)).ids).toEqual([]);
  });

  it('is waited for before a single trial is added: others that came meanwhile count, and none is added twice', async () => {
    const file = await emptyLedger();
    const [first, ours, other] = someTrialRecords(3);
    if (first === undefined || ours === undefined || other === undefined) throw new Error('three');
    await write(file, [first]);
    const place = { file, shown: 'ledger' };
    const lines = await readFile(file, 'utf8');
    const lineOf = async (record: TrialRecord): Promise<string> => {
      const elsewhere = await emptyLedger();
      await write(elsewhere, [record]);
      return readFile(elsewhere, 'utf8');
    };
    const added = [await lineOf(ours), await lineOf(other)].join('');
    // While the stale lock is looked at, a process that has just ended has left two more trials.
    await writeFile(`${file}.lock`, JSON.stringify({ pid: 2 ** 22 + 7, host: hostname() }));
    const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
      appendFileSync(file, added);
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    });
    try {
      expect(await addTrial(place, ours, undefined)).toBe(3);
    } finally {
      kill.mockRestore();
    }

    expect(await readFile(file, 'utf8')).toBe(lines + added);
  });

  it.each([
    ['of another machine', JSON.stringify({ pid: 2 ** 22 + 7, host: 'elsewhere' })],
    ['that cannot be read', 'something'],
  ])('is kept as a lock %s', async (_, text) => {
    const file = await emptyLedger();
    await writeFile(`${file}.lock`, text);

    await expect(TrialLedger.open({ file })).rejects.toMatchObject({ code: 'E_TRIALS_LOCKED' });
    expect(await readFile(`${file}.lock`, 'utf8')).toBe(text);
  });
});

describe('a ledger that cannot be written', () => {
  it('is refused with E_DATA_WRITE', async () => {
    const folder = await temporaryFolder();

    await expect(
      TrialLedger.open({ file: path.join(folder, 'no', 'trials.jsonl') }),
    ).rejects.toMatchObject({ code: 'E_DATA_WRITE' });
    await expect(TrialLedger.open({ file: folder })).rejects.toMatchObject({
      code: 'E_DATA_WRITE',
    });
  });

  it('refuses further trials after a disk failure', async () => {
    const file = await emptyLedger();
    const ledger = await TrialLedger.open({ file });
    const handle = await open(file, 'r');
    const prototype = Object.getPrototypeOf(handle) as { datasync: () => Promise<void> };
    const real = prototype.datasync;
    prototype.datasync = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    try {
      ledger.append(aTrialRecord());
      await expect(ledger.flush()).rejects.toMatchObject({
        code: 'E_DATA_WRITE',
        message: `cannot write ${file}: the disk is full`,
      });
      expect(() => ledger.append(aTrialRecord())).toThrow('the disk is full');
    } finally {
      prototype.datasync = real;
      await handle.close();
    }
    await expect(ledger.close()).rejects.toMatchObject({ code: 'E_DATA_WRITE' });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
