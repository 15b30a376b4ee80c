import { describe, expect, it } from 'vitest';
import { lowerBound, openArchive, sliceColumns } from '../../src/archive/index.js';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type CandleColumns,
  type EpochMs,
} from '../../src/domain/index.js';
import { createRandom } from '../../src/engine/index.js';
import { rowsOf } from '../support/candle-columns.js';
import {
  FIRST_CANDLE,
  FUTURES_ID,
  SPOT_ID,
  testCandles,
  testInstruments,
} from '../support/local-exchange/test-exchange.js';
import { FUNDING_MS, RecordRig } from '../support/record-rig.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { WireVenue, type WireFault } from '../support/wire-venue.js';

/** How long the market goes on; `EVENKEEL_RECORDED_DAYS=7` takes some minutes. */
const DAYS = Number(process.env['EVENKEEL_RECORDED_DAYS'] ?? 0.25);
/** The test market has two weeks from here on. */
const START: EpochMs = FIRST_CANDLE + 2 * DAY_MS;
const END: EpochMs = START + DAYS * DAY_MS;
const PATIENCE = { timeout: 120_000 + DAYS * 300_000 };
const RULES_MS = HOUR_MS;
const RATE = 0.0003;
const HISTORY_MS = 299 * MINUTE_MS;
const TROUBLES = ['kill', 'full', 'kill in a write', 'down', 'stop'] as const;
/** Of all calls. */
const FAULTY = 0.15;

/** The rules of the contract change again and again: how many orders may work says which they are. */
function instruments(): ReturnType<typeof testInstruments> {
  return testInstruments().map((source) => {
    const [first] = source.rules;
    if (source.instrument.kind !== 'futures' || first === undefined) return source;
    const count = Math.ceil((END - START) / RULES_MS);
    const rules = Array.from({ length: count }, (_, index) => ({
      from: index === 0 ? 0 : START + index * RULES_MS,
      rules: { ...first.rules, maxWorkingOrders: 100 + index },
    }));
    const constant = { rate: parseFixed(String(RATE)), intervalMs: FUNDING_MS };
    return { ...source, funding: { constant }, rules };
  });
}

interface Week {
  readonly rig: RecordRig;
  /** First whole answer with each number of working orders. */
  readonly firstSeen: ReadonlyMap<number, EpochMs>;
  readonly faults: ReadonlyMap<string, number>;
  readonly troubles: readonly string[];
}

/** Records from {@link START} to {@link END} under drawn faults, kills and a disk that is full for a while, each again and again. */
async function recordWeek(seed: number): Promise<Week> {
  const random = createRandom(seed);
  const firstSeen = new Map<number, EpochMs>();
  const faults = new Map<string, number>();
  const draw = (): WireFault | undefined => {
    if (random() >= FAULTY) return undefined;
    const kinds = ['502', 'cut', 'truncated', 'delayed'] as const;
    const kind = kinds[Math.floor(random() * kinds.length)] ?? '502';
    faults.set(kind, (faults.get(kind) ?? 0) + 1);
    return kind === 'delayed' ? { delayMs: Math.ceil(random() * 20_000) } : kind;
  };
  const rig: RecordRig = new RecordRig(await temporaryFolder(), {
    instruments: instruments(),
    start: START,
    stepMs: 15_000,
    connect: (exchange, time) =>
      new WireVenue(exchange, time, {
        faults: () => (rig.isDown ? '502' : draw()),
        onArrival: ({ text }) => {
          const shown = /"maxValidOrder":"?(\d+)/.exec(text)?.[1];
          if (shown !== undefined && !firstSeen.has(Number(shown)))
            firstSeen.set(Number(shown), time.now());
        },
      }),
  });
  const troubles: string[] = [];
  await rig.start();
  while (rig.now() < END) {
    await rig.pass(Math.min(END - rig.now(), Math.round((10 + random() * 50) * MINUTE_MS)));
    const kind = TROUBLES[troubles.length % TROUBLES.length] ?? 'kill';
    troubles.push(kind);
    expect(rig.failure).toBeUndefined();
    await trouble(rig, kind, Math.round(random() * 30 * MINUTE_MS));
  }
  await rig.pass(5 * MINUTE_MS);
  await rig.stop();
  return { rig, firstSeen, faults, troubles };
}

async function trouble(rig: RecordRig, kind: string, lengthMs: number): Promise<void> {
  if (kind === 'kill') rig.kill();
  if (kind === 'stop') await rig.stop();
  if (kind === 'kill in a write') {
    rig.killWriting();
    for (let waited = 0; rig.isAlive && waited < 300; waited += 1) await rig.pass(MINUTE_MS);
    expect(rig.isAlive).toBe(false);
  }
  if (kind === 'full') rig.isFull = true;
  if (kind === 'down') rig.isDown = true;
  await rig.pass(lengthMs);
  rig.isFull = false;
  rig.isDown = false;
  if (kind !== 'full' && kind !== 'down') await rig.start();
}

function served(from: EpochMs, to: EpochMs): CandleColumns {
  const columns = testCandles();
  const { openTime } = columns;
  return sliceColumns(columns, lowerBound(openTime, from), lowerBound(openTime, to));
}

const gapLines = ({ said }: RecordRig, name: string): readonly string[] =>
  said.filter((line) => line.startsWith(`${name}: gap`));

/** Whether an instant lies in a stretch that the recorder named as missing. */
function isNamed(rig: RecordRig, name: string, time: EpochMs, endMs = 0): boolean {
  return gapLines(rig, name).some((line) => {
    const [, from = '', to = ''] = /gap from (\S+) to (\S+):/.exec(line) ?? [];
    return Date.parse(from) <= time && time < Date.parse(to) + endMs;
  });
}

describe(`a recorder over ${String(DAYS)} days of faults, kills and full disks`, () => {
  it(
    'has the candles of the exchange without a gap, marks, rates and rules as they were seen, and names the rest',
    PATIENCE,
    async () => {
      const { rig, firstSeen, faults, troubles } = await recordWeek(32);

      expect([...faults.keys()].sort()).toEqual(['502', 'cut', 'delayed', 'truncated']);
      expect(new Set(troubles).size).toBe(TROUBLES.length);
      const archive = openArchive(rig.folder);
      for (const id of [SPOT_ID, FUTURES_ID]) {
        const columns = await archive.read(id, '1min', { verify: true });
        const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
        const shown = served(START - HISTORY_MS, last);
        // A contract's volume counts contracts.
        const volume = shown.volume.map((base) =>
          id === SPOT_ID ? base : Math.floor(base * 10_000),
        );
        expect(last).toBeGreaterThan(rig.now() - 5 * MINUTE_MS);
        expect(rowsOf(columns)).toEqual(rowsOf({ ...shown, volume }));
        expect(gapLines(rig, `${id} 1min`)).toEqual([]);
      }

      const marks = await archive.marks(FUTURES_ID, '1min', { verify: true });
      const stored = new Map([...(marks?.openTime ?? [])].map((time, row) => [time, row]));
      const end = Math.max(...stored.keys());
      const market = served(START - MINUTE_MS, end + MINUTE_MS);
      for (let minute = 1; START + (minute - 1) * MINUTE_MS <= end; minute += 1) {
        const time = START + (minute - 1) * MINUTE_MS;
        const row = stored.get(time);
        if (row === undefined) {
          expect([time, isNamed(rig, `${FUTURES_ID} mark 1min`, time)]).toEqual([time, true]);
          continue;
        }
        // An answer that was late shows the mark of up to 20 seconds before.
        const lowest = Math.min(market.low[minute - 1] ?? 0, market.low[minute] ?? 0) - 0.01;
        const highest = Math.max(market.high[minute - 1] ?? 0, market.high[minute] ?? 0) + 0.01;
        expect(marks?.low[row]).toBeGreaterThanOrEqual(lowest);
        expect(marks?.high[row]).toBeLessThanOrEqual(highest);
      }
      expect(stored.size).toBeGreaterThan(300 * DAYS);

      const { time = [], rate = [] } = (await archive.funding(FUTURES_ID)) ?? {};
      expect([...rate]).toEqual([...time].map(() => RATE));
      for (let at = START + FUNDING_MS; at < END; at += FUNDING_MS) {
        // The last settlement that is named is part of what is missing.
        const isThere = [...time].includes(at) || isNamed(rig, `${FUTURES_ID} funding`, at, 1);
        expect([at, isThere]).toEqual([at, true]);
      }
      expect(time.length).toBeGreaterThan(60 * DAYS);

      const rules = await archive.rules(FUTURES_ID);
      const seen = rules.map(({ from, rules: { maxWorkingOrders = 0 } }) => [
        maxWorkingOrders,
        from,
      ]);
      expect(seen).toEqual([...firstSeen]);
      expect(seen.length).toBeGreaterThan(2);
      for (const [index = 0, from = 0] of seen)
        expect(from).toBeGreaterThanOrEqual(START + (index - 100) * RULES_MS);
    },
  );
});
