import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StopSampler } from '../../../../src/assembly/replay/stop-sampler.js';
import { formatFixed, MINUTE_MS, parseFixed, type Fixed } from '../../../../src/domain/index.js';
import { firingLevel, sampleGuard, type Guard } from '../../../../src/engine/orders/guard.js';
import type { StopWatch } from '../../../../src/engine/index.js';
import { arrivalTimes, venueCandles } from '../../../support/arbitraries/venue-scripts.js';
import { isHighNearer, pathTicks, THIRD } from '../../../support/naive-path.js';
import { lawRuns } from '../../../support/runs.js';
import { aVenue, BTC_USDT, play, START, type VenueCandle } from '../../../support/spot-venue.js';

const TICK = parseFixed('0.01');
const END = START + 8 * MINUTE_MS;

/** A stop, where it is watched from, and how often last is sampled. */
interface Scene {
  readonly candles: readonly VenueCandle[];
  readonly guard: Guard;
  readonly armedAt: number;
  readonly gridMs: number;
}

/** What became of a stop: when it fired and at which last price, and the best price it had seen. */
interface Outcome {
  readonly fired: { readonly at: number; readonly last: string } | undefined;
  readonly best: string;
}

/** The stop after one more sample, and whether it fires at it. */
function sample(guard: Guard, last: Fixed): { readonly guard: Guard; readonly fires: boolean } {
  const moved = sampleGuard(guard, last, 'long');
  const level = firingLevel(moved, 'long');
  return { guard: moved, fires: level !== undefined && last <= level };
}

function outcome(guard: Guard, at?: number, last?: Fixed): Outcome {
  const fired =
    at === undefined || last === undefined
      ? undefined
      : { at: at - START, last: formatFixed(last) };
  return { fired, best: formatFixed(guard.best) };
}

/** Takes every sample of the grid, the last price worked out from the candles by hand. */
function everySample({ candles, guard: start, armedAt, gridMs }: Scene): Outcome {
  let guard = start;
  for (let time = (Math.floor(armedAt / gridMs) + 1) * gridMs; time <= END; time += gridMs) {
    const last = lastByHand(candles, time);
    const sampled = sample(guard, last);
    guard = sampled.guard;
    if (sampled.fires) return outcome(guard, time, last);
  }
  return outcome(guard);
}

/** Last at an instant: on the candle that is under way or ends then, else the last close; rounded to the tick, ties to even. */
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

/** Takes only the samples the sampler asks for, in the order of a replay. */
function askedSamples({ candles, guard: start, armedAt, gridMs }: Scene): Outcome & {
  readonly taken: number;
} {
  const observed = aVenue({ candles });
  const { venue } = observed;
  const sampler = new StopSampler(venue, new Map([[BTC_USDT.id, gridMs]]));
  let guard = start;
  let taken = 0;
  const watches = (): readonly StopWatch[] => {
    const level = firingLevel(guard, 'long');
    const { best, trail } = guard;
    const watch = { instrumentId: BTC_USDT.id, direction: 'long', quantity: 1n, best } as const;
    return level === undefined ? [] : [{ ...watch, level, isTrailing: trail !== undefined }];
  };
  play(observed, [], armedAt - START);
  sampler.take(armedAt, []);
  for (;;) {
    const time = Math.min(venue.nextTime(), sampler.nextTime(watches()), END);
    venue.completeUntil(time);
    for (const instrumentId of sampler.take(time, watches())) {
      const last = venue.last(instrumentId, time);
      const sampled = sample(guard, last);
      guard = sampled.guard;
      taken += 1;
      if (sampled.fires) return { ...outcome(guard, time, last), taken };
    }
    if (time >= END) return { ...outcome(guard), taken };
    venue.openAt(time);
  }
}

/** Levels on ticks and halfway between, where corners and opens lie and a little beyond. */
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

function scenes(guards: fc.Arbitrary<Pick<Guard, 'stop' | 'trail' | 'best'>>): fc.Arbitrary<Scene> {
  return fc.record({
    candles: venueCandles().map(fromStart),
    guard: guards.map((guard) => ({ ...guard, protection: {}, takeProfit: undefined })),
    armedAt: arrivalTimes(2).map((ms) => START + ms),
    gridMs: fc.oneof(
      fc.constantFrom(1_000, 2_000, 7_000),
      fc.integer({ min: 1_000, max: 7_000 }),
      fc.integer({ min: 1, max: 120_000 }),
    ),
  });
}

/** The same candles, the first of them at the start of the test. */
function fromStart(candles: readonly VenueCandle[]): readonly VenueCandle[] {
  const [first] = candles;
  return candles.map((candle) => ({
    ...candle,
    minute: (candle.minute ?? 0) - (first?.minute ?? 0),
  }));
}

describe('StopSampler', () => {
  it('fires a stop-loss when taking every sample of the grid does', () => {
    fc.assert(
      fc.property(scenes(stops), (scene) => {
        const { fired, best } = askedSamples(scene);

        // The best price, too: a trailing stop set later goes on from it.
        expect({ fired, best }).toEqual(everySample(scene));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('moves and fires a trailing stop as taking every sample of the grid does', () => {
    fc.assert(
      fc.property(scenes(trailing), (scene) => {
        const { fired, best } = askedSamples(scene);

        expect({ fired, best }).toEqual(everySample(scene));
      }),
      { numRuns: lawRuns() },
    );
  });

  it('takes a handful of samples per candle at most', () => {
    fc.assert(
      fc.property(scenes(trailing), (scene) => {
        const { taken } = askedSamples({ ...scene, gridMs: 1_000 });

        // One where each rising piece ends and, off the grid, one where the next begins; one in a gap; one that fires.
        expect(taken).toBeLessThanOrEqual(5 * scene.candles.length + 1);
      }),
    );
  });
});
