import { NEVER, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { formatUtc, MINUTE_MS, type OrderIntent } from '../../../src/domain/index.js';
import {
  NO_JOURNAL,
  startingCheckpoint,
  type EngineCheckpoint,
  type Journal,
} from '../../../src/engine/index.js';
import {
  CandleStrategy,
  Strategy,
  STRATEGY,
  type Market,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';
import {
  aMinute,
  anEngine,
  aStartedEngine,
  closing,
  passing,
  START,
  type EngineSetup,
} from '../../support/engine/engine.js';

class Counter extends CandleStrategy({}, { state: { candles: 0, orders: [] as string[] } }) {
  override onCandle(): void {
    this.state.candles += 1;
  }
}

/** Writes its state during the warm-up, too, if the engine lets it. */
class Streams extends Strategy({}, { state: { starts: 0, candles: 0, last: [] as number[] } }) {
  override readonly warmup = 2;

  override intents(market: Market): Observable<OrderIntent> {
    this.state.starts += 1;
    market.candles$().subscribe(({ close }) => {
      this.state.candles += 1;
      this.state.last = [close];
    });
    return this.verdicts$ as Observable<never>;
  }
}

function writing(write: (state: Record<string, unknown>) => void): StrategyClass {
  return class Writer extends CandleStrategy({}, { state: {} }) {
    override onCandle(): void {
      write(this.state);
    }
  };
}

/** A journal that records the kept state of each entry. */
function noting(): Journal & { readonly states: (string | undefined)[] } {
  const states: (string | undefined)[] = [];
  return { states, append: (_event, _commands, _intents, state) => states.push(state) };
}

function keeping(state: Partial<NonNullable<EngineCheckpoint['state']>>): EngineSetup {
  const kept = { version: 1, members: '{ candles: number, orders: list }', json: '{}', ...state };
  return { checkpoint: { ...startingCheckpoint({}), state: kept } };
}

/** Raises no intents, and leaves the kept state of another strategy unchanged. */
class Carrier extends Strategy({}) {
  static override readonly [STRATEGY] = { parameters: {}, requirements: {}, carriesState: true };

  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

describe('the state of a strategy', () => {
  it('is kept unchanged by a strategy that only carries it, and may be absent', () => {
    const setup = keeping({ version: 3, json: '{"candles":7}' });

    const engine = aStartedEngine(Carrier, setup);
    engine.process(closing(aMinute(1)));

    expect(engine.checkpoint().state).toEqual(setup.checkpoint?.state);
    expect(aStartedEngine(Carrier).checkpoint().state).toBeUndefined();
  });

  it('is recorded with each event that changes it, and with no other', () => {
    const journal = noting();
    const engine = aStartedEngine(Counter, { journal });

    engine.process(closing(aMinute(1)));
    engine.process(passing(START + MINUTE_MS + 1));
    engine.process(closing(aMinute(2)));

    expect(journal.states).toEqual([
      '{"candles":1,"orders":[]}',
      undefined,
      '{"candles":2,"orders":[]}',
    ]);
  });

  it('starts with its declared values in each run', () => {
    const [one, other] = [aStartedEngine(Counter), aStartedEngine(Counter)];

    one.process(closing(aMinute(1)));

    expect(one.keptState?.json).toBe('{"candles":1,"orders":[]}');
    expect(other.keptState?.json).toBe('{"candles":0,"orders":[]}');
  });

  it('is part of the checkpoint, also without a journal', () => {
    const engine = aStartedEngine(Counter, { journal: NO_JOURNAL });
    for (const minute of [1, 2, 3]) engine.process(closing(aMinute(minute)));

    const checkpoint = engine.checkpoint();
    const next = aStartedEngine(Counter, { checkpoint });
    next.process(closing(aMinute(4)));

    expect(checkpoint.state).toEqual({
      version: 1,
      members: '{ candles: number, orders: list }',
      json: '{"candles":3,"orders":[]}',
    });
    expect(next.keptState?.json).toBe('{"candles":4,"orders":[]}');
  });

  it('is undefined for a strategy that declares no state', () => {
    class Idle extends CandleStrategy({}) {
      readonly state = 'its own';

      override onCandle(): void {
        expect(this.state).toBe('its own');
      }
    }
    const journal = noting();
    const engine = aStartedEngine(Idle, { journal });

    engine.process(closing(aMinute(1)));

    expect(journal.states).toEqual([undefined]);
    expect(engine.checkpoint()).not.toHaveProperty('state');
  });

  it('cannot be replaced by another object', () => {
    class Replaces extends CandleStrategy({}, { state: { step: 0 } }) {
      override onCandle(): void {
        Object.assign(this, { state: { step: 1 } });
      }
    }
    const engine = aStartedEngine(Replaces);

    expect(failureOf(() => engine.process(closing(aMinute(1))))).toMatchObject({
      code: 'E_STRATEGY_FAILED',
      message: expect.stringContaining("read only property 'state'") as unknown,
    });
  });
});

describe('the warm-up', () => {
  it('does not change the state', () => {
    const journal = noting();
    const engine = aStartedEngine(Streams, { journal });

    for (const minute of [1, 2, 3]) engine.process(closing(aMinute(minute)));

    expect(journal.states).toEqual([
      undefined,
      '{"starts":1,"candles":0,"last":[]}',
      '{"starts":1,"candles":1,"last":[100]}',
    ]);
  });

  it('keeps the changes that onHalt makes to the state', () => {
    class Told extends Streams {
      override onHalt(): void {
        this.state.starts += 10;
      }
    }
    const journal = noting();
    const engine = aStartedEngine(Told, { journal });

    engine.process(closing(aMinute(1)));
    engine.process({
      kind: 'operator',
      time: START + MINUTE_MS,
      action: 'halt',
      onHalt: 'block',
      text: '',
    });
    const { state } = engine.checkpoint();
    engine.process(closing(aMinute(2)));
    engine.process(closing(aMinute(3)));

    expect(state?.json).toBe('{"starts":11,"candles":0,"last":[]}');
    expect(journal.states).toEqual([
      undefined,
      state?.json,
      undefined,
      '{"starts":11,"candles":1,"last":[100]}',
    ]);
  });

  it('keeps the state of the start for a bot that restarts during it', () => {
    const engine = aStartedEngine(Streams);
    engine.process(closing(aMinute(1)));

    expect(engine.checkpoint().state?.json).toBe('{"starts":0,"candles":0,"last":[]}');
  });
});

describe('an invalid state', () => {
  const cases: readonly [string, StrategyClass, object][] = [
    [
      'no JSON',
      writing((state) => {
        state['levels'] = [{ price: Number.NaN }];
      }),
      {
        code: 'E_STATE_VALUE',
        message: expect.stringContaining(
          'state.levels[0].price: expected null, a boolean, a finite number, a string, a list or a plain object, received NaN',
        ) as unknown,
      },
    ],
    [
      'too large',
      writing((state) => {
        state['text'] = 'ä'.repeat(33_000);
      }),
      {
        code: 'E_STATE_SIZE',
        message: expect.stringContaining(
          'state: expected at most 65536 bytes as JSON, received 66011',
        ) as unknown,
      },
    ],
  ];

  it.each(cases)('ends a run with a journal: %s', (_what, strategyClass, expected) => {
    const engine = aStartedEngine(strategyClass);

    expect(failureOf(() => engine.process(closing(aMinute(1))))).toMatchObject({
      ...expected,
      event: `candles spot:BTCUSDT 1min at ${formatUtc(START + MINUTE_MS)}`,
    });
  });

  it.each(cases)('ends a run without a journal: %s', (_what, strategyClass, expected) => {
    const engine = aStartedEngine(strategyClass, { journal: NO_JOURNAL });

    expect(failureOf(() => engine.process(closing(aMinute(1))))).toMatchObject(expected);
  });

  it('is detected once a day without a journal, and at the end', () => {
    let count = 0;
    const counting = writing((state) => {
      count += 1;
      if (count === 2) state['since'] = new Date(0);
    });
    const engine = aStartedEngine(counting, { journal: NO_JOURNAL });
    engine.process(closing(aMinute(1)));
    engine.process(closing(aMinute(2)));
    engine.process(closing(aMinute(1439)));

    const end = START + 1_439 * MINUTE_MS;
    expect(failureOf(() => engine.process({ kind: 'end', time: end }))).toMatchObject({
      code: 'E_STATE_VALUE',
    });
    count = 0;
    const other = aStartedEngine(counting, { journal: NO_JOURNAL });
    other.process(closing(aMinute(1)));
    expect(failureOf(() => other.process(closing(aMinute(1440))))).toMatchObject({
      code: 'E_STATE_VALUE',
    });
  });

  it.each([
    ['state.at', { state: { at: undefined } }],
    ['state', { state: [1] as unknown as object }],
    ['stateVersion', { state: { step: 0 }, stateVersion: 0 }],
    ['state', { stateVersion: 2 }],
    ['state', { state: { text: 'a'.repeat(70_000) } }],
  ])('is refused in the declaration of %s', (path, options) => {
    expect(failureOf(() => CandleStrategy({}, options as object))).toMatchObject({
      code: 'E_STATE_DECLARATION',
      message: expect.stringMatching(new RegExp(`^${path}: expected .*, received `)) as unknown,
    });
  });
});

describe('a stored state of another shape', () => {
  it('is refused with the expected and the received shape', () => {
    const engine = anEngine(Counter, keeping({ members: '{ step: number }' }));

    expect(failureOf(() => engine.construct())).toMatchObject({
      code: 'E_STATE_SHAPE',
      message: expect.stringContaining(
        'expected version 1 { candles: number, orders: list }, received version 1 { step: number }; declare migrateState(old, oldShape)',
      ) as unknown,
    });
  });

  it('is refused if its version differs', () => {
    const engine = anEngine(Counter, keeping({ version: 2 }));

    expect(failureOf(() => engine.construct())).toMatchObject({ code: 'E_STATE_SHAPE' });
  });

  it('is refused if the strategy no longer declares a state', () => {
    class Idle extends CandleStrategy({}) {
      override onCandle(): void {
        // Raises no intents.
      }
    }
    const engine = anEngine(Idle, keeping({}));

    expect(failureOf(() => engine.construct())).toMatchObject({ code: 'E_STATE_SHAPE' });
  });

  class Migrates extends CandleStrategy(
    {},
    {
      state: { step: 0 },
      migrateState: (old, { members }) => ({ step: Number(old['count']) + members.length }),
    },
  ) {
    override onCandle(): void {
      this.state.step += 1;
    }
  }

  it('is converted by a migration', () => {
    const members = '{ count: number }';
    const engine = aStartedEngine(Migrates, keeping({ members, json: '{"count":3}' }));

    engine.process(closing(aMinute(1)));

    expect(engine.keptState).toEqual({
      version: 1,
      members: '{ step: number }',
      json: `{"step":${String(4 + members.length)}}`,
    });
  });

  it.each([
    ['E_STATE_VALUE', () => ({ step: Number.NaN })],
    ['E_STATE_SHAPE', () => ({}) as { step: number }],
    [
      'E_STRATEGY_START',
      () => {
        throw new Error('too old');
      },
    ],
  ])('stays refused if the migration fails (%s)', (code, migrateState) => {
    class Fails extends CandleStrategy({}, { state: { step: 0 }, migrateState }) {
      override onCandle(): void {
        // Raises no intents.
      }
    }
    const engine = anEngine(Fails, keeping({}));

    expect(failureOf(() => engine.construct())).toMatchObject({ code });
  });

  const declared = { step: 0, prices: [] as unknown[], by: { day: 'mon' }, note: null as unknown };

  it.each<readonly [object, string]>([
    [{ ...declared, prices: 'none' }, 'received string as state.prices'],
    [{ ...declared, step: '3' }, 'received string as state.step'],
    [{ ...declared, by: [] }, 'received list as state.by'],
    [{ ...declared, by: {} }, 'received a state without state.by.day'],
    [[], 'received list as state'],
  ])('is refused if the migration makes another form: %j', (made, message) => {
    const migrateState = (): typeof declared => made as typeof declared;
    class Fails extends CandleStrategy({}, { state: declared, migrateState }) {
      override onCandle(): void {
        // Raises no intents.
      }
    }

    expect(failureOf(() => anEngine(Fails, keeping({})).construct())).toMatchObject({
      code: 'E_STATE_SHAPE',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('may become null, or anything where null was declared', () => {
    const migrateState = (): typeof declared =>
      ({ ...declared, step: null, note: [1] }) as unknown as typeof declared;
    class Accepts extends CandleStrategy({}, { state: declared, migrateState }) {
      override onCandle(): void {
        // Raises no intents.
      }
    }
    const engine = anEngine(Accepts, keeping({}));

    engine.construct();

    expect(JSON.parse(engine.keptState?.json ?? '')).toMatchObject({ step: null, note: [1] });
  });
});
