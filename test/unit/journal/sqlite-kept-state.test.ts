import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { readJournal, replayEntry, type StoredEntry } from '../../../src/journal/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aMinute, aStartedEngine, closing } from '../../support/engine/engine.js';
import { aHeader, aJournal, journalFile } from '../../support/journal/journal.js';

class Counter extends CandleStrategy({}, { state: { candles: 0 } }) {
  override onCandle({ close }: { readonly close: number }): void {
    if (close > 100) this.state.candles += 1;
  }
}

const KEPT = { version: 1, members: '{ candles: number }', json: '{"candles":0}' };
const HEADER = aHeader({ checkpoint: { ...aHeader().checkpoint, state: KEPT } });
const ONE = '{"candles":1}';

/** A journal of one minute that changes the kept state and one that does not, closed with the state at the end. */
async function recorded(): Promise<string> {
  const file = await journalFile();
  const journal = await aJournal(file);
  journal.beginEpoch(HEADER);
  const engine = aStartedEngine(Counter, { journal });
  for (const close of [101, 99]) engine.process(closing(aMinute(close === 101 ? 1 : 2, { close })));
  journal.closeEpoch('stopped', engine.checkpoint());
  journal.close();
  return file;
}

async function entriesOf(file: string): Promise<readonly StoredEntry[]> {
  const reader = await readJournal(file);
  try {
    const epoch = reader.epochs().at(-1);
    return epoch === undefined ? [] : [...reader.entries(epoch)];
  } finally {
    reader.close();
  }
}

function alter(file: string, sql: string): void {
  const db = new Database(file);
  expect(db.prepare(sql).run().changes).toBe(1);
  db.close();
}

describe('the stored state of a strategy', () => {
  it('is read back with its event, and with header and ending', async () => {
    const file = await recorded();

    const reader = await readJournal(file);
    const [epoch] = reader.epochs();
    reader.close();

    expect((await entriesOf(file)).map(({ state, isIntact }) => [state, isIntact])).toEqual([
      [ONE, true],
      [undefined, true],
    ]);
    expect(epoch?.header.checkpoint.state).toEqual(KEPT);
    expect(epoch?.ending?.state).toEqual({ ...KEPT, json: ONE });
  });

  it('is committed at once', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(HEADER);

    journal.append(closing(aMinute(1)), [], []);
    const before = await entriesOf(file);
    journal.append(closing(aMinute(2)), [], [], ONE);

    expect(before).toEqual([]);
    expect(await entriesOf(file)).toHaveLength(2);
  });

  it('can be read with plain SQL', async () => {
    const db = new Database(await recorded(), { readonly: true });

    expect(db.prepare('SELECT event, body FROM state_log').all()).toEqual([
      { event: 1, body: ONE },
    ]);
    db.close();
  });

  it('makes its entries not intact if it was altered', async () => {
    const file = await recorded();

    alter(file, `UPDATE states SET body = '{"candles":2}'`);

    expect((await entriesOf(file)).map(({ isIntact }) => isIntact)).toEqual([false, false]);
  });

  it.each(['checkpoint', 'ending'])('is rejected if the %s was altered', async (column) => {
    const file = await recorded();

    alter(
      file,
      `UPDATE epochs SET ${column} = replace(${column}, '\\"candles\\":', '\\"candles\\":1'), digest = NULL`,
    );

    await expect(entriesOf(file)).rejects.toMatchObject({
      code: 'E_JOURNAL_CORRUPT',
      message: expect.stringContaining(
        'in the header of epoch 1: the state of the strategy was altered: expected ',
      ) as unknown,
    });
  });
});

describe('replayEntry with a stored state', () => {
  const EVENT = closing(aMinute(1, { close: 101 }));
  const entry = (state?: string): StoredEntry => ({
    ...{ id: 7, event: EVENT, commands: [], intents: [], isIntact: true },
    state,
  });

  it('reports no divergence if the state is equal', () => {
    expect(replayEntry(aStartedEngine(Counter), entry(ONE))).toBeUndefined();
  });

  it.each([
    ['{"candles":2}', 'the state {"candles":2}'],
    [undefined, 'the state as it was'],
  ])('reports a state that differs from %s', (state, expected) => {
    expect(replayEntry(aStartedEngine(Counter), entry(state))).toEqual({
      eventId: 7,
      event: 'candles spot:BTCUSDT 1min at 2025-01-01T00:01:00Z',
      what: 'state',
      expected,
      received: `the state ${ONE}`,
    });
  });
});
