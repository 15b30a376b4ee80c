import { timer } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';
import { BTC } from '../../support/replay.js';
import {
  closeOf,
  playProtected,
  type Plan,
  type ProtectedRun,
} from '../../support/protected-run.js';

/** Buys for 1,000 at the first close and, on top of it, at the third; leaves at the fifth. */
const TWICE: Plan = {
  0: (strategy) => strategy.enterLong({ notional: '1000' }),
  2: (strategy) => strategy.enterLong({ notional: '1000' }, { add: true }),
  4: (strategy) => strategy.exit(),
};
const CALM = Array.from({ length: 8 }, () => 100);

interface Guarded {
  readonly check: string;
  /** The second entry breaks it. */
  readonly tight: ProtectionConfig;
  /** The second entry just keeps to it. */
  readonly loose: ProtectionConfig;
  /** @defaultValue TWICE */
  readonly plan?: Plan;
  /** @defaultValue CALM */
  readonly closes?: readonly number[];
}

const later = (strategy: Parameters<NonNullable<Plan[number]>>[0], limitPrice: string): number =>
  strategy.enterLong({ notional: '1000' }, { add: true, limitPrice }).intentId;

const RESTING: Plan = {
  0: (strategy) => strategy.enterLong({ notional: '1000' }),
  1: (strategy) => later(strategy, '80'),
  2: (strategy) => later(strategy, '79'),
  4: (strategy) => strategy.exit(),
};

const GUARDED: readonly Guarded[] = [
  {
    check: 'trading-hours',
    // The second entry comes at 03:00 of a Wednesday.
    tight: { tradingHours: [{ days: [3], from: 0, to: 180 }] },
    loose: { tradingHours: [{ days: [3], from: 0, to: 181 }] },
  },
  {
    check: 'stale-data',
    tight: { maxPriceAgeMs: 30 * MINUTE_MS - 1 },
    loose: { maxPriceAgeMs: 30 * MINUTE_MS },
    plan: {
      ...TWICE,
      2: (strategy) => {
        timer(30 * MINUTE_MS).subscribe(() => {
          strategy.enterLong({ notional: '1000' }, { add: true });
        });
      },
    },
  },
  {
    check: 'price-band',
    tight: { priceBand: { last: parseFixed('0.2099') } },
    loose: { priceBand: { last: parseFixed('0.21') } },
    plan: { ...RESTING, 1: () => undefined },
  },
  {
    check: 'stop-cooldown',
    // 90 opens at the second close, and the stop is sampled a second later. The second entry comes at the fourth close.
    tight: { cooldownAfterStopMs: 2 * HOUR_MS - 999 },
    loose: { cooldownAfterStopMs: 2 * HOUR_MS - 1_000 },
    plan: {
      0: (strategy) =>
        strategy.enterLong({ notional: '1000' }, { protection: { stopLoss: { ratio: '0.05' } } }),
      3: (strategy) => strategy.enterLong({ notional: '1000' }),
      5: (strategy) => strategy.exit(),
    },
    closes: [100, 100, 90, 90, 90, 90, 90, 90],
  },
  {
    check: 'entry-interval',
    tight: { minEntryIntervalMs: 2 * HOUR_MS + 1 },
    loose: { minEntryIntervalMs: 2 * HOUR_MS },
  },
  {
    check: 'orders-per-minute',
    tight: { maxOrdersPerMinute: 1 },
    loose: { maxOrdersPerMinute: 2 },
    plan: {
      0: (strategy) => {
        strategy.enterLong({ notional: '1000' });
        strategy.enterLong({ notional: '1000' }, { add: true });
      },
      4: (strategy) => strategy.exit(),
    },
  },
  { check: 'orders-per-day', tight: { maxOrdersPerDay: 1 }, loose: { maxOrdersPerDay: 2 } },
  {
    check: 'max-open-orders',
    tight: { maxOpenOrders: 1 },
    loose: { maxOpenOrders: 2 },
    plan: RESTING,
  },
  {
    check: 'max-total-open-orders',
    tight: { maxTotalOpenOrders: 1 },
    loose: { maxTotalOpenOrders: 2 },
    plan: RESTING,
  },
  {
    check: 'max-open-positions',
    tight: { maxOpenPositions: 1 },
    loose: { maxOpenPositions: 2 },
    plan: {
      0: (strategy) => strategy.enterLong({ notional: '1000' }),
      2: (strategy) => strategy.enterLong({ notional: '1000' }, { instrument: 'ETHUSDT' }),
      4: (strategy) => strategy.flatten(),
    },
  },
  {
    check: 'max-order-notional',
    tight: { maxOrderNotional: parseFixed('1999.99') },
    loose: { maxOrderNotional: parseFixed('2000') },
    plan: {
      ...TWICE,
      2: (strategy) => strategy.enterLong({ notional: '2000' }, { add: true }),
    },
  },
  {
    check: 'max-position-quantity',
    // 1,000 ÷ 100 = 10 each.
    tight: { maxPositionQuantity: new Map([[BTC, parseFixed('19.99999')]]) },
    loose: { maxPositionQuantity: new Map([[BTC, parseFixed('20')]]) },
  },
  ...(
    [
      ['max-position-notional', 'maxPositionNotional'],
      ['max-net-exposure', 'maxNetExposure'],
      ['max-total-notional', 'maxTotalNotional'],
    ] as const
  ).map(([check, key]) => ({
    check,
    tight: { [key]: parseFixed('1999.99') },
    loose: { [key]: parseFixed('2000') },
  })),
  {
    check: 'max-asset-exposure',
    tight: { maxAssetExposure: new Map([['BTC', parseFixed('1999.99')]]) },
    loose: { maxAssetExposure: new Map([['BTC', parseFixed('2000')]]) },
  },
  {
    check: 'max-leverage',
    // Of 10,000.
    tight: { maxLeverage: parseFixed('0.199999') },
    loose: { maxLeverage: parseFixed('0.2') },
  },
];

/** The number of entries of a plan. Default: two. */
const ENTRIES_OF: Readonly<Record<string, number>> = {
  'max-open-orders': 3,
  'max-total-open-orders': 3,
};

const refusedBy = ({ record }: Pick<ProtectedRun, 'record'>): readonly string[] =>
  record.refusals.flatMap(({ refusal, count }) => Array<string>(count).fill(refusal.check));

const filled = ({ record }: ProtectedRun): readonly string[] =>
  [...record.fills].map(({ record: fill }) => fill.action);

const entriesOf = ({ record }: ProtectedRun): number =>
  [...record.orders].filter(({ request }) => request.action === 'open').length;

const expectSameReplay = (run: ProtectedRun): void => {
  const again = run.replay();
  expect(again.entries).toEqual(run.entries);
  expect(again.halts).toEqual(run.record.halts);
  expect(again.refusals).toEqual(run.record.refusals);
};

describe.each(GUARDED)('$check', ({ check, tight, loose, plan = TWICE, closes = CALM }) => {
  it('refuses an entry that breaks it, passes every exit, and replays the same', async () => {
    const run = await playProtected({ plan, protections: tight, closes });

    expect(refusedBy(run)).toEqual([check]);
    expect(filled(run)).toEqual(['open', 'close']);
    expectSameReplay(run);
  });

  it('passes an entry within its limit', async () => {
    const run = await playProtected({ plan, protections: loose, closes });

    expect(refusedBy(run)).toEqual([]);
    expect(entriesOf(run)).toBe(ENTRIES_OF[check] ?? 2);
    expectSameReplay(run);
  });
});

/** 10 BTC at the first close, half of them into ETH at the third, 1,000 USDT more at the fourth. Everything is closed at the sixth. */
const TWO_QUOTES: Plan = {
  0: (strategy) => strategy.enterLong({ notional: '1000' }),
  2: (strategy) => strategy.enterLong({ notional: '5' }, { instrument: 'ETHBTC' }),
  3: (strategy) => strategy.enterLong({ notional: '1000' }, { add: true }),
  5: (strategy) => strategy.flatten(),
};

// 5 BTC are 500 USDT: positions of 1,000, then 1,000 with ETH for 500, then 1,500 + 1,000.
describe.each([
  ['max-order-notional', 'maxOrderNotional', '499.99', '1000'],
  ['max-total-notional', 'maxTotalNotional', '1499.99', '2500'],
  ['max-net-exposure', 'maxNetExposure', '1499.99', '2500'],
  ['max-leverage', 'maxLeverage', '0.1499', '0.25'],
] as const)('%s of a bot with two quotes', (check, key, tight, loose) => {
  const play = (limit: string): Promise<ProtectedRun> =>
    playProtected({
      plan: TWO_QUOTES,
      closes: CALM,
      inBtc: 0.5,
      protections: { [key]: parseFixed(limit) },
    });

  it('counts every entry in the equity currency', async () => {
    const [tightRun, looseRun] = await Promise.all([play(tight), play(loose)]);

    expect(refusedBy(tightRun)).toContain(check);
    expect(refusedBy(looseRun)).toEqual([]);
    expect(entriesOf(looseRun)).toBe(3);
    for (const run of [tightRun, looseRun]) expectSameReplay(run);
  });
});

/** Buys for 5,000 at the first close. 90 opens at the second, so 10 % of that, 500, are lost. Enters again at the third, exits at the sixth. */
const FALLING: Plan = {
  0: (strategy) => strategy.enterLong({ notional: '5000' }),
  2: (strategy) => strategy.enterLong({ notional: '1000' }, { add: true }),
  5: (strategy) => strategy.exit(),
};
const FALL = [100, 100, 90, 90, 90, 90, 90, 90];

/** Loses 100 twice, with a flat time between, and tries a third time. */
const LOSING: Plan = {
  0: (strategy) => strategy.enterLong({ notional: '1000' }),
  2: (strategy) => strategy.exit(),
  4: (strategy) => strategy.enterLong({ notional: '900' }),
  6: (strategy) => strategy.exit(),
  8: (strategy) => strategy.enterLong({ notional: '900' }),
};
const LOSSES = [100, 100, 90, 90, 90, 90, 81, 81, 81, 81];

interface Halting {
  readonly name: string;
  readonly reason: string;
  readonly tight: ProtectionConfig;
  readonly loose: ProtectionConfig;
  readonly plan: Plan;
  readonly closes: readonly number[];
  readonly since: number;
}

const HALTING: readonly Halting[] = [
  ...(
    [
      ['maxDailyLoss', 'daily-loss', '500', '500.01'],
      ['maxDailyLossRatio', 'daily-loss', '0.05', '0.050001'],
      ['maxDrawdown', 'drawdown', '500', '500.01'],
      ['maxDrawdownRatio', 'drawdown', '0.05', '0.050001'],
    ] as const
  ).map(([key, reason, reached, missed]) => ({
    name: key,
    reason,
    tight: { [key]: parseFixed(reached) },
    loose: { [key]: parseFixed(missed) },
    plan: FALLING,
    closes: FALL,
    since: closeOf(2),
  })),
  {
    name: 'maxConsecutiveLosses',
    reason: 'consecutive-losses',
    tight: { maxConsecutiveLosses: 2 },
    loose: { maxConsecutiveLosses: 3 },
    plan: LOSING,
    closes: LOSSES,
    // The exit is filled where the next candle opens.
    since: closeOf(6),
  },
];

describe.each(HALTING)('$name', ({ reason, tight, loose, plan, closes, since }) => {
  it('halts when it is reached: refuses entries, passes exits, and informs the strategy', async () => {
    const run = await playProtected({ plan, protections: tight, closes });

    expect(run.record.halts).toMatchObject([{ reason, since, action: 'block' }]);
    expect(run.told).toEqual({ method: run.record.halts, stream: run.record.halts });
    expect(refusedBy(run)).toEqual(['halted']);
    expect(filled(run).at(-1)).toBe('close');
    expectSameReplay(run);
  });

  it('does not halt a tick before its limit', async () => {
    const run = await playProtected({ plan, protections: loose, closes });

    expect(run.record.halts).toEqual([]);
    expect(refusedBy(run)).toEqual([]);
    expectSameReplay(run);
  });
});

describe('a halt', () => {
  const maxDrawdown = parseFixed('500');

  it('closes every position at once if its action is flatten', async () => {
    const plan = { ...FALLING, 5: () => undefined };

    const run = await playProtected({
      plan,
      protections: { maxDrawdown, onHalt: 'flatten' },
      closes: FALL,
    });

    expect([...run.record.fills].map(({ record: fill }) => [fill.action, fill.eventTime])).toEqual([
      ['open', closeOf(0)],
      ['close', closeOf(2)],
    ]);
    expectSameReplay(run);
  });

  it('keeps closing what an exit could not sell at once', async () => {
    // Orders take at most a tenth of the candle's volume of 300: 30 enter, 30 more enter, and exits take 30 at a time.
    const simulation = { participation: parseFixed('0.1') };
    const plan: Plan = {
      0: FALLING[0] ?? (() => undefined),
      1: (strategy) => strategy.enterLong({ notional: '5000' }, { add: true }),
    };

    const run = await playProtected({
      plan,
      protections: { maxDrawdown: parseFixed('300'), onHalt: 'flatten' },
      closes: [100, 100, 90, 90, 90, 90, 90, 90],
      volume: 300,
      simulation,
    });

    expect([...run.record.fills].map(({ record: fill }) => [fill.action, fill.eventTime])).toEqual([
      ['open', closeOf(0)],
      ['open', closeOf(1)],
      ['close', closeOf(2)],
      ['close', closeOf(3)],
    ]);
    expectSameReplay(run);
  });

  it('cancels working entries and keeps the position if its action is cancel', async () => {
    const plan: Plan = { ...FALLING, 1: (strategy) => later(strategy, '80'), 2: () => undefined };

    const run = await playProtected({
      plan,
      protections: { maxDrawdown, onHalt: 'cancel' },
      closes: FALL,
    });

    expect(
      [...run.record.orders].map(({ state, request }) => [request.action, state.status]),
    ).toEqual([
      ['open', 'filled'],
      ['open', 'canceled'],
      ['close', 'filled'],
    ]);
    expect([...run.record.orders][1]?.state.updatedTime).toBe(closeOf(2));
    expectSameReplay(run);
  });

  it('keeps working entries if its action is block', async () => {
    const plan: Plan = { ...FALLING, 1: (strategy) => later(strategy, '80'), 2: () => undefined };

    const run = await playProtected({ plan, protections: { maxDrawdown }, closes: FALL });

    expect([...run.record.orders][1]?.state.status).toBe('open');
  });

  it('of a day ends with the next day, and of a drawdown after haltFor', async () => {
    const closes = [...FALL, ...Array.from({ length: 20 }, () => 90)];
    const again = (index: number): Plan => ({
      ...FALLING,
      [index]: (strategy) => strategy.enterLong({ notional: '1000' }),
    });
    const daily = { maxDailyLoss: parseFixed('500') };
    const drawdown = { maxDrawdown, haltMs: 4 * HOUR_MS };

    const runs = await Promise.all([
      // The day ends at the close of the 24th candle.
      playProtected({ plan: again(22), protections: daily, closes }),
      playProtected({ plan: again(23), protections: daily, closes }),
      // Halted at the third close: until the seventh.
      playProtected({ plan: again(6), protections: drawdown, closes }),
    ]);

    expect(runs.map(refusedBy)).toEqual([['halted', 'halted'], ['halted'], ['halted']]);
    expect(runs.map(({ record }) => record.halts[0]?.until)).toEqual([
      closeOf(23),
      closeOf(23),
      closeOf(6),
    ]);
    for (const run of runs) expectSameReplay(run);
  });

  it('without an end is a warning, and active protections are in the record', async () => {
    const { record } = await playProtected({
      plan: FALLING,
      protections: { maxDrawdown },
      closes: FALL,
    });

    expect(record.warnings).toContain(
      'entries were halted by drawdown from 2025-01-01T03:00:00Z to the end',
    );
    expect(record.protections).toEqual([{ name: 'halted', limit: 'maxDrawdown 500' }]);
  });
});

describe('protections', () => {
  it('that are off change nothing and are not in the record', async () => {
    const { record } = await playProtected({ plan: FALLING, protections: {}, closes: FALL });

    expect(record.protections).toEqual([]);
    expect(record.halts).toEqual([]);
    expect(record.refusals).toEqual([]);
  });

  it('for futures cause warnings if no contract is traded', async () => {
    const { record } = await playProtected({
      plan: {},
      protections: {
        maxMarginUse: parseFixed('0.5'),
        fundingBlock: { beforeMs: 1, afterMs: 1 },
        priceBand: { mark: parseFixed('0.1') },
      },
      closes: CALM,
    });

    expect(record.warnings.filter((warning) => warning.includes('guards nothing'))).toHaveLength(3);
  });

  it('without the limit that they belong to cause warnings', async () => {
    const { record } = await playProtected({
      plan: {},
      protections: {
        ...{ priceBand: {}, drawdownWindowMs: 1, haltMs: 1 },
        ...{ maxPositionQuantity: new Map(), maxAssetExposure: new Map() },
      },
      closes: CALM,
    });

    expect(record.warnings.filter((warning) => warning.includes('guards nothing'))).toEqual([
      'risk.priceBand guards nothing: it needs last or mark',
      'risk.maxPositionQuantity guards nothing: it needs a symbol and its amount',
      'risk.maxAssetExposure guards nothing: it needs an asset and its amount',
      'risk.drawdownWindow guards nothing: it needs maxDrawdown or maxDrawdownRatio',
      'risk.haltFor guards nothing: it needs maxDrawdown or maxDrawdownRatio, or maxConsecutiveLosses',
    ]);
  });
});
