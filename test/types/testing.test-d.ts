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
  it('knows the class that it has started', async () => {
    const test = await startStrategy(Counts);

    expectTypeOf(test.strategy.seen).toEqualTypeOf<number>();
    expectTypeOf(
      (await startStrategy('./counts.strategy.ts')).strategy,
    ).toEqualTypeOf<StrategyInstance>();
  });

  it('takes any function of a test for a law, and no class that trades nothing', () => {
    expectTypeOf<(test: { readonly now: number }) => void>().toExtend<Law>();

    void checkLaws(Counts, { laws: [neverNaked, ({ equity }) => equity.isZero() || undefined] });
    // @ts-expect-error -- it has no laws
    void checkLaws(Counts, {});
    // @ts-expect-error -- it is no strategy
    void checkLaws(Date, { laws: [neverNaked] });
  });

  it('makes a strategy from candles where that is said', () => {
    void expectNoLookAhead(
      { madeFrom: (candles) => (candles.length > 0 ? Counts : Counts) },
      { candles: [] },
    );
    // @ts-expect-error -- a function may be a class
    void expectNoLookAhead(() => Counts, { candles: [] });
  });
});
