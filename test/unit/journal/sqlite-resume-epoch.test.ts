import { copyFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseFixed, type ClientOrderId } from '../../../src/domain/index.js';
import {
  openJournal,
  readJournal,
  replayEntry,
  type SqliteJournal,
  type StoredEntry,
} from '../../../src/journal/index.js';
import type { Engine, EngineEvent, Journal } from '../../../src/engine/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { SPOT } from '../../support/risk/builders.js';
import { aMinute, aStartedEngine, closing, START } from '../../support/engine/engine.js';
import { aHeader, aJournal, journalFile } from '../../support/journal/journal.js';

/** Buys with one candle and sells with the next, in turns. */
class Swinging extends CandleStrategy({}) {
  override onCandle(): void {
    if (this.position.quantity.isZero())
      this.enterLong({ quantity: '1' }, { limitPrice: '100', label: 'in' });
    else this.exit();
  }
}

/** Some minutes of events: candles that lead to orders, fills of these orders, and tickers without effect. */
const EVENTS: readonly EngineEvent[] = Array.from({ length: 8 }, (_, index) => {
  const { closeTime: time } = aMinute(index + 1);
  const clientOrderId = `test-${(index + 1).toString(36)}-0-0` as ClientOrderId;
  const isEntry = index % 2 === 0;
  const fill = {
    clientOrderId,
    instrumentId: SPOT.id,
    side: isEntry ? ('buy' as const) : ('sell' as const),
    action: isEntry ? ('open' as const) : ('close' as const),
    price: parseFixed('100'),
    quantity: parseFixed('1'),
    fee: 0n,
    feeAsset: 'USDT',
    liquidity: 'taker' as const,
    eventTime: time,
  };
  const ticker = (last: string): EngineEvent => ({
    kind: 'ticker',
    time,
    instrumentId: SPOT.id,
    last: parseFixed(last),
  });
  return [
    closing(aMinute(index + 1)),
    {
      kind: 'venue' as const,
      time,
      update: { kind: 'fill' as const, clientOrderId, fill, isFilled: true, eventTime: time },
    },
    ticker('100.5'),
    ticker('99.5'),
  ];
}).flat();

/** A copy of the journal's files as they are on the disk now, like after a crash. */
async function crashCopy(file: string): Promise<string> {
  const copy = await journalFile();
  for (const end of ['', '-wal'])
    if (existsSync(file + end)) await copyFile(file + end, copy + end);
  return copy;
}

async function entriesOf(file: string): Promise<readonly StoredEntry[]> {
  const reader = await readJournal(file);
  try {
    const epoch = reader.epochs().at(-1);
    if (epoch === undefined) throw new Error('expected an epoch');
    return [...reader.entries(epoch)];
  } finally {
    reader.close();
  }
}

/** Restarts like a bot: replays the journal, then continues the epoch. */
async function recover(file: string): Promise<{
  readonly engine: Engine;
  readonly journal: SqliteJournal;
  readonly replayed: number;
}> {
  const journal = await openJournal({ file });
  const sink: { journal: Journal | undefined } = { journal: undefined };
  const engine = aStartedEngine(Swinging, {
    journal: {
      append: (event, commands, intents) => sink.journal?.append(event, commands, intents),
    },
  });
  const entries = await entriesOf(file);
  for (const entry of entries) expect(replayEntry(engine, entry)).toBeUndefined();
  journal.resumeEpoch();
  sink.journal = journal;
  return { engine, journal, replayed: entries.length };
}

describe('an epoch after a crash', () => {
  const uncut = aStartedEngine(Swinging);
  for (const event of EVENTS) uncut.process(event);

  it('is replayed from the disk after a crash at any event, continues, and ends complete', async () => {
    const file = await journalFile();
    const journal = await aJournal(file, { groupSize: 4 });
    journal.beginEpoch(aHeader());
    const engine = aStartedEngine(Swinging, { journal });
    let lost = 0;
    let working = 0;

    for (const [index, event] of EVENTS.entries()) {
      const isOrdered = engine.process(event).length > 0;
      const copy = await crashCopy(file);
      const recovered = await recover(copy);
      // An event that led to an order is never lost. Other events are polled again.
      lost += index + 1 - recovered.replayed;
      if (isOrdered) expect(recovered.replayed).toBe(index + 1);
      working += recovered.engine.checkpoint().orders.length;
      for (const again of EVENTS.slice(recovered.replayed)) recovered.engine.process(again);
      recovered.journal.close();

      const entries = await entriesOf(copy);
      expect(entries.map((entry) => entry.event)).toEqual(EVENTS);
      expect(entries.every(({ isIntact }) => isIntact)).toBe(true);
      expect(recovered.engine.checkpoint()).toEqual(uncut.checkpoint());
      const replayed = aStartedEngine(Swinging);
      for (const entry of entries) expect(replayEntry(replayed, entry)).toBeUndefined();
    }

    expect(lost).toBeGreaterThan(0);
    expect(working).toBeGreaterThan(0);
  });

  it('survives several crashes in a row', async () => {
    let file = await journalFile();
    const begun = await openJournal({ file });
    begun.beginEpoch(aHeader());
    begun.append(
      EVENTS[0] as EngineEvent,
      aStartedEngine(Swinging).process(EVENTS[0] as EngineEvent),
    );
    begun.flush();
    let from = await crashCopy(file);
    begun.close();

    for (let crashes = 0; crashes < 5; crashes += 1) {
      const { engine, journal, replayed } = await recover(from);
      for (const event of EVENTS.slice(replayed, replayed + 5)) engine.process(event);
      file = from;
      from = await crashCopy(file);
      journal.close();
    }
    const { engine, journal, replayed } = await recover(from);
    for (const event of EVENTS.slice(replayed)) engine.process(event);
    journal.close();

    expect((await entriesOf(from)).map(({ event }) => event)).toEqual(EVENTS);
    expect(engine.checkpoint()).toEqual(uncut.checkpoint());
  });

  it('is resumed from its header alone if it has no event', async () => {
    const file = await journalFile();
    const journal = await aJournal(file);
    journal.beginEpoch(aHeader({ started: START }));

    const recovered = await recover(await crashCopy(file));
    recovered.engine.process(EVENTS[0] as EngineEvent);
    recovered.journal.close();

    expect(recovered.replayed).toBe(0);
  });
});
