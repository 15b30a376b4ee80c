import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { Candle } from '../../../src/domain/index.js';
import { CandleStrategy, sma, type StrategyClass } from '../../../src/strategy/index.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { hourly } from '../../support/hourly-run.js';
import { replay } from '../../support/replay.js';
import { lawRuns } from '../../support/runs.js';

const HOURS = 60;
const ACTS = ['candles', 'slices', 'listen', 'leave', 'order', 'throw'] as const;
type Act = (typeof ACTS)[number];
type Line = readonly unknown[];

/** Subscribes and unsubscribes at drawn candles. Writes down each call with the values that it reads at that time. */
function createListener(acts: ReadonlyMap<number, readonly Act[]>, lines: Line[]): StrategyClass {
  return class extends CandleStrategy() {
    readonly #fast = this.indicator(sma(3));
    readonly #leaves: (() => void)[] = [];
    #count = 0;

    override onCandle(candle: Candle): void {
      this.#write('onCandle', candle.openTime);
      for (const act of acts.get(this.#count) ?? []) this.#take(act);
      this.#count += 1;
    }

    #write(source: string, ...rest: Line): void {
      lines.push([source, this.now, this.last(), this.#fast.value, this.#fast.previous, ...rest]);
    }

    #take(act: Act): void {
      const keep = (subscription: Subscription): void => {
        this.#leaves.push(() => {
          subscription.unsubscribe();
        });
      };
      const { market } = this;
      if (act === 'candles')
        keep(
          market.candles$().subscribe((one) => {
            this.#write(act, one.openTime);
          }),
        );
      else if (act === 'slices')
        keep(
          market.slices$.subscribe((slice) => {
            this.#write(
              act,
              slice.map((one) => one.openTime),
            );
          }),
        );
      else if (act === 'listen')
        this.#leaves.push(
          this.listen((one) => {
            this.#write(act, one.openTime);
          }),
        );
      else if (act === 'leave') this.#leaves.pop()?.();
      else if (act === 'order') this.enterLong({ quantity: '0.01' }, { add: true });
      else throw new Error('planted');
    }
  };
}

async function play(
  acts: ReadonlyMap<number, readonly Act[]>,
  isOneByOne: boolean,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const columns = hourly(
    Object.fromEntries(Array.from({ length: HOURS }, (_, hour) => [hour, 100 + ((hour * 7) % 11)])),
  );
  const journal = isOneByOne ? { journal: new MemoryJournal() } : {};
  await replay(createListener(acts, lines), columns, {}, journal).catch((error: unknown) => {
    lines.push(['failed', String(error)]);
  });
  return lines;
}

describe('listeners of candles that pass in batches', () => {
  it('receive the same as with single candles, also if listeners come and go', async () => {
    const drawn = fc.array(fc.tuple(fc.nat(HOURS - 1), fc.constantFrom(...ACTS)), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(drawn, async (pairs) => {
        const acts = new Map<number, readonly Act[]>();
        for (const [at, act] of pairs) acts.set(at, [...(acts.get(at) ?? []), act]);

        const lines = await play(acts, false);

        expect(lines).toEqual(await play(acts, true));
        if (!pairs.some(([, act]) => act === 'throw'))
          expect(lines.length).toBeGreaterThan(HOURS - 9);
      }),
      { numRuns: lawRuns() },
    );
  });
});
