import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound, openArchive, sliceColumns } from '../../../src/archive/index.js';
import {
  formatUtc,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
  type EpochMs,
} from '../../../src/domain/index.js';
import {
  FUTURES_ID,
  MARKET_START,
  SPOT_ID,
  testCandles,
  testInstruments,
} from '../../support/local-exchange/test-exchange.js';
import { rowsOf } from '../../support/candle-columns.js';
import { FUNDING_MS, RecordRig } from '../../support/record-rig.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RATE = parseFixed('0.0003');
const SPOT_ONLY = [{ instrumentId: SPOT_ID, interval: '1min' }] as const;

/** The test instruments. The contract has funding, and its rules change after some minutes. */
function instruments(): ReturnType<typeof testInstruments> {
  return testInstruments().map((source) => {
    const [first] = source.rules;
    if (source.instrument.kind !== 'futures' || first === undefined) return source;
    const later = { ...first.rules, maxWorkingOrders: 100 };
    return {
      ...source,
      funding: { constant: { rate: RATE, intervalMs: FUNDING_MS } },
      rules: [first, { from: MARKET_START + 3 * MINUTE_MS, rules: later }],
    };
  });
}

/** The candles that the exchange has for a range. */
function served(from: EpochMs, to: EpochMs): CandleColumns {
  const columns = testCandles();
  const { openTime } = columns;
  return sliceColumns(columns, lowerBound(openTime, from), lowerBound(openTime, to));
}

const stored = async ({ folder }: RecordRig): Promise<CandleColumns> =>
  openArchive(folder).read(SPOT_ID, '1min', { verify: true });

const gapsOf = (rig: RecordRig, name: string): readonly string[] =>
  rig.said.filter((line) => line.startsWith(`${name}: gap`));

describe('data record', () => {
  it('stores candles, marks, funding and rules as the exchange has them', async () => {
    const rig = new RecordRig(await temporaryFolder(), { instruments: instruments() });
    await rig.start();
    await rig.pass(12 * MINUTE_MS);

    const report = await rig.stop();

    const archive = openArchive(rig.folder);
    const end = MARKET_START + 12 * MINUTE_MS;
    const columns = await stored(rig);
    // The newest 299 closed candles, and every candle that closed since. The candle that closed in the last two seconds may still be missing.
    const first = MARKET_START - 299 * MINUTE_MS;
    const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
    expect(rowsOf(columns)).toEqual(rowsOf(served(first, last)));
    expect(last).toBeGreaterThanOrEqual(end - MINUTE_MS);
    const marks = await archive.marks(FUTURES_ID, '1min', { verify: true });
    expect([...(marks?.openTime ?? [])]).toEqual(
      Array.from({ length: 12 }, (_, minute) => MARKET_START + minute * MINUTE_MS),
    );
    const { low, high } = served(MARKET_START, end);
    for (const [row, close] of (marks?.close ?? []).entries()) {
      expect(close).toBeGreaterThanOrEqual((low[row] ?? 0) - 0.01);
      expect(close).toBeLessThanOrEqual((high[row] ?? 0) + 0.01);
    }
    expect(await archive.funding(FUTURES_ID)).toEqual({
      time: Float64Array.of(MARKET_START + FUNDING_MS, MARKET_START + 2 * FUNDING_MS),
      rate: Float64Array.of(0.0003, 0.0003),
    });
    const rules = await archive.rules(FUTURES_ID);
    expect(rules.map(({ from, rules: { maxWorkingOrders } }) => [from, maxWorkingOrders])).toEqual([
      [MARKET_START, 200],
      [MARKET_START + 5 * MINUTE_MS, 100],
    ]);
    expect(rig.said).toEqual([]);
    expect(report.map(({ name, added, gaps }) => [name, added, gaps.length])).toEqual([
      [`${SPOT_ID} 1min`, columns.openTime.length, 0],
      [`${FUTURES_ID} 1min`, columns.openTime.length, 0],
      [`${FUTURES_ID} mark 1min`, 12, 0],
      [`${FUTURES_ID} funding`, 2, 0],
      [`${SPOT_ID} rules`, 1, 0],
      [`${FUTURES_ID} rules`, 2, 0],
    ]);
  });

  it('law: joins candles without a gap after stops, kills and outages', async () => {
    const interruption = fc.record({
      how: fc.constantFrom('stop', 'kill', 'down'),
      after: fc.integer({ min: 20, max: 100 }),
      away: fc.integer({ min: 1, max: 17_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(interruption, { minLength: 1, maxLength: 2 }), async (drawn) => {
        const rig = new RecordRig(await temporaryFolder(), {}, SPOT_ONLY);
        await rig.start();
        for (const { how, after, away } of drawn) {
          await rig.pass(after * 1_000);
          if (how === 'stop') await rig.stop();
          if (how === 'kill') rig.kill();
          rig.isDown = true;
          await rig.pass(away * 1_000);
          rig.isDown = false;
          if (how !== 'down') await rig.start();
        }
        await rig.pass(2 * MINUTE_MS);
        await rig.stop();

        const columns = await stored(rig);
        const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
        expect(rowsOf(columns)).toEqual(rowsOf(served(MARKET_START - 299 * MINUTE_MS, last)));
        expect(last).toBeGreaterThan(rig.now() - 2 * MINUTE_MS);
        expect(gapsOf(rig, `${SPOT_ID} 1min`)).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });

  it.each([
    ['names once what the venue no longer serves', false],
    ['fetches it where the venue honors start and end', true],
  ])('%s', async (_what, honorsTimes) => {
    for (const isKilled of [true, false]) {
      const rig = new RecordRig(await temporaryFolder(), {}, SPOT_ONLY);
      rig.honorsTimes = honorsTimes;
      await rig.start();
      await rig.pass(MINUTE_MS);
      if (isKilled) rig.kill();
      rig.isDown = true;
      await rig.pass(400 * MINUTE_MS);
      rig.isDown = false;
      if (isKilled) await rig.start();
      await rig.pass(2 * MINUTE_MS);
      const [report] = await rig.stop();

      const { openTime } = await stored(rig);
      const before = openTime.findIndex(
        (time, row) => time - (openTime[row - 1] ?? time) > MINUTE_MS,
      );
      const gaps = gapsOf(rig, `${SPOT_ID} 1min`);
      if (honorsTimes) {
        expect([before, gaps, report?.gaps]).toEqual([-1, [], []]);
        continue;
      }
      const [from, to] = [(openTime[before - 1] ?? 0) + MINUTE_MS, openTime[before] ?? 0];
      expect((to - from) / MINUTE_MS).toBeGreaterThan(100);
      expect((to - from) / MINUTE_MS).toBeLessThan(105);
      expect(gaps).toEqual([
        `${SPOT_ID} 1min: gap from ${formatUtc(from)} to ${formatUtc(to)}: the venue does not serve it`,
      ]);
      expect(report?.gaps).toEqual([{ from, to }]);
    }
  });

  it('names marks and rates that were not read', async () => {
    const rig = new RecordRig(await temporaryFolder(), { instruments: instruments() });
    await rig.start();
    await rig.pass(2 * MINUTE_MS);
    rig.kill();
    await rig.pass(7 * MINUTE_MS);
    await rig.start();
    await rig.pass(3 * MINUTE_MS);
    await rig.stop();

    const at = (minutes: number): string => formatUtc(MARKET_START + minutes * MINUTE_MS);
    expect(gapsOf(rig, `${FUTURES_ID} mark 1min`)).toEqual([
      `${FUTURES_ID} mark 1min: gap from ${at(2)} to ${at(9)}: no reading at this time`,
    ]);
    const { time } = (await openArchive(rig.folder).funding(FUTURES_ID)) ?? {};
    expect([...(time ?? [])]).toEqual([MARKET_START + 2 * FUNDING_MS]);
  });

  it('waits while the disk is full, and loses nothing', async () => {
    const rig = new RecordRig(await temporaryFolder());
    await rig.start();
    await rig.pass(2 * MINUTE_MS);
    rig.isFull = true;
    await rig.pass(3 * MINUTE_MS);
    rig.isFull = false;
    await rig.pass(MINUTE_MS);
    await rig.stop();

    const columns = await stored(rig);
    const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
    expect(rowsOf(columns)).toEqual(rowsOf(served(MARKET_START - 299 * MINUTE_MS, last)));
    const marks = await openArchive(rig.folder).marks(FUTURES_ID, '1min');
    expect(marks?.openTime).toHaveLength(6);
    expect(rig.said.filter((line) => line.startsWith(`${SPOT_ID} 1min`))).toEqual([
      expect.stringMatching(
        /: cannot store, rows are waiting: .*the disk is full \(E_DATA_WRITE\)$/,
      ),
      `${SPOT_ID} 1min: waiting rows are stored`,
    ]);
  });

  it.each([
    ['isDown', 'E_TIMEOUT'],
    ['isFull', 'E_DATA_WRITE'],
  ] as const)('starts to record as soon as it can after %s at its start', async (trouble, code) => {
    const rig = new RecordRig(await temporaryFolder(), {}, SPOT_ONLY);
    rig[trouble] = true;
    await rig.start();
    await rig.pass(2 * MINUTE_MS);
    rig[trouble] = false;
    await rig.pass(MINUTE_MS);
    const ended = rig.failure;
    await rig.stop();

    expect(ended).toBeUndefined();
    const columns = await stored(rig);
    const [first = 0] = columns.openTime;
    const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
    expect(rowsOf(columns)).toEqual(rowsOf(served(first, last)));
    expect(last).toBeGreaterThanOrEqual(rig.now() - MINUTE_MS);
    const lines = rig.said.filter((line) => line.startsWith(`${SPOT_ID} 1min`));
    expect(lines).toEqual([
      expect.stringMatching(/: cannot fetch missing candles, trying again: /),
      `${SPOT_ID} 1min: missing candles are stored`,
    ]);
    expect(lines[0]).toContain(`(${code})`);
  });

  it.each(['old', 'missing'] as const)(
    'continues after a write that left %s metadata',
    async (left) => {
      const rig = new RecordRig(await temporaryFolder(), {}, SPOT_ONLY);
      const run = async (lengthMs: number): Promise<void> => {
        await rig.start();
        await rig.pass(lengthMs);
        await rig.stop();
      };
      await run(MINUTE_MS);
      const [metadata = ''] = readdirSync(rig.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.arrow'))
        .map((name) => path.join(rig.folder, name.replace(/arrow$/, 'json')));
      const before = readFileSync(metadata);
      await run(2 * MINUTE_MS);
      if (left === 'old') writeFileSync(metadata, before);
      else rmSync(metadata);
      await expect(stored(rig)).rejects.toMatchObject({ code: 'E_DATA_TORN' });
      await run(2 * MINUTE_MS);

      const columns = await stored(rig);
      const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
      expect(rowsOf(columns)).toEqual(rowsOf(served(columns.openTime[0] ?? 0, last)));
      expect(last).toBeGreaterThanOrEqual(rig.now() - MINUTE_MS);
    },
  );

  it('fails at the end if the disk is still full, with the cause', async () => {
    const rig = new RecordRig(await temporaryFolder());
    await rig.start();
    await rig.pass(MINUTE_MS);
    rig.isFull = true;
    await rig.pass(2 * MINUTE_MS);

    await expect(rig.stop()).rejects.toMatchObject({ code: 'E_DATA_WRITE' });
  });
});
