import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StopSampler } from '../../../../src/assembly/replay/stop-sampler.js';
import { TrailingStops } from '../../../../src/assembly/replay/trailing-stops.js';
import {
  formatFixed,
  MINUTE_MS,
  parseFixed,
  type Direction,
  type Fixed,
} from '../../../../src/domain/index.js';
import {
  firingLevel,
  improveGuard,
  sampleGuard,
  type Guard,
} from '../../../../src/engine/orders/guards/guard.js';
import type { StopWatch } from '../../../../src/engine/index.js';
import type { SimulatedVenue } from '../../../../src/simulator/index.js';
import { arrivalTimes, venueCandles } from '../../../support/arbitraries/venue-scripts.js';
import { isHighNearer, pathTicks, THIRD } from '../../../support/naive/naive-path.js';
import { lawRuns } from '../../../support/runs.js';
import { aVenue, BTC_USDT, play, START, type VenueCandle } from '../../../support/spot-venue.js';

const TICK = parseFixed('0.01');
const END = START + 8 * MINUTE_MS;

/** A stop, the time from which it is watched, and the grid of samples of last. */
interface Scene {
  readonly candles: readonly VenueCandle[];
  readonly direction: Direction;
  readonly guard: Guard;
  readonly armedAt: number;
  readonly gridMs: number;
}

/** The outcome of a stop: when and at which last price it fired, and its best price. */
interface Outcome {
  readonly fired: { readonly at: number; readonly last: string } | undefined;
  readonly best: string;
}

/** The stop after one more sample, and whether the sample fires it. */
function sample(
  guard: Guard,
  last: Fixed,
  direction: Direction,
): { readonly guard: Guard; readonly fires: boolean } {
  const moved = sampleGuard(guard, last, direction);
  const level = firingLevel(moved, direction);
  if (level === undefined) return { guard: moved, fires: false };
  return { guard: moved, fires: direction === 'long' ? last <= level : last >= level };
}

function outcome(guard: Guard, at?: number, last?: Fixed): Outcome {
  const fired =
    at === undefined || last === undefined
      ? undefined
      : { at: at - START, last: formatFixed(last) };
  return { fired, best: formatFixed(guard.best) };
}

/** Takes every sample of the grid up to `end`. The last price comes from `lastByHand`. */
function everySample(
  { candles, direction, guard: start, armedAt, gridMs }: Scene,
  end = END,
): Outcome {
  let guard = start;
  for (let time = (Math.floor(armedAt / gridMs) + 1) * gridMs; time <= end; time += gridMs) {
    const last = lastByHand(candles, time);
    const sampled = sample(guard, last, direction);
    guard = sampled.guard;
    if (sampled.fires) return outcome(guard, time, last);
  }
  return outcome(guard);
}

/** Last at an instant: on the candle that is open or ends then, otherwise the last close. Rounded to the tick, ties to even. */
function lastByHand(candles: readonly VenueCandle[], time: number): Fixed {
  const candle = candles.findLast(({ minute = 0 }) => START + minute * MINUTE_MS < time);
  if (candle === undefined) throw new Error('expected a candle before the sample');
  const inside = Math.min(MINUTE_MS, time - START - (candle.minute ?? 0) * MINUTE_MS);
  const scaled = pathTicks(candle.path, isHighNearer(candle), inside);
  const whole = Math.floor(scaled / THIRD);
  const twice = 2 * (scaled - whole * THIRD);
  const isUp = twice > THIRD || (twice === THIRD && whole % 2 === 1);
  return BigInt(whole + (isUp ? 1 : 0)) * TICK;
}

/** A replay of a scene: the watched stop, and its outcome after the samples that the sampler asks for. */
class Play {
  readonly venue: SimulatedVenue;
  readonly sampler: StopSampler;
  readonly #direction: Direction;
  #guard: Guard;
  #fired: Outcome | undefined;
  /** Samples taken. */
  taken = 0;

  /** If `follows`, a trailing stop learns its moves over passed candles all at once. */
  constructor(scene: Scene, { follows }: { readonly follows: boolean }) {
    const { candles, direction, guard, armedAt, gridMs } = scene;
    const observed = aVenue({ candles });
    const { venue } = observed;
    const grids = new Map([[BTC_USDT.id, gridMs]]);
    const improve = (_: StopWatch, best: Fixed): void => {
      this.#guard = improveGuard(this.#guard, best, direction);
    };
    this.venue = venue;
    this.sampler = new StopSampler(
      venue,
      grids,
      follows ? new TrailingStops({ venue, grids, improve }) : undefined,
    );
    this.#direction = direction;
    this.#guard = guard;
    play(observed, [], armedAt - START);
    this.sampler.take(armedAt, []);
  }

  get outcome(): Outcome {
    return this.#fired ?? outcome(this.#guard);
  }

  get watches(): readonly StopWatch[] {
    const direction = this.#direction;
    const level = firingLevel(this.#guard, direction);
    const { best, trail } = this.#guard;
    const watch = { instrumentId: BTC_USDT.id, direction, quantity: 1n, guardNumber: 1 } as const;
    return level === undefined ? [] : [{ ...watch, level, best, trail }];
  }

  /** Takes the samples that are asked for up to `end`, in the order of a replay. Returns whether the stop has fired. */
  goTo(end: number): boolean {
    const { venue, sampler } = this;
    for (let time = Number.NEGATIVE_INFINITY; time < end;) {
      time = Math.min(venue.nextTime(), sampler.nextTime(this.watches), end);
      venue.completeUntil(time);
      for (const instrumentId of sampler.take(time, this.watches)) {
        const last = venue.last(instrumentId, time);
        const sampled = sample(this.#guard, last, this.#direction);
        this.#guard = sampled.guard;
        this.taken += 1;
        if (sampled.fires) this.#fired = outcome(this.#guard, time, last);
        if (sampled.fires) return true;
      }
      venue.openAt(time);
    }
    return false;
  }
}

/** The undecided candles that the venue reports. */
interface Doubt {
  readonly undecided: ReturnType<SimulatedVenue['undecided']>;
}

/** Takes only the samples the sampler asks for. */
function askedSamples(scene: Scene): Outcome & { readonly taken: number } & Doubt {
  const asked = new Play(scene, { follows: false });
  asked.goTo(END);
  return { ...asked.outcome, taken: asked.taken, undecided: asked.venue.undecided() };
}

/** The outcome with passed candles, and the best price at each instant at which the venue had to catch up. */
interface Passed extends Outcome, Doubt {
  readonly passed: number;
  readonly bests: readonly (readonly [time: number, best: string])[];
}

/** Passes each candle for which the sampler proves that nothing happens. At each of `stops` the venue has to catch up. */
function passedCandles(scene: Scene, stops: readonly number[]): Passed {
  const asked = new Play(scene, { follows: true });
  const { venue, sampler } = asked;
  const closes = scene.candles.map(({ minute = 0 }) => START + (minute + 1) * MINUTE_MS);
  const times = [...new Set([...closes, ...stops, END])]
    .filter((time) => time > scene.armedAt && time <= END)
    .sort((a, b) => a - b);
  const bests: [time: number, best: string][] = [];
  let passed = 0;
  let isBehind = false;
  let now = scene.armedAt;
  const catchUp = (): void => {
    if (!isBehind) return;
    venue.resumeAt(now);
    sampler.catchUp(now);
    bests.push([now, asked.outcome.best]);
    isBehind = false;
  };
  for (const time of times) {
    // Looks ahead as far as a replay does.
    const passes = sampler.provenUntil(asked.watches, END, Number.NEGATIVE_INFINITY) >= time;
    if (!passes) catchUp();
    now = time;
    if (passes) {
      passed += 1;
      isBehind = true;
    } else if (asked.goTo(time)) break;
    if (stops.includes(time)) catchUp();
  }
  catchUp();
  return { ...asked.outcome, passed, bests, undecided: venue.undecided() };
}

/** Number of samples before the end of the sampler's proof. Takes each of them: none may fire or move the stop. */
function provenSamples(scene: Scene): number {
  const { candles, direction, guard, armedAt, gridMs } = scene;
  const asked = new Play(scene, { follows: false });
  const until = asked.sampler.provenUntil(asked.watches, END, Number.NEGATIVE_INFINITY);
  let proven = 0;
  for (let time = (Math.floor(armedAt / gridMs) + 1) * gridMs; time <= until; time += gridMs) {
    expect(sample(guard, lastByHand(candles, time), direction)).toEqual({ guard, fires: false });
    proven += 1;
  }
  return proven;
}

/** Levels on ticks and halfway between, in the range of corners and opens and a little beyond. */
const level = fc
  .integer({ min: 2 * 9_885, max: 2 * 9_935 })
  .map((halves) => (BigInt(halves) * TICK) / 2n);
const distance = fc.integer({ min: 1, max: 40 }).map((halves) => (BigInt(halves) * TICK) / 2n);
const ratio = fc.integer({ min: 1, max: 30 }).map((parts) => parseFixed(`${String(parts)}e-4`));

const trails = fc.oneof(
  distance.map((amount) => ({ kind: 'distance' as const, amount })),
  ratio.map((amount) => ({ kind: 'ratio' as const, amount })),
);

const stops = fc.record({ stop: level, trail: fc.constant(undefined), best: level });
const trailing = fc.record({
  stop: fc.option(level, { nil: undefined }),
  trail: trails,
  best: level,
});

/** Trailing stops so far from the candles that most candles only move them. */
const farTrailing = fc.record({
  stop: fc.constant(undefined),
  trail: fc
    .integer({ min: 20, max: 400 })
    .map((ticks) => ({ kind: 'distance' as const, amount: BigInt(ticks) * TICK })),
  best: level,
});

function scenes(guards: fc.Arbitrary<Pick<Guard, 'stop' | 'trail' | 'best'>>): fc.Arbitrary<Scene> {
  return fc.record({
    candles: venueCandles().map(fromStart),
    direction: fc.constantFrom<Direction>('long', 'short'),
    guard: guards.map((guard) => ({ ...guard, protection: {}, takeProfit: undefined })),
    armedAt: arrivalTimes(2).map((ms) => START + ms),
    gridMs: fc.oneof(
      fc.constantFrom(1_000, 2_000, 7_000),
      fc.integer({ min: 1_000, max: 7_000 }),
      fc.integer({ min: 1, max: 120_000 }),
    ),
  });
}

/** The same candles, moved so that the first one is at the start of the test. */
function fromStart(candles: readonly VenueCandle[]): readonly VenueCandle[] {
  const [first] = candles;
  return candles.map((candle) => ({
    ...candle,
    minute: (candle.minute ?? 0) - (first?.minute ?? 0),
  }));
}

describe('StopSampler', () => {
  it('fires a stop-loss at the same sample as a scan of the whole grid', () => {
    fc.assert(
      fc.property(scenes(stops), (scene) => {
        const { fired, best } = askedSamples(scene);

        // The best price must agree, too: a trailing stop that is set later starts from it.
        expect({ fired, best }).toEqual(everySample(scene));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('moves and fires a trailing stop like a scan of the whole grid', () => {
    fc.assert(
      fc.property(scenes(trailing), (scene) => {
        const { fired, best } = askedSamples(scene);

        expect({ fired, best }).toEqual(everySample(scene));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('skips candles that only move a trailing stop, and moves it like a scan of the whole grid', () => {
    let all = 0;
    let moved = 0;
    fc.assert(
      fc.property(
        scenes(fc.oneof(trailing, farTrailing, farTrailing, farTrailing)),
        fc.constantFrom(1_000, 2_000, 5_000, 20_000, 7_000),
        fc.array(arrivalTimes(8), { maxLength: 3 }),
        (drawn, gridMs, stops) => {
          const scene = { ...drawn, gridMs };
          const { fired, best, passed, bests, undecided } = passedCandles(
            scene,
            stops.map((ms) => START + ms),
          );

          expect({ fired, best }).toEqual(everySample(scene));
          for (const [time, text] of bests) expect(text).toBe(everySample(scene, time).best);
          expect(undecided).toEqual(askedSamples(scene).undecided);
          all += 1;
          if (passed > 0 && best !== formatFixed(scene.guard.best)) moved += 1;
        },
      ),
      { numRuns: lawRuns() },
    );
    expect(moved / all).toBeGreaterThan(0.2);
  });

  it('proves only times in which no sample fires or moves a stop', () => {
    let proven = 0;

    fc.assert(
      fc.property(scenes(fc.oneof(stops, trailing)), (scene) => {
        if (provenSamples({ ...scene, gridMs: Math.max(500, scene.gridMs) }) > 0) proven += 1;
      }),
      { numRuns: lawRuns() / 4 },
    );

    expect(proven).toBeGreaterThan(lawRuns() / 40);
  });

  it('takes at most five samples per candle, plus one', () => {
    fc.assert(
      fc.property(scenes(trailing), (scene) => {
        const { taken } = askedSamples({ ...scene, gridMs: 1_000 });

        // A sample at the end of each rising piece and, off the grid, at the start of the next; one in a gap; one that fires.
        expect(taken).toBeLessThanOrEqual(5 * scene.candles.length + 1);
      }),
    );
  });
});
