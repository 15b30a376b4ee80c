import fc from 'fast-check';
import { auditTime, delay, EMPTY, filter, map, merge, take, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { runBacktest, type ReplayWay, type RunOptions } from '../../src/assembly/index.js';
import { StrategyError, type Direction, type OrderIntent } from '../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../src/report/index.js';
import { MemoryJournal, type JournalEntry } from '../../src/runtime/index.js';
import {
  crossedAbove,
  crossedBelow,
  enterLong,
  exit,
  sma,
  type StrategyClass,
  type Verdict,
} from '../../src/strategy/index.js';
import { randomMarketRuns, type RandomMarketRun } from '../support/arbitraries/random-markets.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { RandomTrader } from '../support/random-trader.js';
import { propertyRuns } from '../support/runs.js';

/** Trades by timers and marks, too. */
class RandomTimer extends RandomTrader {
  override intents(): Observable<OrderIntent> {
    const { market } = this;
    const late$ = market.candles$().pipe(
      delay(30_500),
      map(() => (this.random() < 0.2 ? enterLong({ notional: '150' }) : exit())),
    );
    const calm$ = market.candles$().pipe(
      auditTime(170_000),
      map(() => exit()),
    );
    const marked$ = market.marks$().pipe(map(() => exit()));
    return merge(super.intents(), late$, calm$, marked$);
  }
}

/** Trades by averages, which the fast way lets look ahead. */
class RandomCrossing extends RandomTrader {
  readonly fast = this.indicator(sma(3));
  readonly slow = this.indicator(sma(11, 'hlc3'));
  readonly level = this.indicator(sma(24, 'volume'));

  override onCandle(): void {
    const { fast, slow, level } = this;
    if (crossedAbove(fast, slow)) this.enterLong({ notional: '120' });
    else if (crossedBelow(fast, slow)) this.exit();
    if (level.value > level.previous && fast.value < slow.previous) super.onCandle();
  }
}

/** Begins to listen to everything in the middle of the run, and leaves some of it again. */
class LateListener extends RandomTrader {
  #heard = 0;

  override onCandle(): void {
    this.#heard += 1;
    const { market } = this;
    const hear = { error: () => undefined };
    if (this.#heard === 20)
      market.slices$.subscribe({ ...hear, next: (slice) => void (this.#heard += slice.length) });
    if (this.#heard === 40)
      timer(90_000).subscribe({ ...hear, next: () => this.enterLong({ notional: '150' }) });
    if (this.#heard === 60)
      market
        .marks$()
        .pipe(take(10))
        .subscribe({ ...hear, next: () => this.exit() });
    if (this.#heard === 100)
      market
        .candles$()
        .pipe(take(5))
        .subscribe({ ...hear, next: () => this.exit() });
    if (this.#heard % 7 === 0) super.onCandle();
  }
}

/** Says with every candle what it wants to be, mostly what it is already, with and without terms and names. */
class Insisting extends RandomTrader {
  #wantsLong = false;
  #verdicts = 0;

  override onVerdict({ intentId }: Verdict): void {
    this.#verdicts += intentId % 2;
  }

  override onCandle(): void {
    if (this.random() < 0.1) this.#wantsLong = !this.#wantsLong;
    const wishes = Math.floor(this.random() * 4);
    for (let wish = 0; wish < wishes; wish += 1) this.lastIntent = this.#insist();
    // Wishes that are lost on what was wanted just before.
    if (this.random() < 0.1 + (this.#verdicts % 2) / 10) super.onCandle();
  }

  #insist(): number {
    const [instrument, direction] = this.#names();
    const size = { notional: '150' };
    if (!this.#wantsLong) {
      const terms = { ...(instrument && { instrument }), ...(direction && { direction }) };
      return this.random() < 0.5 ? this.exit() : this.exit(terms);
    }
    if (this.random() < 0.5) return this.enterLong(size);
    const terms = { ...(instrument && { instrument }), label: 'a', limitPrice: '100' };
    return direction === 'short' && this.position.direction === 'short'
      ? this.enterShort(size, terms)
      : this.enterLong(size, { ...terms, add: this.random() < 0.1 });
  }

  #names(): readonly [string | undefined, Direction | undefined] {
    const { instrumentId } = this.instruments.at(-1) ?? { instrumentId: undefined };
    const name = this.random();
    return [
      name < 0.3 ? undefined : name < 0.6 ? instrumentId : instrumentId?.split(':')[1],
      name < 0.2 ? 'short' : name < 0.5 ? 'long' : undefined,
    ];
  }
}

/** Fails in the middle of a run, thrown or by its stream. */
class Failing extends RandomTrader {
  override intents(): Observable<OrderIntent> {
    const broken$ = this.market.candles$().pipe(
      filter(({ close }) => String(close).endsWith('7')),
      map(() => {
        throw new Error('broken stream');
      }),
    );
    return merge(super.intents(), this.random() < 0.5 ? broken$ : EMPTY);
  }

  override onCandle(): void {
    if (this.random() < 0.02) throw new Error('broken handler');
    // One more than an event may want, none of which changes anything where nothing is held.
    if (this.random() < 0.01) for (let wish = 0; wish <= 1_000; wish += 1) this.exit();
    super.onCandle();
  }
}

const STRATEGIES: readonly StrategyClass[] = [
  RandomTrader,
  RandomTrader,
  RandomTimer,
  RandomCrossing,
  LateListener,
  Insisting,
  Insisting,
];

const parameters = fc.record({
  warmup: fc.constantFrom(0, 0, 3),
  // From a trade now and then, with long quiet stretches, to several with each candle.
  activity: fc.constantFrom(0.15, 0.3, 0.5),
  money: fc.constantFrom(300, 5_000, 200_000),
});

interface Played {
  readonly record: RunRecord;
  readonly text: string;
  readonly entries: readonly JournalEntry[];
}

async function play(
  run: RandomMarketRun,
  strategyClass: StrategyClass,
  way: ReplayWay,
): Promise<Played> {
  const journal = new MemoryJournal();
  const record = await replay(run, strategyClass, { way, journal });
  return { record, text: writeResult(buildResult(record)), entries: journal.entries };
}

function replay(
  { config, market }: RandomMarketRun,
  strategyClass: StrategyClass,
  options: Pick<RunOptions, 'way' | 'journal'>,
): Promise<RunRecord> {
  const archive = createMemoryArchive(market.candles, market);
  const run = { config, archive, strategyClass, sourceHash: 'random', keepCloses: true };
  return runBacktest({ ...run, ...options });
}

describe('the fast way through a replay', () => {
  it('gives the bytes of the plain way, on any strategy, candles and terms', async () => {
    let runs = 0;
    let withFills = 0;

    await fc.assert(
      fc.asyncProperty(
        // A day ends after an hour.
        randomMarketRuns(parameters, { minLength: 80, maxLength: 160, startMinute: 23 * 60 }),
        fc.constantFrom(...STRATEGIES),
        async (run, strategyClass) => {
          const fast = await play(run, strategyClass, 'fast');
          const plain = await play(run, strategyClass, 'plain');
          // Where nobody keeps the events, slices pass without any.
          const eventless = await replay(run, strategyClass, { way: 'fast' });

          expect(fast.text).toBe(plain.text);
          expect(fast.entries).toEqual(plain.entries);
          expect(fast.record).toEqual(plain.record);
          expect(writeResult(buildResult(eventless))).toBe(plain.text);
          expect(eventless).toEqual(plain.record);
          runs += 1;
          if (plain.record.fills.length > 0) withFills += 1;
        },
      ),
    );

    expect(runs).toBeGreaterThanOrEqual(propertyRuns());
    expect(withFills / runs).toBeGreaterThan(0.75);
  });

  it('fails as the plain way does, at the same event', async () => {
    let failures = 0;

    await fc.assert(
      fc.asyncProperty(
        randomMarketRuns(parameters, { minLength: 40, maxLength: 80 }),
        async (run) => {
          const failed = async (way: ReplayWay): Promise<unknown> =>
            replay(run, Failing, { way }).then(
              () => 'none',
              (error: unknown) => error,
            );

          const [fast, plain] = [await failed('fast'), await failed('plain')];

          expect(fast).toEqual(plain);
          expect(String(fast)).toBe(String(plain));
          if (plain instanceof StrategyError) failures += 1;
        },
      ),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );

    expect(failures).toBeGreaterThan(propertyRuns() / 8);
  });
});
