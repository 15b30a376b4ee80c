import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import { startingCheckpoint, type EngineCheckpoint } from '../../../src/engine/index.js';
import { readJournal, verifyJournal, type SqliteJournal } from '../../../src/journal/index.js';
import { START } from '../../support/engine/engine.js';
import { failureOf } from '../../support/failure.js';
import { aHeader, aJournal, journalFile } from '../../support/journal/journal.js';

const breathe = (): Promise<void> => Promise.resolve();
const CHECKPOINT_EVERY = 10_000;

function aCheckpoint(lastIntentId: number): EngineCheckpoint {
  const balances = { spot: new Map([['USDT', parseFixed('10000')]]) };
  return { ...startingCheckpoint(balances), lastIntentId };
}

/** Appends `count` timer events without commands. */
function append(journal: SqliteJournal, count: number): void {
  for (let index = 0; index < count; index += 1)
    journal.append({ kind: 'timer', time: START + index * MINUTE_MS }, []);
}

describe('a checkpoint within an epoch', () => {
  it('is due after a fixed number of events, counted across restarts', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());

    append(journal, CHECKPOINT_EVERY - 1);
    const before = journal.isCheckpointDue;
    append(journal, 1);
    const due = journal.isCheckpointDue;
    journal.keepCheckpoint(aCheckpoint(7));
    const after = journal.isCheckpointDue;
    append(journal, CHECKPOINT_EVERY - 1);
    journal.close();
    const next = await aJournal(file);
    next.resumeEpoch();
    const resumed = next.isCheckpointDue;
    append(next, 1);

    expect([before, due, after, resumed, next.isCheckpointDue]).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('is read as the newest one, with only the entries after it', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());
    append(journal, 3);
    journal.keepCheckpoint(aCheckpoint(1));
    append(journal, 4);
    journal.keepCheckpoint(aCheckpoint(2));
    append(journal, 2);
    journal.flush();

    const reader = await readJournal(file);
    const [epoch] = reader.epochs();
    if (epoch === undefined) throw new Error('expected an epoch');
    const kept = reader.keptCheckpoint(epoch);
    const entries = [...reader.entries(epoch, kept)];
    const last = reader.lastEvent(epoch);
    reader.close();

    expect(kept).toMatchObject({ event: 7, checkpoint: aCheckpoint(2) });
    expect(entries.map(({ id, isIntact }) => [id, isIntact])).toEqual([
      [8, true],
      [9, true],
    ]);
    expect(last).toBe(9);
  });

  it('is dropped at the end of its epoch', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());
    append(journal, 3);
    journal.keepCheckpoint(aCheckpoint(1));
    journal.closeEpoch('stopped');
    journal.beginEpoch(aHeader());
    append(journal, 1);
    journal.flush();

    const reader = await readJournal(file);
    const kept = reader.epochs().map((epoch) => reader.keptCheckpoint(epoch));
    reader.close();

    expect(kept).toEqual([undefined, undefined]);
  });

  it.each([
    ['altered', `UPDATE checkpoints SET body = replace(body, '10000', '10001')`],
    ['kept after another event', 'UPDATE checkpoints SET event = 2'],
  ])('is rejected if it was %s, and verify reports it', async (_what, sql) => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());
    append(journal, 3);
    journal.keepCheckpoint(aCheckpoint(1));
    journal.close();
    const db = new Database(file);
    db.exec(sql);
    db.close();

    const reader = await readJournal(file);
    const [epoch] = reader.epochs();
    const failure = failureOf(() => epoch && reader.keptCheckpoint(epoch));
    reader.close();
    const { damage } = await verifyJournal(file, { breathe });

    expect(failure).toMatchObject({ code: 'E_JOURNAL_CORRUPT' });
    expect(damage).toEqual([expect.stringMatching(/epoch 1: .*the state stored after event/)]);
  });
});
