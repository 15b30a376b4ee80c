import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, PRODUCT_KINDS } from '../../../src/domain/index.js';
import { startingCheckpoint, type EngineCheckpoint } from '../../../src/engine/index.js';
import {
  candleToRow,
  commandFromRow,
  commandToRow,
  eventFromRows,
  eventToRow,
} from '../../../src/journal/event-rows.js';
import { readExact, writeExact } from '../../../src/journal/exact-json.js';
import { journalEntries } from '../../support/arbitraries/engine-events.js';
import { lawRuns, propertySeed } from '../../support/runs.js';
import { aHeader, aJournal, journalFile, storedEntries } from '../../support/journal/journal.js';

describe('a journal', () => {
  it('returns every written stream of events and commands unchanged', async () => {
    const file = await journalFile();
    const journal = await aJournal(file, { commits: 'grouped', groupSize: 100_000 });
    // Long streams in few commits: the test is about the values, not about the disk.
    const streams = fc.sample(journalEntries(200), { numRuns: 10, seed: propertySeed() });

    for (const entries of streams) {
      journal.beginEpoch(aHeader());
      for (const { event, commands } of entries) journal.append(event, commands);
    }
    journal.flush();

    expect(new Set(streams.flat().map(({ event }) => event.kind)).size).toBe(11);
    for (const [index, entries] of streams.entries())
      expect(await storedEntries(file, index + 1)).toEqual(entries);
  });

  it('restores every event and command from its rows', () => {
    fc.assert(
      fc.property(journalEntries(), (entries) => {
        for (const { event, commands } of entries) {
          const candles = event.kind === 'candles' ? event.candles.map(candleToRow) : [];

          expect(eventFromRows(eventToRow(event), candles)).toEqual(event);
          expect(commands.map(commandToRow).map(commandFromRow)).toEqual(commands);
        }
      }),
      { numRuns: lawRuns() },
    );
  });
});

describe('exact JSON', () => {
  it('restores a written checkpoint exactly', () => {
    const amount = fc.bigInt();
    const side = {
      instrumentId: fc.constant(createInstrumentId('futures', 'E-BTC-USDT')),
      direction: fc.constantFrom('long' as const, 'short' as const),
    };
    const changed: fc.Arbitrary<Partial<EngineCheckpoint>> = fc.record({
      lastIntentId: fc.nat(),
      balances: fc.array(
        fc.record({
          account: fc.constantFrom(...PRODUCT_KINDS),
          asset: fc.string(),
          total: amount,
        }),
      ),
      positions: fc.array(
        fc.record({
          ...side,
          quantity: amount,
          entryValue: amount,
          isHeld: fc.boolean(),
          money: fc.record({ margin: amount, kept: amount }),
        }),
      ),
      sides: fc.array(
        fc.record({
          ...side,
          guard: fc.record({
            stop: amount,
            takeProfit: amount,
            best: amount,
            trail: fc.record({ kind: fc.constant('ratio' as const), amount }),
          }),
          isTakeProfitRefused: fc.boolean(),
          hasStopFailed: fc.boolean(),
          exitJobs: fc.array(
            fc.record({
              intentId: fc.nat(),
              role: fc.constant('stop' as const),
              withdrawsEntries: fc.boolean(),
              since: fc.nat(),
              intent: fc.record({
                kind: fc.constant('exit' as const),
                limitPrice: amount.map(String),
                size: fc.record({ quantity: amount.map(String) }),
                label: fc.string({ unit: 'grapheme' }),
              }),
            }),
            { maxLength: 3 },
          ),
          rests: fc.constant([]),
          entryNotional: amount,
          entryQuantity: amount,
        }),
      ),
    });
    const checkpoint = changed.map((change) => ({ ...startingCheckpoint({}), ...change }));

    fc.assert(
      fc.property(checkpoint, (value) => {
        expect(readExact(writeExact(value))).toEqual(value);
      }),
    );
  });

  it.each([
    ['an amount at a key for texts', { text: 1n }],
    ['a text at a key for amounts', { price: '1' }],
    ['a number that is none', { price: Number.NaN }],
    ['an endless number', { price: Number.POSITIVE_INFINITY }],
  ])('refuses %s', (_what, value) => {
    expect(() => writeExact(value)).toThrow(expect.objectContaining({ code: 'E_JOURNAL_FIELD' }));
  });
});
