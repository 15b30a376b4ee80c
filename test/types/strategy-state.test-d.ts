import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import { CandleStrategy, int, Strategy, type OrderIntent } from '#src/index.js';
import type { WithState } from '#src/strategy/index.js';

interface Level {
  readonly price: string;
  filled: boolean;
}

const kept = {
  state: {
    step: 0,
    entry: null as string | null,
    isOn: true,
    levels: [] as Level[],
    by: {} as Record<string, number>,
    side: 'none' as 'none' | 'long',
  },
};

class Keeps extends CandleStrategy({ fast: int(2, 200, 10) }, kept) {
  override onCandle(): void {
    this.state.step += 1;
    this.state.entry = '1.5';
    this.state.levels.push({ price: '1', filled: false });
    // @ts-expect-error: a number is no word
    this.state.entry = 5;
    // @ts-expect-error: the state is written, not replaced
    this.state = { ...this.state };
  }
}

describe('the state of a strategy', () => {
  it('is typed from its initial value', () => {
    expectTypeOf<Keeps['state']>().toEqualTypeOf<{
      step: number;
      entry: string | null;
      isOn: boolean;
      levels: Level[];
      by: Record<string, number>;
      side: 'none' | 'long';
    }>();
    expectTypeOf<Keeps['parameters']>().toEqualTypeOf<{ readonly fast: number }>();
  });

  it('is typed in the same way in RxJS style', () => {
    class Streams extends Strategy({}, { state: { step: 0 }, instruments: 2 }) {
      override intents(): Observable<OrderIntent> {
        this.state.step += 1;
        throw new Error('only its types matter');
      }
    }

    expectTypeOf<Streams['state']>().toEqualTypeOf<{ step: number }>();
  });

  it('exists only if it is declared', () => {
    class Forgets extends CandleStrategy({}) {
      override onCandle(): void {
        // @ts-expect-error: nothing is declared
        expectTypeOf(this.state).toBeAny();
      }
    }

    expectTypeOf<Forgets>().not.toHaveProperty('state');
  });

  it('accepts only JSON values', () => {
    type Refused = 'a state holds JSON, and nothing else';

    expectTypeOf<WithState<{ by: Map<string, number> }>['state']>().toEqualTypeOf<Refused>();
    expectTypeOf<WithState<{ since: Date }>['state']>().toEqualTypeOf<Refused>();
    expectTypeOf<WithState<{ step: bigint }>['state']>().toEqualTypeOf<Refused>();
    expectTypeOf<WithState<{ entry: string | undefined }>['state']>().toEqualTypeOf<Refused>();
    expectTypeOf<WithState<{ any: unknown }>['state']>().toEqualTypeOf<{ any: unknown }>();
    expectTypeOf<WithState<{ entry?: string }>['state']>().toEqualTypeOf<{ entry?: string }>();
    // @ts-expect-error: a state has members
    CandleStrategy({}, { state: 5 });
    // @ts-expect-error: no such key
    CandleStrategy({}, { states: { step: 0 } });
  });

  it('is the type that a migration must return', () => {
    CandleStrategy(
      {},
      {
        state: { step: 0 },
        stateVersion: 2,
        migrateState: (old, { version }) => ({ step: version === 1 ? Number(old['count']) : 0 }),
      },
    );
    // @ts-expect-error: a step is a number
    CandleStrategy({}, { state: { step: 0 }, migrateState: () => ({ step: 'one' }) });
  });
});
