import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DAY_MS, HOUR_MS, parseFixed } from '../../../../src/domain/index.js';
import {
  foldProtections,
  INITIAL_PROTECTION_STATE,
  type ProtectionConfig,
  type RiskStateEvent,
} from '../../../../src/risk/index.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';
import { closedAt, equityAt, replay, sentAt } from '../../../support/risk/protections.js';
import { lawRuns } from '../../../support/runs.js';

const MIDNIGHT = Date.UTC(2025, 5, 15);
const hour = (count: number): number => MIDNIGHT + count * HOUR_MS;
const reasons = (events: readonly RiskStateEvent[], config: ProtectionConfig): readonly string[] =>
  replay(events, config).halted.map(
    ({ reason, since }) => `${reason} at ${String((since - MIDNIGHT) / HOUR_MS)}`,
  );

describe('daily loss', () => {
  const config: ProtectionConfig = { maxDailyLoss: parseFixed('200'), onHalt: 'flatten' };

  it('halts once at its limit, with the configured action, until the day ends', () => {
    const events = [
      equityAt(hour(1), '10000'),
      equityAt(hour(2), '9800'),
      equityAt(hour(3), '9700'),
    ];

    const { halted, state } = replay(events, config);

    expect(halted).toEqual([
      {
        reason: 'daily-loss',
        since: hour(2),
        until: MIDNIGHT + DAY_MS,
        action: 'flatten',
        text: 'lost 200 since the day began with 10000, allowed are 200',
      },
    ]);
    expect(state.halts).toEqual(halted);
  });

  it('counts from the last equity of the day before', () => {
    const events = [
      equityAt(hour(23), '10000'),
      equityAt(hour(25), '9850'),
      equityAt(hour(26), '9790'),
    ];

    expect(reasons(events, config)).toEqual(['daily-loss at 26']); // 10,000 − 9,790 = 210
  });

  it('starts a new count each day, and ends the halt', () => {
    const events = [
      equityAt(hour(1), '10000'),
      equityAt(hour(2), '9800'),
      equityAt(hour(24), '9700'),
    ];

    const { state, halted } = replay(events, config);

    expect(halted).toHaveLength(1);
    expect(state.halts).toEqual([]);
    expect(state.dayEquity).toBe(parseFixed('9800'));
  });

  it('begins the day at the reset hour', () => {
    const events = [
      equityAt(hour(21), '10000'),
      equityAt(hour(22), '9900'),
      equityAt(hour(23), '9790'),
    ];

    expect(reasons(events, config)).toEqual(['daily-loss at 23']);
    // With a day that begins at 23:00, the day before ended at 9,900.
    expect(reasons(events, { ...config, resetHour: 23 })).toEqual([]);
    expect(replay(events, { ...config, resetHour: 20 }).halted[0]?.until).toBe(hour(44));
  });

  it('leaves other halts in force when its halt ends', () => {
    const halt: RiskStateEvent = {
      kind: 'operator',
      time: hour(3),
      command: { kind: 'halt', action: 'block', text: 'by hand' },
    };
    const events = [equityAt(hour(1), '10000'), equityAt(hour(2), '9800'), halt];

    const { state } = replay([...events, closedAt(hour(24), '-1')], config);

    expect(state.halts.map(({ reason }) => reason)).toEqual(['operator']);
  });

  it('applies the tighter limit of money and share', () => {
    const both = { ...config, maxDailyLossRatio: parseFixed('0.01') };
    const events = [equityAt(hour(1), '10000'), equityAt(hour(2), '9900')];

    expect(reasons(events, both)).toEqual(['daily-loss at 2']);
    expect(reasons(events, config)).toEqual([]);
    expect(reasons(events, { ...both, maxDailyLoss: parseFixed('100') })).toEqual([
      'daily-loss at 2',
    ]);
    expect(reasons(events, { ...both, maxDailyLossRatio: parseFixed('0.02') })).toEqual([]);
  });
});

describe('drawdown', () => {
  it('counts from the highest equity since the start', () => {
    const config = { maxDrawdown: parseFixed('500') };
    const events = [
      equityAt(hour(0), '10000'),
      equityAt(hour(1), '11000'),
      equityAt(hour(100), '10600'),
      equityAt(hour(200), '10500'),
    ];

    expect(reasons(events, config)).toEqual(['drawdown at 200']);
  });

  it('forgets highs that have left the window', () => {
    const config = { maxDrawdown: parseFixed('500'), drawdownWindowMs: DAY_MS };
    const events = [
      equityAt(hour(0), '11000'),
      equityAt(hour(12), '10800'),
      equityAt(hour(25), '10400'), // 400 below 10,800
      equityAt(hour(26), '10300'), // 500 below 10,800
    ];

    expect(reasons(events, config)).toEqual(['drawdown at 26']);
  });

  it('starts from the equity at the end of its halt', () => {
    const config = { maxDrawdown: parseFixed('500'), haltMs: 2 * HOUR_MS };
    const events = [
      equityAt(hour(0), '10000'),
      equityAt(hour(1), '9500'),
      equityAt(hour(2), '9000'),
      equityAt(hour(3), '8900'),
      equityAt(hour(4), '8401'),
      equityAt(hour(5), '8400'),
    ];

    expect(reasons(events, config)).toEqual(['drawdown at 1', 'drawdown at 5']);
  });

  it('halts with the configured action', () => {
    const config: ProtectionConfig = { maxDrawdown: parseFixed('500'), onHalt: 'cancel' };

    const { halted } = replay([equityAt(hour(0), '10000'), equityAt(hour(1), '9500')], config);

    expect(halted[0]?.action).toBe('cancel');
  });

  it('keeps at most 257 peaks of the window, however many samples fall', () => {
    const events = Array.from({ length: 2_000 }, (_, index) =>
      equityAt(MIDNIGHT + index, String(10_000 - index)),
    );

    const { peaks } = replay(events, { drawdownWindowMs: 1_000 }).state;

    expect(peaks.length).toBeGreaterThan(200);
    expect(peaks.length).toBeLessThanOrEqual(257);
  });

  it('tracks the maximum of the window, within 1/256 of the window', () => {
    const windowMs = 256_000;
    const curve = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 40_000 }), fc.bigInt({ min: 1n, max: 1_000n })),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(curve, (samples) => {
        const config = { drawdownWindowMs: windowMs };
        let time = MIDNIGHT;
        const events = samples.map(
          ([gap, equity]) => ({ kind: 'equity', time: (time += gap), equity }) as const,
        );
        const end = time;

        const { peaks } = replay(events, config).state;

        const highest = (fromMs: number): bigint =>
          events
            .filter((event) => event.time > fromMs)
            .reduce((top, { equity }) => (equity > top ? equity : top), 0n);
        const top = peaks[0]?.equity ?? 0n;
        expect(top <= highest(end - windowMs)).toBe(true);
        expect(top >= highest(end - windowMs + 1_000)).toBe(true);
        expect(peaks.length).toBeLessThanOrEqual(258);
      }),
      { numRuns: lawRuns() },
    );
  });
});

describe('consecutive losses', () => {
  const config: ProtectionConfig = { maxConsecutiveLosses: 2, haltMs: HOUR_MS, onHalt: 'cancel' };

  it('halt at their limit, and are counted again from 0 afterwards', () => {
    const events = [
      closedAt(hour(0), '-1'),
      closedAt(hour(1), '-1'),
      closedAt(hour(2), '-1'),
      closedAt(hour(3), '-1'),
    ];

    const { halted } = replay(events, config);

    expect(halted.map(({ since, until, action }) => [since, until, action])).toEqual([
      [hour(1), hour(2), 'cancel'],
      [hour(3), hour(4), 'cancel'],
    ]);
  });

  it('are reset by a trade without loss', () => {
    const events = [closedAt(hour(0), '-1'), closedAt(hour(1), '0'), closedAt(hour(2), '-1')];

    expect(reasons(events, config)).toEqual([]);
  });

  it('halt until a resume if no time is set', () => {
    const { halted } = replay([closedAt(hour(0), '-1')], { maxConsecutiveLosses: 1 });

    expect(halted[0]).toMatchObject({ until: undefined, action: 'block' });
  });
});

describe("the operator's commands", () => {
  it('halt once until a resume', () => {
    const halt: RiskStateEvent = {
      kind: 'operator',
      time: hour(1),
      command: { kind: 'halt', action: 'cancel', text: 'by hand' },
    };

    const { halted, state } = replay([halt, halt, equityAt(hour(100), '1')], {});

    expect(halted).toEqual([
      { reason: 'operator', since: hour(1), until: undefined, action: 'cancel', text: 'by hand' },
    ]);
    expect(state.halts).toEqual(halted);
  });

  it('reset the counts of all losses at a resume', () => {
    const config = {
      maxDailyLoss: parseFixed('200'),
      maxDrawdown: parseFixed('200'),
      maxConsecutiveLosses: 2,
    };
    const events: readonly RiskStateEvent[] = [
      equityAt(hour(1), '10000'),
      equityAt(hour(2), '9800'),
      closedAt(hour(2), '-200'),
      { kind: 'operator', time: hour(3), command: { kind: 'resume' } },
      equityAt(hour(4), '9700'),
      closedAt(hour(4), '-100'),
      equityAt(hour(5), '9600'),
    ];

    // Equity is 9,800 at the resume. At hour 5 it has lost 200, and the high since then is 9,700.
    expect(reasons(events, config)).toEqual([
      'daily-loss at 2',
      'drawdown at 2',
      'daily-loss at 5',
    ]);
  });
});

describe('health', () => {
  const worse = (time: number, text: string): RiskStateEvent => ({
    kind: 'health',
    time,
    isDegraded: true,
    text,
  });
  const resume: RiskStateEvent = { kind: 'operator', time: hour(3), command: { kind: 'resume' } };

  it('stays degraded since the first event, with the text of the last event', () => {
    const { state } = replay([worse(hour(1), 'stale'), worse(hour(2), 'unknown'), resume], {});

    expect(state.degraded).toEqual({ since: hour(1), text: 'unknown' });
  });

  it('neither starts nor ends a halt', () => {
    const halt: RiskStateEvent = {
      kind: 'operator',
      time: hour(1),
      command: { kind: 'halt', action: 'block', text: 'by hand' },
    };

    const { state, halted } = replay(
      [
        halt,
        worse(hour(2), 'stale'),
        { kind: 'health', time: hour(3), isDegraded: false, text: 'fresh' },
      ],
      {},
    );

    expect(halted).toHaveLength(1);
    expect(state).toMatchObject({ halts: halted, degraded: undefined });
  });
});

const anEvent: fc.Arbitrary<(time: number) => RiskStateEvent> = fc.oneof(
  fc
    .bigInt({ min: 0n, max: 2_000n })
    .map((equity) => (time: number) => ({ kind: 'equity', time, equity }) as const),
  fc
    .constantFrom('open', 'close')
    .map((action) => (time: number) => sentAt(time, action, action === 'open' ? SPOT : LINEAR)),
  fc.constant((time: number) => ({ kind: 'stop-fired', time, instrumentId: SPOT.id }) as const),
  fc
    .bigInt({ min: -5n, max: 5n })
    .map((profit) => (time: number) => ({ kind: 'trade-closed', time, profit }) as const),
  fc
    .constantFrom(
      { kind: 'resume' } as const,
      { kind: 'reduce-only' } as const,
      {
        kind: 'halt',
        action: 'block',
        text: 'x',
      } as const,
    )
    .map((command) => (time: number) => ({ kind: 'operator', time, command }) as const),
);

const aHistory = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 10 * HOUR_MS }), anEvent), { maxLength: 40 })
  .map((steps) => {
    let time = MIDNIGHT;
    return steps.map(([gap, make]) => make((time += gap)));
  });

const CONFIG: ProtectionConfig = {
  maxDailyLoss: 300n,
  maxDrawdown: 500n,
  drawdownWindowMs: DAY_MS,
  maxConsecutiveLosses: 3,
  maxOrdersPerMinute: 4,
  haltMs: HOUR_MS,
};

describe('foldProtections', () => {
  it('gives the same state in a replay of the same events, also from the middle', () => {
    fc.assert(
      fc.property(aHistory, fc.nat(40), (events, cut) => {
        const whole = replay(events, CONFIG);
        const frozen = structuredClone(replay(events.slice(0, cut), CONFIG).state);

        const rest = events
          .slice(cut)
          .reduce((state, event) => foldProtections(state, event, CONFIG).state, frozen);

        expect(rest).toEqual(whole.state);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('never counts below 0, and keeps no more than its limits need', () => {
    fc.assert(
      fc.property(aHistory, (events) => {
        const { state } = replay(events, CONFIG);

        expect(Math.min(state.dayOrders, state.consecutiveLosses)).toBeGreaterThanOrEqual(0);
        expect(state.recentOrders.length).toBeLessThanOrEqual(4);
        expect(new Set(state.halts.map(({ reason }) => reason)).size).toBe(state.halts.length);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('does not change the given state', () => {
    const before = structuredClone(INITIAL_PROTECTION_STATE);

    foldProtections(INITIAL_PROTECTION_STATE, sentAt(hour(1)), CONFIG);

    expect(INITIAL_PROTECTION_STATE).toEqual(before);
  });
});
