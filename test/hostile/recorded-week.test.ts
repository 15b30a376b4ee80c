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

/** Length of the run in days; `EVENKEEL_RECORDED_DAYS=7` takes some minutes. */
const DAYS = Number(process.env['EVENKEEL_RECORDED_DAYS'] ?? 0.25);
/** The test market has data for two weeks from here on. */
const START: EpochMs = FIRST_CANDLE + 2 * DAY_MS;
const END: EpochMs = START + DAYS * DAY_MS;
const PATIENCE = { timeout: 120_000 + DAYS * 300_000 };
const RULES_MS = HOUR_MS;
const RATE = 0.0003;
const HISTORY_MS = 299 * MINUTE_MS;
const TROUBLES = ['kill', 'full', 'kill in a write', 'down', 'stop'] as const;
/** Share of calls with a fault. */
const FAULTY = 0.15;

/** The rules of the contract change every hour. The limit on working orders identifies them. */
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

/** One process: when each limit on working orders first arrived in a whole answer, and when the process died within a write. */
interface RecordedLife {
  readonly arrived: Map<number, EpochMs>;
  diedWriting?: EpochMs;
}

interface Week {
  readonly rig: RecordRig;
  readonly lives: readonly RecordedLife[];
  readonly faults: ReadonlyMap<string, number>;
  readonly troubles: readonly string[];
}

/** Records from {@link START} to {@link END} under drawn faults, kills and times with a full disk. */
async function recordWeek(seed: number): Promise<Week> {
  const random = createRandom(seed);
  const lives: RecordedLife[] = [];
  const begin = async (): Promise<void> => {
    lives.push({ arrived: new Map() });
    await rig.start();
  };
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
          const arrived = lives.at(-1)?.arrived;
          if (shown !== undefined && arrived?.has(Number(shown)) === false)
            arrived.set(Number(shown), time.now());
        },
      }),
  });
  const troubles: string[] = [];
  await begin();
  while (rig.now() < END) {
    await rig.pass(Math.min(END - rig.now(), Math.round((10 + random() * 50) * MINUTE_MS)));
    const kind = TROUBLES[troubles.length % TROUBLES.length] ?? 'kill';
    troubles.push(kind);
    expect(rig.failure).toBeUndefined();
    await makeTrouble(rig, kind);
    const last = lives.at(-1);
    if (kind === 'kill in a write' && last !== undefined) last.diedWriting = rig.now();
    await rig.pass(Math.round(random() * 30 * MINUTE_MS));
    rig.isFull = false;
    rig.isDown = false;
    if (kind !== 'full' && kind !== 'down') await begin();
  }
  await rig.pass(5 * MINUTE_MS);
  await rig.stop();
  return { rig, lives, faults, troubles };
}

async function makeTrouble(rig: RecordRig, kind: string): Promise<void> {
  if (kind === 'kill') rig.kill();
  if (kind === 'stop') await rig.stop();
  if (kind === 'kill in a write') {
    rig.killWriting();
    for (let waited = 0; rig.isAlive && waited < 300; waited += 1) await rig.pass(MINUTE_MS);
    expect(rig.isAlive).toBe(false);
  }
  if (kind === 'full') rig.isFull = true;
  if (kind === 'down') rig.isDown = true;
}

/** The death of a process is noticed up to this much later, because the test looks once a minute. */
const NOTICED_MS = 2 * MINUTE_MS;

/** When a process first saw rules, and whether it may have died while it stored them. */
interface Sight {
  readonly at: EpochMs;
  readonly mayBeLost: boolean;
}

/** Sights of rules up to the first that was surely stored. */
function sightsOf(lives: readonly RecordedLife[], workingOrders: number): readonly Sight[] {
  const sights = lives.flatMap(({ arrived, diedWriting = Infinity }) => {
    const at = arrived.get(workingOrders);
    return at === undefined ? [] : [{ at, mayBeLost: diedWriting - at <= NOTICED_MS }];
  });
  const stored = sights.findIndex(({ mayBeLost }) => !mayBeLost);
  return stored < 0 ? sights : sights.slice(0, stored + 1);
}

function served(from: EpochMs, to: EpochMs): CandleColumns {
  const columns = testCandles();
  const { openTime } = columns;
  return sliceColumns(columns, lowerBound(openTime, from), lowerBound(openTime, to));
}

const gapLines = ({ said }: RecordRig, name: string): readonly string[] =>
  said.filter((line) => line.startsWith(`${name}: gap`));

/** Whether the recorder reported a gap that contains the time. */
function isNamed(rig: RecordRig, name: string, time: EpochMs, endMs = 0): boolean {
  return gapLines(rig, name).some((line) => {
    const [, from = '', to = ''] = /gap from (\S+) to (\S+):/.exec(line) ?? [];
    return Date.parse(from) <= time && time < Date.parse(to) + endMs;
  });
}

describe(`a recorder over ${String(DAYS)} days of faults, kills and full disks`, () => {
  it(
    'stores candles without a gap and marks, rates and rules as served, and names the missing rest',
    PATIENCE,
    async () => {
      const { rig, lives, faults, troubles } = await recordWeek(32);

      expect([...faults.keys()].sort()).toEqual(['502', 'cut', 'delayed', 'truncated']);
      expect(new Set(troubles).size).toBe(TROUBLES.length);
      const archive = openArchive(rig.folder);
      for (const id of [SPOT_ID, FUTURES_ID]) {
        const columns = await archive.read(id, '1min', { verify: true });
        const last = (columns.openTime.at(-1) ?? 0) + MINUTE_MS;
        const shown = served(START - HISTORY_MS, last);
        // The volume of a contract counts contracts.
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
        // A late answer shows the mark of up to 20 seconds earlier.
        const lowest = Math.min(market.low[minute - 1] ?? 0, market.low[minute] ?? 0) - 0.01;
        const highest = Math.max(market.high[minute - 1] ?? 0, market.high[minute] ?? 0) + 0.01;
        expect(marks?.low[row]).toBeGreaterThanOrEqual(lowest);
        expect(marks?.high[row]).toBeLessThanOrEqual(highest);
      }
      expect(stored.size).toBeGreaterThan(300 * DAYS);

      const { time = [], rate = [] } = (await archive.funding(FUTURES_ID)) ?? {};
      expect([...rate]).toEqual([...time].map(() => RATE));
      for (let at = START + FUNDING_MS; at < END; at += FUNDING_MS) {
        // The end of a reported gap, which is a settlement, is missing too.
        const isThere = [...time].includes(at) || isNamed(rig, `${FUTURES_ID} funding`, at, 1);
        expect([at, isThere]).toEqual([at, true]);
      }
      expect(time.length).toBeGreaterThan(60 * DAYS);

      const rules = await archive.rules(FUTURES_ID);
      const seen = rules.map(({ from, rules: { maxWorkingOrders = 0 } }) => ({
        count: maxWorkingOrders,
        from,
      }));
      const dates = new Map(seen.map(({ count, from }) => [count, from]));
      for (const count of new Set(lives.flatMap(({ arrived }) => [...arrived.keys()]))) {
        const sights = sightsOf(lives, count);
        const from = dates.get(count);
        // Rules may be absent if every process that saw them may have died while it stored them.
        if (from === undefined) expect([count, sights.at(-1)?.mayBeLost]).toEqual([count, true]);
        else
          expect([count, sights.map(({ at }) => at)]).toEqual([
            count,
            expect.arrayContaining([from]),
          ]);
      }
      expect(seen.length).toBeGreaterThan(2);
      for (const { count, from } of seen)
        expect(from).toBeGreaterThanOrEqual(START + (count - 100) * RULES_MS);
    },
  );
});
