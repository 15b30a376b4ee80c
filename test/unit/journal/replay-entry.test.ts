import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import {
  divergenceError,
  replayEntry,
  type Divergence,
  type StoredEntry,
} from '../../../src/journal/index.js';
import type { Command, Engine } from '../../../src/engine/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aMinute, aStartedEngine, closing } from '../../support/engine/engine.js';

class Buyer extends CandleStrategy({}) {
  override onCandle(): void {
    if (this.position.quantity.isZero()) this.enterLong({ notional: '100' });
  }
}

class Failing extends CandleStrategy({}) {
  override onCandle(): void {
    throw new Error('lost');
  }
}

const EVENT = closing(aMinute(1));

/** The entry that a run of {@link Buyer} writes. */
function recorded(change: (commands: readonly Command[]) => readonly Command[]): StoredEntry {
  const commands = aStartedEngine(Buyer).process(EVENT);
  return { id: 7, event: EVENT, commands: change(commands), intents: [], isIntact: true };
}

function withQuantity(command: Command | undefined, quantity: string): readonly Command[] {
  if (command?.kind !== 'submit') throw new Error('expected an order');
  const order = { ...command.order, quantity: parseFixed(quantity) };
  return [{ kind: 'submit', order }];
}

describe('replayEntry', () => {
  const replay = (entry: StoredEntry, engine: Engine = aStartedEngine(Buyer)): Divergence =>
    replayEntry(engine, entry) as Divergence;

  it('reports no divergence if every command is equal', () => {
    expect(replay(recorded((commands) => commands))).toBeUndefined();
  });

  it('reports a command that differs in the last digit', () => {
    const entry = recorded(([command]) => withQuantity(command, '100.000000000000000001'));

    const { what, eventId, event, expected, received } = replay(entry);

    expect({ what, eventId, event }).toEqual({
      what: 'command',
      eventId: 7,
      event: 'candles spot:BTCUSDT 1min at 2025-01-01T00:01:00Z',
    });
    expect(expected).toContain('"quantity":"100.000000000000000001"');
    expect(received).toContain('"quantity":"100"');
  });

  it('reports a missing command and a surplus command', () => {
    const missing = replay(recorded(() => []));
    const tooMany = replay(recorded(([command]) => (command ? [command, command] : [])));

    expect(missing).toMatchObject({ expected: 'no command' });
    expect(tooMany).toMatchObject({ received: 'no command' });
  });

  it('reports an engine that fails although the recorded one did not', () => {
    const divergence = replay(
      recorded((commands) => commands),
      aStartedEngine(Failing),
    );

    expect(divergence.what).toBe('failure');
    expect(divergence.received).toContain('lost');
    expect(divergence.expected).toContain('submit {');
  });

  it('rejects an altered entry with E_REPLAY_DIVERGED', () => {
    const divergence = replay({ ...recorded((commands) => commands), isIntact: false });

    expect(divergence.what).toBe('entry');
    expect(divergenceError(divergence)).toMatchObject({
      code: 'E_REPLAY_DIVERGED',
      message: expect.stringMatching(/^event 7 \(candles .*\): expected .*, received /) as string,
    });
  });
});
