import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/domain/index.js';
import type { Journal } from '../../../src/engine/index.js';
import { CandleStrategy, type Verdict } from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';
import { aMinute, aStartedEngine, closing } from '../../support/engine/engine.js';

class Buyer extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ notional: '100' }, { add: true });
  }
}

/** Takes `entries` entries, then throws `failure`. */
function failingAfter(entries: number, failure: unknown): Journal {
  let taken = 0;
  return {
    append: () => {
      taken += 1;
      if (taken > entries) throw failure;
    },
  };
}

describe('an engine whose journal fails', () => {
  it('returns no command, and stays failed although the journal would work again', () => {
    const full = new JournalError('E_JOURNAL_FULL', 'the disk is full');
    let isFull = true;
    const journal: Journal = {
      append: () => {
        if (isFull) throw full;
      },
    };
    const engine = aStartedEngine(Buyer, { journal });

    expect(failureOf(() => engine.process(closing(aMinute(1))))).toBe(full);
    isFull = false;
    expect(failureOf(() => engine.process(closing(aMinute(2))))).toBe(full);
    expect(failureOf(() => engine.assertHealthy())).toBe(full);
  });

  it('returns the commands that were recorded before', () => {
    const engine = aStartedEngine(Buyer, { journal: failingAfter(1, new Error('gone')) });

    expect(engine.process(closing(aMinute(1)))).toHaveLength(1);
    expect(failureOf(() => engine.process(closing(aMinute(2))))).toMatchObject({ message: 'gone' });
  });

  it('reports a thrown value that is not an error', () => {
    const engine = aStartedEngine(Buyer, { journal: failingAfter(0, 'no space') });

    expect(failureOf(() => engine.process(closing(aMinute(1))))).toMatchObject({
      message: 'no space',
    });
  });
});

describe('an observer of verdicts', () => {
  it('receives each verdict before the strategy', () => {
    const told: string[] = [];
    class Listening extends Buyer {
      override onVerdict({ intentId }: Verdict): void {
        told.push(`strategy ${String(intentId)}`);
      }
    }
    const engine = aStartedEngine(Listening, {
      onVerdict: ({ intentId, decision }) => told.push(`${decision.kind} ${String(intentId)}`),
    });

    engine.process(closing(aMinute(1)));

    expect(told).toEqual(['approved 1', 'strategy 1']);
  });
});
