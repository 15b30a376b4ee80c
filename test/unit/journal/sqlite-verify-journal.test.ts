import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fc, test as law } from '@fast-check/vitest';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/domain/index.js';
import { keepLostCommits, verifyJournal, watchJournalFile } from '../../../src/journal/index.js';
import { aMinute, closing, START } from '../../support/engine/engine.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { aHeader, aJournal, journalFile, storedEntries } from '../../support/journal/journal.js';
import { VirtualTime } from '../../support/virtual-time.js';

const breathe = (): Promise<void> => Promise.resolve();

/** A journal of two epochs of some minutes, on the disk. */
async function aWrittenJournal(): Promise<string> {
  const file = await journalFile();
  const journal = await aJournal(file);
  for (let epoch = 0; epoch < 2; epoch += 1) {
    journal.beginEpoch(aHeader());
    for (let minute = 1; minute <= 40; minute += 1) journal.append(closing(aMinute(minute)), []);
  }
  journal.close();
  return file;
}

/** A copy of a journal of 40 events that is still open, with its log, and the log's bytes. */
async function aCopyWhileOpen(): Promise<{ readonly copy: string; readonly log: Buffer }> {
  const file = await journalFile();
  const journal = await aJournal(file);
  journal.beginEpoch(aHeader());
  for (let minute = 1; minute <= 40; minute += 1) {
    journal.append(closing(aMinute(minute)), []);
    journal.flush();
  }
  const copy = `${file}.copy`;
  await copyFile(file, copy);
  await copyFile(`${file}-wal`, `${copy}-wal`);
  journal.close();
  return { copy, log: await readFile(`${copy}-wal`) };
}

function alter(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe('verifyJournal', () => {
  it('reports no damage in an unchanged journal', async () => {
    const file = await aWrittenJournal();

    const verdict = await verifyJournal(file, { breathe });

    expect(verdict).toEqual({ epochs: 2, events: 80, damage: [] });
  });

  it.each([
    [
      'a price that is another',
      'UPDATE candles SET close = 101 WHERE event = 7',
      /epoch 1, event 7/,
    ],
    ['an event that is gone', 'DELETE FROM events WHERE id = 50', /epoch 2.*51 instead of 50/],
    [
      'a time that is another',
      'UPDATE events SET time = time + 1 WHERE id = 80',
      /epoch 2, event 80/,
    ],
  ])('finds %s', async (_what, sql, where) => {
    const file = await aWrittenJournal();
    alter(file, sql);

    const { damage } = await verifyJournal(file, { breathe });

    expect(damage).toEqual([expect.stringMatching(where)]);
  });

  it('reads all of a copy of an open journal with its log', async () => {
    const { copy } = await aCopyWhileOpen();

    expect(await verifyJournal(copy, { breathe })).toEqual({ epochs: 1, events: 40, damage: [] });
  });

  it('reads the epoch of a copy without its log', async () => {
    const { copy } = await aCopyWhileOpen();
    await rm(`${copy}-wal`);

    expect(await verifyJournal(copy, { breathe })).toEqual({ epochs: 1, events: 0, damage: [] });
  });

  it('takes a log that ends anywhere as one that a kill has left', async () => {
    const { copy, log } = await aCopyWhileOpen();
    await truncate(`${copy}-wal`, Math.floor(log.length / 2));

    const { events, damage } = await verifyJournal(copy, { breathe });

    expect([damage, events > 0, events < 40]).toEqual([[], true, true]);
  });

  it('says how many commits are lost if a bit of the log was changed', async () => {
    const { copy, log } = await aCopyWhileOpen();
    const middle = Math.floor(log.length / 2);
    log[middle] = (log[middle] ?? 0) ^ 4;
    await writeFile(`${copy}-wal`, log);

    const { events, damage } = await verifyJournal(copy, { breathe });

    expect(damage).toEqual([
      `the log beside it (-wal) ends with ${String(40 - events)} commits that cannot be read: what comes before was changed, or was not on the disk when the machine stopped`,
    ]);
    expect(events).toBeGreaterThan(10);
    expect(events).toBeLessThan(30);
    expect(await keepLostCommits(copy)).toBe(
      `${copy}: ${damage.join()}; it is kept as ${copy}-wal-lost`,
    );
    expect(await readFile(`${copy}-wal-lost`)).toEqual(log);
  });

  law.prop([fc.nat(), fc.integer({ min: 0, max: 7 })], { numRuns: 25 })(
    'finds a flipped bit, or the bit changes nothing that a reader returns',
    async (at, bit) => {
      const file = await aWrittenJournal();
      const entries = [await storedEntries(file, 1), await storedEntries(file, 2)];
      const bytes = await readFile(file);
      const place = 100 + (at % (bytes.length - 100));
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      await writeFile(file, bytes);

      const found = await verifyJournal(file, { breathe }).then(
        ({ damage }) => damage.length > 0,
        () => true,
      );

      if (found) return;
      expect([await storedEntries(file, 1), await storedEntries(file, 2)]).toEqual(entries);
    },
  );
});

describe('evenkeel journal verify', () => {
  it('reports matching checksums, or exits with 3 and the first damage of each epoch', async () => {
    const file = await aWrittenJournal();
    const folder = path.dirname(file);
    const whole = await runCommand(folder, ['journal', 'verify', 'bot.journal']);
    alter(file, 'UPDATE candles SET close = 101 WHERE event = 7');
    const damaged = await runCommand(folder, ['journal', 'verify', 'bot.journal']);
    const absent = await runCommand(folder, ['journal', 'verify', 'none.journal']);

    expect(whole).toEqual({
      exitCode: 0,
      stdout: 'bot.journal: 80 events in 2 epochs: all checksums match\n',
      stderr: '',
    });
    expect(damaged).toMatchObject({ exitCode: 3, stdout: '' });
    expect(damaged.stderr).toMatch(/^bot\.journal: epoch 1, event 7: .*\n.*docs\/journal\.md/);
    expect([absent.exitCode, absent.stderr]).toEqual([
      1,
      expect.stringContaining('E_JOURNAL_MISSING'),
    ]);
  });
});

describe('evenkeel journal verify, of a journal that was cut off', () => {
  it('exits with 3, says what is damaged, and how the bot continues', async () => {
    const file = await aWrittenJournal();
    await truncate(file, 8_192);

    const cut = await runCommand(path.dirname(file), ['journal', 'verify', 'bot.journal']);

    expect([cut.exitCode, cut.stdout]).toEqual([3, '']);
    expect(cut.stderr).toMatch(
      /the journal is damaged .*live\.externalOrders: claim.*\n.*docs\/journal\.md/,
    );
  });
});

describe('watchJournalFile', () => {
  async function watched(change: (file: string) => Promise<void> | void) {
    const file = await aWrittenJournal();
    const time = new VirtualTime(START);
    const said: (string | undefined)[] = [];
    const end = watchJournalFile({ file, time, onState: (text) => said.push(text) });
    await looks(time);
    expect(said).toEqual([]);
    await change(file);
    await looks(time);
    end();
    return said;
  }

  it.each<readonly [string, (file: string) => Promise<void> | void, RegExp]>([
    ['is gone', (file) => rm(file), /journal is gone/],
    ['is another file', (file) => replace(file), /journal is another file/],
    ['was cut', (file) => truncate(file, 4_096), /was cut, from \d+ to 4096 bytes/],
    [
      'was altered',
      (file) => alter(file, 'UPDATE candles SET close = 101 WHERE event = 77'),
      /damaged \(epoch 2, event 77/,
    ],
  ])('reports once that the journal %s', async (_what, change, text) => {
    expect(await watched(change)).toEqual([expect.stringMatching(text)]);
  });
});

/** Lets a minute pass, and lets the disk answer after each look at the file. */
async function looks(time: VirtualTime): Promise<void> {
  for (let passed = 0; passed < MINUTE_MS; passed += 5_000) {
    await time.advance(5_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Replaces the file by another file with the same bytes. */
async function replace(file: string): Promise<void> {
  await copyFile(file, `${file}.copy`);
  await rename(`${file}.copy`, file);
}
