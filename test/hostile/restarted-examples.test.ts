import { describe, expect, it } from 'vitest';

import type { InterruptedBot } from '../../src/assembly/parity/interruptions.js';
import { HOUR_MS, MINUTE_MS, type EpochMs } from '../../src/domain/index.js';
import { createRandom } from '../../src/engine/index.js';
import { Warming } from '../../src/live/index.js';
import type { ParityTrace, TraceEntry } from '../../src/report/index.js';
import { RestartedBot } from '../support/parity/restarted-bot.js';
import type { Told } from '../support/replays/plain-replay.js';

/** Number of drawn instants at which each example is stopped, in each way. 50 take a minute or two per example. */
const INSTANTS = Number(process.env['EVENKEEL_INSTANTS'] ?? 1);
const SEED = Number(process.env['EVENKEEL_SEED'] ?? 32);
/** The number of newest closed candles that the venue serves. */
const SERVED = 299;
/** Candles before a stop, and after the next start. */
const CANDLES = { before: 15, after: 40 } as const;
/** Candles that a restarted bot receives: per instant, and at least. */
const WALK = { perInstant: 40, least: 400 } as const;
/** The weight that the beginning may still have in a value. */
const FORGOTTEN = 1e-9;

interface Example {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Length of a candle of the finest interval. */
  readonly candleMs: number;
  /** Factor on the number of candles, for an example that seldom trades. @defaultValue 1 */
  readonly stretch?: number;
  /** Whether it raises intents in a warm-up. These are dropped but take numbers, so that its orders have other ids. @defaultValue false */
  readonly raisesInWarmUp?: boolean;
  /** Whether the candles of the venue are too few for its start. */
  readonly needsMore?: boolean;
}

const YEAR = { from: '2024-09-05', to: '2025-06-30', candleMs: HOUR_MS };
const SUMMER = { from: '2025-05-05', to: '2025-06-30', candleMs: HOUR_MS };
const EXAMPLES: readonly Example[] = [
  { name: 'bracketed-grid', ...YEAR },
  { name: 'breakout-trail', ...YEAR, raisesInWarmUp: true },
  { name: 'channel-flip', ...SUMMER },
  { name: 'chase', ...YEAR },
  { name: 'coin-hedge', ...SUMMER },
  { name: 'grid', ...YEAR },
  { name: 'margin-swing', ...SUMMER },
  { name: 'martingale', ...YEAR },
  { name: 'quoter', ...SUMMER, candleMs: 15 * MINUTE_MS },
  { name: 'rotation', ...YEAR, raisesInWarmUp: true },
  { name: 'rsi-mean-reversion', ...YEAR },
  { name: 'scale-out', ...YEAR },
  { name: 'sma-crossover', ...YEAR },
  {
    ...{ name: 'trend-filter', ...SUMMER, from: '2025-06-10', candleMs: MINUTE_MS },
    ...{ needsMore: true, stretch: 8 },
  },
  { name: 'twap', ...YEAR },
  { name: 'weights', ...YEAR, needsMore: true },
];

interface Gap {
  readonly from: EpochMs;
  readonly stop: EpochMs;
  readonly start: EpochMs;
  readonly to: EpochMs;
}

function drawGap(
  { from, to, candleMs, stretch = 1 }: Example,
  random: () => number,
  [least, most]: readonly [number, number],
): Gap {
  const before = CANDLES.before;
  const after = CANDLES.after * stretch;
  const gap = least + Math.floor(random() * (most - least));
  const first = Date.parse(from);
  const room = (Date.parse(to) - first) / candleMs - (before + gap + after);
  const begin = first + Math.floor(random() * room) * candleMs;
  const stop = begin + Math.floor((before - random()) * candleMs);
  const start = begin + Math.floor((before + gap + random()) * candleMs);
  return { from: begin, stop, start, to: start + after * candleMs };
}

function drawWalk(
  { from, to, candleMs, stretch = 1 }: Example,
  random: () => number,
): { readonly from: EpochMs; readonly to: EpochMs } {
  const wanted = Math.max(WALK.least, WALK.perInstant * INSTANTS) * stretch * candleMs;
  const room = Date.parse(to) - Date.parse(from);
  const length = Math.min(wanted, room);
  const begin = Math.floor((random() * (room - length)) / candleMs) * candleMs;
  return { from: Date.parse(from) + begin, to: Date.parse(from) + begin + length };
}

/** A bot on its way over a gap. It rests before the gap: it holds nothing and enters nothing, because only one of the two runs can act within the gap. */
interface Course {
  readonly bot: RestartedBot;
  readonly example: Example;
  readonly gap: Gap;
  readonly restsFrom: EpochMs;
}

const REST = ['reduce-only', 'flatten'] as const;
const RESUME = ['resume'] as const;

/** The time at which indicators are compared. */
const lookAt = ({ example, gap }: Course): EpochMs => gap.start + 2 * example.candleMs;

interface Done {
  readonly orders: readonly object[];
  readonly cancels: readonly object[];
  readonly fills: readonly object[];
}

/** The actions from a time on. Numbers differ because intents without orders count too, so orders are identified by their place. */
function doneFrom(trace: ParityTrace, from: EpochMs): Done {
  const orders = trace.orders.filter(({ time }) => time >= from);
  const places = new Map(orders.map(({ fields }, index) => [fields['id'], String(index)]));
  const nameless = (entries: readonly TraceEntry[]): readonly object[] =>
    entries
      .filter(({ time }) => time >= from)
      .map(({ fields }) => {
        const { id, order = id, ...others } = fields;
        return { ...others, intent: undefined, order: places.get(order ?? '') };
      });
  return {
    orders: nameless(trace.orders),
    cancels: nameless(trace.cancels),
    fills: nameless(trace.fills),
  };
}

/** The actions of a bot from the end of a gap on, and the values of its indicators two candles later. */
interface Run {
  readonly done: Done;
  readonly values: ReadonlyMap<string, number>;
}

async function startOf(example: Example, gap: Gap): Promise<Omit<Course, 'restsFrom'>> {
  const { from, to } = gap;
  const config = `config/${example.name}.backtest.yaml`;
  return { bot: await RestartedBot.of({ config, from, to }), example, gap };
}

/** Runs the backtest, which receives every candle. */
async function goThrough(course: Course): Promise<Run> {
  const { bot, gap, restsFrom } = course;
  let values: Run['values'] = new Map();
  const command = (time: EpochMs, actions: typeof REST | typeof RESUME): Told => ({
    time,
    act: (tell) => {
      for (const action of actions) tell((now) => ({ kind: 'operator', time: now, action }));
    },
  });
  const look = (): void => {
    values = bot.values();
  };
  const trace = await bot.backtest([
    command(restsFrom, REST),
    command(gap.start, RESUME),
    { time: lookAt(course), act: look },
  ]);
  return { done: doneFrom(trace, gap.start), values };
}

/** Runs the bot over HTTP, which is stopped during the gap. */
async function stopFor(
  course: Course,
  has: { readonly journal: boolean; readonly archive: boolean },
): Promise<Run & Pick<RestartedBot, 'warmings'>> {
  const { bot, example, gap, restsFrom } = course;
  let values: Run['values'] = new Map();
  const command = async (
    told: InterruptedBot,
    actions: typeof REST | typeof RESUME,
  ): Promise<void> => {
    for (const action of actions) await told.tell((time) => ({ kind: 'operator', time, action }));
  };
  const stop = async (told: InterruptedBot): Promise<void> => {
    expect(told.engine.portfolio.isExposed).toBe(false);
    await bot.stop(told);
  };
  const start = async (told: InterruptedBot): Promise<void> => {
    bot.hasArchive = has.archive;
    if (!has.journal) bot.loseJournal();
    await told.start();
    await command(told, RESUME);
  };
  const look = (): Promise<void> => {
    values = bot.values();
    return Promise.resolve();
  };
  bot.hasArchive = true;
  const trace = await bot.live([
    { time: restsFrom, act: (told) => command(told, REST) },
    { time: gap.stop + 2 * example.candleMs, act: stop },
    { time: gap.start, act: start },
    { time: lookAt(course), act: look },
  ]);
  return { done: doneFrom(trace, gap.start), values, warmings: bot.warmings };
}

/** Relative differences of values, by name. Values up to 100, the range of an index, are divided by 100. */
function distances(one: Run, other: Run): readonly (readonly [string, number])[] {
  expect([...one.values.keys()]).toEqual([...other.values.keys()]);
  return [...one.values].map(([name, value]) => {
    const away = Math.abs(value - (other.values.get(name) ?? Number.NaN));
    return [name, away / Math.max(100, Math.abs(value))] as const;
  });
}

function expectSame(gap: Gap, [through, stopped]: readonly [Run, Run]): void {
  const far = distances(through, stopped).filter(([, by]) => !(by <= FORGOTTEN));
  expect({ gap, far }).toEqual({ gap, far: [] });
  expect({ gap, ...stopped.done }).toEqual({ gap, ...through.done });
}

/** The status names all missing candles, and no value differs by more than the stated weight. */
function expectWarming(through: Run, stopped: Awaited<ReturnType<typeof stopFor>>): void {
  const texts: (string | undefined)[] = [];
  const warming = new Warming({ streams: stopped.warmings, waits: true });
  warming.begin((_name, text) => texts.push(text));
  const { left } = warming;
  const missing = stopped.warmings.filter(({ candles }) => candles > SERVED);
  const said = missing.map(
    ({ instrumentId, interval, candles }) =>
      `${instrumentId} ${interval} is warming up: ${String(candles - SERVED)} of ${String(candles)} candles were missing at the start, and entries wait`,
  );
  expect(left.map((stream) => stream.missing)).toEqual(
    missing.map(({ candles }) => candles - SERVED),
  );
  expect(texts).toEqual(said.map((text) => expect.stringContaining(text) as string));
  const weights = new Map(
    left.flatMap(({ indicators }) => indicators.map(({ name, weight }) => [`.${name}`, weight])),
  );
  const heavier = distances(through, stopped).filter(
    ([name, by]) => !(by <= FORGOTTEN + (weights.get(name) ?? 0)),
  );
  expect(heavier).toEqual([]);
}

describe.each(EXAMPLES)('$name, stopped in order at random times', (example) => {
  const { name, raisesInWarmUp = false } = example;
  const patience = { timeout: 120_000 + INSTANTS * 30_000 };

  it(`trades as in its backtest, with ${String(INSTANTS)} restarts`, patience, async () => {
    const random = createRandom(SEED);
    const run = drawWalk(example, random);
    const bot = await RestartedBot.of({ config: `config/${name}.backtest.yaml`, ...run });
    const restart = async (interrupted: InterruptedBot): Promise<void> => {
      await bot.stop(interrupted);
      await interrupted.start();
    };
    const times = Array.from({ length: INSTANTS }, () => run.from + random() * (run.to - run.from));
    const restarts = times
      .sort((a, b) => a - b)
      .map((time) => ({ time: Math.floor(time), act: restart }));
    const tested = await bot.backtest();
    const live = await bot.live(restarts);

    const done = ({ orders, cancels, fills }: ParityTrace): Done => ({ orders, cancels, fills });
    const look = raisesInWarmUp ? (trace: ParityTrace): Done => doneFrom(trace, run.from) : done;
    expect(look(live)).toEqual(look(tested));
    expect(live.orders.length).toBeGreaterThan(INSTANTS >= 50 ? 10 : 0);
  });

  it.each([
    {
      what: 'fewer candles than the venue serves, with its journal',
      gaps: [5, 295],
      archive: false,
    },
    { what: 'more candles than that, with journal and archive', gaps: [301, 340], archive: true },
  ] as const)(
    'trades after a gap of $what, like a bot without the gap',
    patience,
    async ({ gaps, archive }) => {
      const random = createRandom(SEED + gaps[0]);
      let orders = 0;
      for (let instant = 0; instant < INSTANTS; instant += 1) {
        const gap = drawGap(example, random, gaps);
        const course = { ...(await startOf(example, gap)), restsFrom: gap.stop };
        const through = await goThrough(course);
        const stopped = await stopFor(course, { journal: true, archive });

        expectSame(gap, [through, stopped]);
        orders += through.done.orders.length;
      }
      if (INSTANTS >= 50) expect(orders).toBeGreaterThan(10);
    },
  );

  it(
    'does the same with an archive and no journal; without both it reports the missing candles and their weight',
    patience,
    async () => {
      const random = createRandom(SEED);
      for (let instant = 0; instant < INSTANTS; instant += 1) {
        const gap = drawGap(example, random, [301, 340]);
        // Without its journal the bot does not know its earlier profit, so it must not have traded yet.
        const course = { ...(await startOf(example, gap)), restsFrom: gap.from + 1 };
        const through = await goThrough(course);
        const stopped = await stopFor(course, { journal: false, archive: true });
        expectSame(gap, [through, stopped]);
        const neither = stopFor(course, { journal: false, archive: false });
        if (example.needsMore === true)
          await expect(neither).rejects.toThrow(
            /expected \d+ closed candles to warm up with, received 299/,
          );
        else expectWarming(through, await neither);
      }
    },
  );
});
