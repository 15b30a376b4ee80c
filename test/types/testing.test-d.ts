import { describe, expectTypeOf, it } from 'vitest';
import { CandleStrategy, int } from '#src/index.js';
import {
  checkLaws,
  expectNoLookAhead,
  neverNaked,
  startStrategy,
  type Law,
} from '#src/testing/index.js';
import type { StrategyInstance } from '#src/strategy/index.js';

class Counts extends CandleStrategy({ most: int(1, 10, 3) }) {
  seen = 0;

  override onCandle(): void {
    this.seen += 1;
  }
}

describe('evenkeel/testing', () => {
  it('knows the type of the started class', async () => {
    const test = await startStrategy(Counts);

    expectTypeOf(test.strategy.seen).toEqualTypeOf<number>();
    expectTypeOf(
      (await startStrategy('./counts.strategy.ts')).strategy,
    ).toEqualTypeOf<StrategyInstance>();
  });

  it('accepts any function of a test as a law, and only strategy classes', () => {
    expectTypeOf<(test: { readonly now: number }) => void>().toExtend<Law>();

    void checkLaws(Counts, { laws: [neverNaked, ({ equity }) => equity.isZero() || undefined] });
    // @ts-expect-error -- it has no laws
    void checkLaws(Counts, {});
    // @ts-expect-error -- it is no strategy
    void checkLaws(Date, { laws: [neverNaked] });
  });

  it('accepts a function that makes a strategy from candles only as madeFrom', () => {
    void expectNoLookAhead(
      { madeFrom: (candles) => (candles.length > 0 ? Counts : Counts) },
      { candles: [] },
    );
    // @ts-expect-error -- a function may be a class
    void expectNoLookAhead(() => Counts, { candles: [] });
  });
});
