import { describe, expect, it } from 'vitest';
import { needsGuard } from '../../../src/assembly/bot/position-guard.js';
import { createInstrumentId, FIXED_ONE } from '../../../src/domain/index.js';
import {
  startingCheckpoint,
  type Engine,
  type EngineCheckpoint,
  type PositionCheckpoint,
  type VenueStop,
} from '../../../src/engine/index.js';
import { clearingOf, listTriggers } from '../../../src/live/bot/describe-triggers.js';
import { enterLong, exit } from '../../../src/strategy/index.js';

const instrumentId = createInstrumentId('futures', 'E-BTC-USDT');

function aStop(over: Partial<VenueStop> & { readonly id: string; readonly contracts: bigint }) {
  const { id, contracts, ...rest } = over;
  const quantity = contracts * FIXED_ONE;
  return {
    request: { instrumentId, clientOrderId: id, quantity },
    ...{ direction: 'long', trigger: 'stop-loss', level: 48_000n * FIXED_ONE },
    ...{ label: 'stop-loss', placedTime: 0, triggerId: `v-${id}`, state: 'waiting', since: 7 },
    ...{ isOrphan: false, isAwaited: false, ...rest },
  } as unknown as VenueStop;
}

/** An engine that holds 15 contracts long. */
function anEngine(...list: readonly VenueStop[]) {
  const side = (quantity: bigint) => ({ holding: { quantity: quantity * FIXED_ONE } });
  return {
    venueStops: { book: { list } },
    portfolio: { instrument: () => ({ long: side(15n), short: side(0n) }) },
  } as unknown as Pick<Engine, 'venueStops' | 'portfolio'>;
}

describe('listTriggers', () => {
  it('shows the quantity that all triggers of one kind together leave uncovered', () => {
    const listed = listTriggers(
      anEngine(
        aStop({ id: 'a', contracts: 6n }),
        aStop({ id: 'b', contracts: 4n, state: 'unknown' }),
        aStop({ id: 'c', contracts: 15n, trigger: 'take-profit' }),
      ),
    );

    // 15 held less 6 and 4; the take-profit covers all.
    expect(listed.map(({ uncovered }) => uncovered)).toEqual(['5', '5', '0']);
    expect(listed[0]).toMatchObject({ triggerId: 'v-a', level: '48000', quantity: '6', since: 7 });
  });

  it('does not count a trigger that is gone, is canceled or has outlived its position', () => {
    const listed = listTriggers(
      anEngine(
        aStop({ id: 'a', contracts: 6n, state: 'gone' }),
        aStop({ id: 'b', contracts: 5n, isOrphan: true }),
        aStop({ id: 'c', contracts: 12n }),
        aStop({ id: 'd', contracts: 2n, state: 'canceled' }),
      ),
    );

    expect(listed.map(({ uncovered }) => uncovered)).toEqual(['3', undefined, '3', '3']);
  });

  it('is empty without stops at the venue', () => {
    const { portfolio } = anEngine();

    expect(listTriggers({ portfolio, venueStops: undefined })).toEqual([]);
  });
});

describe('clearingOf', () => {
  const engine = anEngine(
    aStop({ id: 'a', contracts: 6n }),
    aStop({ id: 'b', contracts: 5n, isOrphan: true }),
  );

  it.each([[['a', 'v-b']], [[]]])('accepts the ids %j', (ids) => {
    const event = { kind: 'operator', action: 'clear-triggers', ids };

    expect(clearingOf(engine, ids)).toEqual(event);
  });

  it('refuses an unknown id, even beside known ones', () => {
    expect(() => clearingOf(engine, ['a', 'x'])).toThrow(
      expect.objectContaining({ code: 'E_TRIGGER_UNKNOWN' }),
    );
  });

  it('refuses to clear all orphaned triggers if there are none', () => {
    expect(() => clearingOf(anEngine(aStop({ id: 'a', contracts: 6n })), [])).toThrow(
      expect.objectContaining({ code: 'E_TRIGGER_UNKNOWN' }),
    );
  });
});

const NOTHING = startingCheckpoint({});

function held(over: Partial<PositionCheckpoint> = {}): readonly PositionCheckpoint[] {
  return [
    {
      instrumentId,
      direction: 'long',
      quantity: 5n,
      entryValue: 5n,
      isHeld: true,
      ...over,
    },
  ];
}

describe('needsGuard', () => {
  it.each([
    ['an exit', exit(), true],
    ['an entry', enterLong({ quantity: '1' }), false],
  ])('counts parts of %s that are still to be sent', (_what, intent, isNeeded) => {
    const schedule = { since: 0, due: 60_000, everyMs: 60_000, left: 1 };
    const part = { intentId: 1, role: 'exit', unit: 'contracts', quantity: 1n } as const;
    const side: EngineCheckpoint['sides'][number] = {
      instrumentId,
      direction: 'long',
      exitJobs: [],
      rests: [{ ...part, intent, schedule }],
      isTakeProfitRefused: false,
      hasStopFailed: false,
      entryNotional: 0n,
      entryQuantity: 0n,
    };

    expect(needsGuard({ ...NOTHING, sides: [side] })).toBe(isNeeded);
  });

  it.each([
    ['stands for a position', { state: 'waiting' }, true],
    ['may stand for a position', { state: 'unknown' }, true],
    ['is being taken away', { state: 'canceling', isOrphan: true }, true],
    ['had no answer yet', { state: 'submitting', isOrphan: true }, true],
    ['has outlived its position', { state: 'waiting', isOrphan: true }, false],
  ] as const)('decides whether a trigger that %s needs a guard', (_what, over, isNeeded) => {
    const triggers = [aStop({ id: 'a', contracts: 1n, ...over })];

    expect(needsGuard({ ...NOTHING, triggers })).toBe(isNeeded);
  });

  it.each([
    ['of something that is held', 'operator', 'flatten', held(), true],
    ['of a protection', 'daily-loss', 'flatten', held(), true],
    ['that is done', 'operator', 'flatten', [], false],
    ['that left dust', 'operator', 'flatten', held({ isHeld: false }), false],
    ['that only canceled', 'operator', 'cancel', held(), false],
  ] as const)(
    'decides whether a halt %s needs a guard',
    (_what, reason, action, positions, isNeeded) => {
      const halts = [{ reason, action, since: 0, text: 'told' }];
      const protections = { ...NOTHING.protections, halts };

      expect(needsGuard({ ...NOTHING, positions, protections })).toBe(isNeeded);
    },
  );
});
