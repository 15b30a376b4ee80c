import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseFixed, type JournalError } from '../../../src/domain/index.js';
import { openJournal, readJournal } from '../../../src/journal/index.js';
import type { Command, EngineCheckpoint, EngineEvent } from '../../../src/engine/index.js';
import { MIGRATIONS, prepareSchema } from '../../../src/journal/schema.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';
import { aMinute, aStartedEngine, closing, passing, START } from '../../support/engine/engine.js';
import { aHeader, aJournal, journalFile, storedEntries } from '../../support/journal/journal.js';

const TICKER: EngineEvent = {
  kind: 'ticker',
  time: START,
  instrumentId: aMinute(1).instrumentId,
  last: parseFixed('60000.1'),
};
const CANCEL = {
  kind: 'cancel',
  clientOrderId: 'test-1-0-0',
  instrumentId: TICKER.instrumentId,
} as Command;

/** The error code of a failed open or read, or `none`. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as JournalError).code,
  );
}

/** Runs SQL on a file, like another program. */
function alter(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe('the journal on disk', () => {
  it('has an event with commands as soon as it is appended, with all events before it', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());

    journal.append(TICKER, []);
    const before = await storedEntries(file);
    journal.append(closing(aMinute(1)), [CANCEL]);

    expect(before).toEqual([]);
    expect(await storedEntries(file)).toEqual([
      { event: TICKER, commands: [] },
      { event: closing(aMinute(1)), commands: [CANCEL] },
    ]);
  });

  it('has flushed events, and each full group of events without commands', async () => {
    const file = await journalFile();
    const journal = await aJournal(file, { groupSize: 3 });
    journal.beginEpoch(aHeader());

    for (const minute of [1, 2, 3, 4]) journal.append(passing(START + minute), []);
    const grouped = await storedEntries(file);
    journal.flush();

    expect(grouped).toHaveLength(3);
    expect(await storedEntries(file)).toHaveLength(4);
  });

  it('has operator and health events at once, with all events before them', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());

    journal.append(TICKER, []);
    const waiting = await storedEntries(file);
    journal.append({ kind: 'operator', time: START, action: 'reduce-only' }, []);
    const told = await storedEntries(file);
    journal.append({ kind: 'health', time: START, isDegraded: true, text: 'stale' }, []);

    expect(waiting).toEqual([]);
    expect(told).toHaveLength(2);
    expect(await storedEntries(file)).toHaveLength(3);
  });

  it('has account updates of the venue at once, with all events before them', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());

    journal.append(TICKER, []);
    const waiting = await storedEntries(file);
    const eventTime = START;
    const told = { kind: 'interest', asset: 'USDT', amount: 1n, eventTime, of: 'hour' } as const;
    journal.append({ kind: 'venue', time: START, update: told }, []);

    expect(waiting).toEqual([]);
    expect(await storedEntries(file)).toHaveLength(2);
  });

  it('has only full groups with grouped commits, also of events with commands', async () => {
    const file = await journalFile();
    const journal = await aJournal(file, { commits: 'grouped', groupSize: 2 });
    journal.beginEpoch(aHeader());

    journal.append(TICKER, [CANCEL]);
    const first = await storedEntries(file);
    journal.append(TICKER, [CANCEL]);

    expect(first).toEqual([]);
    expect(await storedEntries(file)).toHaveLength(2);
  });

  it('can be read with plain SQL', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());
    journal.append(TICKER, []);
    journal.append(closing(aMinute(1, { close: 101.5 })), [CANCEL]);
    const db = new Database(file, { readonly: true });
    onTestFinished(() => void db.close());

    expect(db.prepare('SELECT * FROM event_log').all()).toEqual([
      {
        id: 1,
        utc: '2025-01-01T00:00:00.000Z',
        kind: 'ticker',
        instrument: 'spot:BTCUSDT',
        body: '60000.1',
      },
      { id: 2, utc: '2025-01-01T00:01:00.000Z', kind: 'candles', instrument: null, body: null },
    ]);
    expect(db.prepare('SELECT interval, opened, close FROM candle_log').all()).toEqual([
      { interval: '1min', opened: '2025-01-01T00:00:00.000Z', close: 101.5 },
    ]);
    expect(db.prepare('SELECT utc, kind, client_order_id FROM command_log').all()).toEqual([
      { utc: '2025-01-01T00:01:00.000Z', kind: 'cancel', client_order_id: 'test-1-0-0' },
    ]);
  });
});

describe('epochs of a journal', () => {
  it('keep their header, and a new epoch closes the epoch before it', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());
    journal.append(TICKER, []);
    journal.beginEpoch(aHeader({ seed: 2 }));
    journal.append(TICKER, [CANCEL]);
    journal.closeEpoch('stopped', aHeader().checkpoint);
    const reader = await readJournal(file);
    onTestFinished(() => {
      reader.close();
    });

    expect(reader.epochs()).toStrictEqual([
      {
        ...{ id: 1, firstEvent: 1, header: aHeader() },
        ...{ closed: 'followed by another', ending: undefined },
      },
      {
        ...{ id: 2, firstEvent: 2, header: aHeader({ seed: 2 }) },
        ...{ closed: 'stopped', ending: aHeader().checkpoint },
      },
    ]);
    expect(await storedEntries(file, 1)).toEqual([{ event: TICKER, commands: [] }]);
  });

  it('are read from the first format, whose checkpoint has only balances', async () => {
    const file = await journalFile();
    const journal = await openJournal({ file });
    journal.beginEpoch(aHeader());
    journal.close();
    const first = {
      lastIntentId: 0,
      balances: [{ account: 'spot', asset: 'USDT', total: '10000.000000000000000001' }],
      ...{ positions: [], orders: [], halts: [] },
    };
    const read = async (checkpoint: object): Promise<EngineCheckpoint | undefined> => {
      alter(file, `UPDATE epochs SET checkpoint = '${JSON.stringify(checkpoint)}', digest = NULL`);
      const reader = await readJournal(file);
      try {
        return reader.epochs()[0]?.header.checkpoint;
      } finally {
        reader.close();
      }
    };

    expect(await read(first)).toEqual(aHeader().checkpoint);
    await expect(read({ ...first, lastIntentId: 7 })).rejects.toMatchObject({
      code: 'E_JOURNAL_CORRUPT',
      message: expect.stringContaining(
        'in the header of epoch 1: the checkpoint has no "protections"',
      ) as string,
    });
    await expect(read({ protections: {}, balances: [] })).rejects.toMatchObject({
      message: expect.stringContaining('the checkpoint has no "positions"') as string,
    });
  });

  it('continue after a restart', async () => {
    const file = await journalFile();
    const first = await openJournal({ file });
    first.beginEpoch(aHeader());
    first.append(TICKER, []);
    first.close();
    const second = await aJournal(file);

    second.resumeEpoch();
    second.append(TICKER, [CANCEL]);

    expect(await storedEntries(file)).toEqual([
      { event: TICKER, commands: [] },
      { event: TICKER, commands: [CANCEL] },
    ]);
  });

  it('must be open for an append and for a resume', async () => {
    const journal = await aJournal(await journalFile());

    const failures = (): readonly Error[] =>
      [() => journal.append(TICKER, []), () => journal.resumeEpoch()].map((call) =>
        failureOf(call),
      );
    const expected = [{ code: 'E_JOURNAL_EPOCH' }, { code: 'E_JOURNAL_EPOCH' }];
    expect(failures()).toMatchObject(expected);

    journal.beginEpoch(aHeader());
    journal.append(TICKER, []);
    journal.closeEpoch('the run ended');
    expect(failures()).toMatchObject(expected);
  });
});

describe('the writer lock of a journal', () => {
  it('rejects a second writer', async () => {
    const file = await journalFile();
    await aJournal(file);

    await expect(openJournal({ file })).rejects.toMatchObject({
      code: 'E_JOURNAL_LOCKED',
      message: expect.stringContaining('its own name') as string,
    });
  });

  it('is released when its process is killed', async () => {
    const file = await journalFile();
    const driver = createRequire(import.meta.url).resolve('better-sqlite3');
    const script = `const db = new (require(${JSON.stringify(driver)}))(${JSON.stringify(`${file}-lock`)});
      db.exec('BEGIN EXCLUSIVE'); console.log('held'); process.stdin.resume();`;
    const other = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');

    const held = await codeOf(openJournal({ file }));
    other.kill('SIGKILL');
    await once(other, 'exit');

    expect(held).toBe('E_JOURNAL_LOCKED');
    await aJournal(file);
  });

  it('lets others read while it is held', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader());

    expect(await storedEntries(file)).toEqual([]);
  });
});

describe('a full disk', () => {
  /** A journal with room for a few dozen events. */
  async function smallJournal(file: string): ReturnType<typeof aJournal> {
    const empty = await openJournal({ file });
    empty.close();
    const journal = await aJournal(file, { maxBytes: (await stat(file)).size + 4_096 });
    journal.beginEpoch(aHeader());
    return journal;
  }

  it('fails with E_JOURNAL_FULL for good and leaves whole entries', async () => {
    const file = await journalFile();
    const journal = await smallJournal(file);
    let appended = 0;
    const failure = failureOf(() => {
      for (;;) {
        journal.append(closing(aMinute(appended + 1)), [CANCEL]);
        appended += 1;
      }
    });

    expect(failure).toMatchObject({ code: 'E_JOURNAL_FULL' });
    expect(failureOf(() => journal.append(TICKER, []))).toBe(failure);
    expect(failureOf(() => journal.flush())).toBe(failure);
    const stored = await storedEntries(file);
    expect(stored).toHaveLength(appended);
    expect(stored.every(({ commands }) => commands.length === 1)).toBe(true);
  });

  it('stops the engine, which returns only recorded commands', async () => {
    class Buyer extends CandleStrategy({}) {
      override onCandle(): void {
        this.enterLong({ notional: '100' }, { add: true });
      }
    }
    const file = await journalFile();
    const journal = await smallJournal(file);
    const engine = aStartedEngine(Buyer, { journal, balances: { USDT: '1000000' } });
    let commands = 0;

    const failure = failureOf(() => {
      for (let minute = 1; ; minute += 1)
        commands += engine.process(closing(aMinute(minute))).length;
    });

    expect(failure).toMatchObject({ code: 'E_JOURNAL_FULL' });
    expect(failureOf(() => engine.assertHealthy())).toBe(failure);
    const recorded = (await storedEntries(file)).flatMap((entry) => entry.commands);
    expect(commands).toBeGreaterThan(0);
    expect(recorded).toHaveLength(commands);
  });
});

describe('a file that is not a valid journal', () => {
  it('is rejected and not changed if it is a text file', async () => {
    const file = await journalFile();
    await writeFile(file, 'name: bot\n'.repeat(100));

    await expect(openJournal({ file })).rejects.toMatchObject({ code: 'E_JOURNAL_FOREIGN' });
    await expect(readJournal(file)).rejects.toMatchObject({ code: 'E_JOURNAL_FOREIGN' });
    expect(await readFile(file, 'utf8')).toBe('name: bot\n'.repeat(100));
  });

  it('is rejected if it is the database of another program', async () => {
    const file = await journalFile();
    alter(file, 'CREATE TABLE cats (name TEXT)');

    await expect(openJournal({ file })).rejects.toMatchObject({
      code: 'E_JOURNAL_FOREIGN',
      message: expect.stringContaining('nothing was changed') as string,
    });
  });

  it('is rejected if its version is newer', async () => {
    const file = await journalFile();
    (await openJournal({ file })).close();
    alter(file, 'PRAGMA user_version = 99');

    expect(await codeOf(openJournal({ file }))).toBe('E_JOURNAL_VERSION');
    expect(await codeOf(readJournal(file))).toBe('E_JOURNAL_VERSION');
  });

  it('is rejected if the file or its folder is missing', async () => {
    const file = await journalFile();

    expect(await codeOf(readJournal(file))).toBe('E_JOURNAL_MISSING');
    expect(await codeOf(openJournal({ file: `${file}/deeper/bot.journal` }))).toBe(
      'E_JOURNAL_OPEN',
    );
  });

  it('is rejected if it is damaged', async () => {
    const file = await journalFile();
    const journal = await openJournal({ file, commits: 'grouped', groupSize: 1_000 });
    journal.beginEpoch(aHeader());
    for (let minute = 1; minute <= 500; minute += 1) journal.append(closing(aMinute(minute)), []);
    journal.close();
    const bytes = await readFile(file);
    bytes.fill(0xa5, 3 * 4_096, 6 * 4_096);
    await writeFile(file, bytes);

    await expect(openJournal({ file })).rejects.toMatchObject({
      code: 'E_JOURNAL_CORRUPT',
      message: expect.stringContaining('restore a copy') as string,
    });
  });

  it.each([
    ["UPDATE events SET body = '{' WHERE id = 2", 'in event 2'],
    ["UPDATE events SET body = '{}' WHERE id = 2", 'a body without "update"'],
    ["UPDATE events SET kind = 'rumor' WHERE id = 1", 'unknown kind "rumor"'],
    ["UPDATE events SET body = 'much' WHERE id = 1", 'received "much"'],
    ['DELETE FROM events WHERE id = 1', 'event 2 instead of 1'],
    ["UPDATE commands SET kind = 'guess'", 'unknown kind "guess"'],
    ["UPDATE streams SET instrument = 'BTC'", 'received "BTC"'],
    ["UPDATE epochs SET source = 'here', digest = NULL", 'epoch 1'],
    ['UPDATE epochs SET started = started + 1', 'header of epoch 1: it was changed'],
  ])('is rejected if its rows were altered: %s', async (sql, what) => {
    const file = await journalFile();
    const journal = await openJournal({ file });
    journal.beginEpoch(aHeader());
    journal.append(TICKER, []);
    const update = { kind: 'margin-warning', level: 1n, eventTime: START } as const;
    journal.append({ kind: 'venue', time: START, update }, [CANCEL]);
    journal.close();
    alter(file, sql);

    await expect(storedEntries(file)).rejects.toMatchObject({
      code: 'E_JOURNAL_CORRUPT',
      message: expect.stringContaining(what) as string,
    });
  });
});

describe('the SQLite driver', () => {
  it('is named with its install command if it is missing', async () => {
    const file = await journalFile();
    const loadDriver = (): Promise<never> => Promise.reject(new Error('no such module'));

    await expect(openJournal({ file, loadDriver })).rejects.toMatchObject({
      code: 'E_JOURNAL_DRIVER',
      message: expect.stringContaining('npm install better-sqlite3') as string,
    });
  });

  it('is named with the rebuild command if its native part is for another Node.js', async () => {
    const ofAnotherNode = function (): never {
      throw new Error('was compiled against a different Node.js version');
    };
    const file = await journalFile();
    const loadDriver = (): Promise<{ default: typeof Database }> =>
      Promise.resolve({ default: ofAnotherNode as unknown as typeof Database });

    await expect(openJournal({ file, loadDriver })).rejects.toMatchObject({
      code: 'E_JOURNAL_DRIVER',
      message: expect.stringMatching(/a different Node[^]*npm rebuild better-sqlite3/) as string,
    });
  });

  it('is rejected if its setting does not make commits durable', async () => {
    class Hasty extends Database {
      override pragma(source: string, options?: Database.PragmaOptions): unknown {
        return source === 'synchronous' ? 1 : super.pragma(source, options);
      }
    }
    const file = await journalFile();
    const loadDriver = (): Promise<{ default: typeof Database }> =>
      Promise.resolve({ default: Hasty as unknown as typeof Database });

    expect(await codeOf(openJournal({ file, loadDriver }))).toBe('E_JOURNAL_DURABILITY');
    // The failed open has released its lock.
    await aJournal(file);
  });
});

describe('a schema of an older version', () => {
  it('is migrated with its content by the writer, and rejected by a reader', async () => {
    const file = await journalFile();
    const journal = await openJournal({ file });
    journal.beginEpoch(aHeader());
    journal.append(TICKER, [CANCEL]);
    journal.close();
    const newer = [...MIGRATIONS, 'ALTER TABLE epochs ADD COLUMN note TEXT'];
    const db = new Database(file);
    onTestFinished(() => void db.close());

    const unread = failureOf(() => prepareSchema(db, file, { create: false, migrations: newer }));
    prepareSchema(db, file, { create: true, migrations: newer });

    expect(unread).toMatchObject({ code: 'E_JOURNAL_VERSION' });
    expect(db.pragma('user_version', { simple: true })).toBe(newer.length);
    expect(db.prepare('SELECT id, note FROM epochs').all()).toEqual([{ id: 1, note: null }]);
    expect(db.prepare('SELECT count(*) FROM commands').pluck().get()).toBe(1);
  });
});

describe('file permissions of a journal', () => {
  it.each(['new', 'old'])(
    'close a %s journal, its log and its lock to other users',
    async (age) => {
      const file = await journalFile();
      const files = ['', '-wal', '-shm', '-lock'].map((end) => `${file}${end}`);
      if (age === 'old') {
        (await openJournal({ file })).close();
        for (const each of [file, `${file}-lock`]) await chmod(each, 0o666);
      }

      const journal = await openJournal({ file });
      onTestFinished(() => journal.close());

      for (const each of files) expect((await stat(each)).mode & 0o777, each).toBe(0o600);
    },
  );
});
