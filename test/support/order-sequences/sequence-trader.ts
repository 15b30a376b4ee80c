import { CandleStrategy, int, type OrderHandle, type Verdict } from 'evenkeel';

import type { Candle, OrderIntent } from '../../../src/domain/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { DrawnIntent } from './drawn-intents.js';
import { IntentEnds } from './intent-ends.js';

/** What a strategy wants with each of its candles, one after the other. */
export type Plan = readonly (readonly DrawnIntent[])[];

/** How much less than the steps of a sequence a drawn market moves. */
const CALM = 0.15;

/**
 * A strategy that wants what was drawn, and fails where one of its intents does not end as it should. `watch` is told of each intent when it is raised,
 * before it is judged, and of each verdict.
 */
export function sequenceTrader(
  plan: Plan,
  watch: {
    readonly raised?: (handle: OrderHandle, intent: OrderIntent) => void;
    readonly judged?: (verdict: Verdict) => void;
  } = {},
): StrategyClass {
  return class SequenceTrader extends CandleStrategy({ warmup: int(0, 10, 0) }) {
    override readonly warmup = this.parameters.warmup;
    readonly #ends = new IntentEnds(() => true);
    #candles = 0;

    override onVerdict(verdict: Verdict): void {
      this.#ends.hear(verdict);
      watch.judged?.(verdict);
    }

    override onCandle({ close }: Candle): void {
      this.#ends.settle();
      const instruments = this.instruments.map(({ instrumentId }) => instrumentId);
      for (const { at } of plan[this.#candles] ?? []) {
        const intent = at({ last: close, instruments, calm: CALM });
        const handle = this.handleOf(this.raise(intent));
        this.#ends.follow(handle, intent);
        watch.raised?.(handle, intent);
      }
      this.#candles += 1;
    }
  };
}
