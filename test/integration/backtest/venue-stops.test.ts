import { describe, expect, it } from 'vitest';

import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import { FIXED_ONE, formatFixed, MINUTE_MS, type Refusal } from '../../../src/domain/index.js';
import { NO_JOURNAL, type Command, type Journal } from '../../../src/engine/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, type Verdict } from '../../../src/strategy/index.js';
import { constantLatency } from '../../support/backtest-config.js';
import { aContractArchive, aContractConfig, CONTRACT_START } from '../../support/contract-run.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';

const FIVE_MINUTES = 5 * MINUTE_MS;

/** Open, high, low and close. */
type Bar = readonly [number, number, number, number];
type Plan = Readonly<Record<number, (strategy: InstanceType<typeof Planned>) => void>>;

class Planned extends CandleStrategy({}) {
  static plan: Plan = {};
  static refusals: Refusal[] = [];
  #count = 0;

  override onVerdict({ decision }: Verdict): void {
    if (decision.kind === 'refused') Planned.refusals.push(decision.refusal);
  }

  override onCandle(): void {
    Planned.plan[this.#count]?.(this);
    this.#count += 1;
  }
}

interface Played {
  readonly record: RunRecord;
  readonly refusals: readonly Refusal[];
  readonly commands: readonly string[];
  readonly commandIds: readonly string[];
  /** Kinds of the updates of the venue. */
  readonly told: readonly string[];
}

function configOf(live: Partial<BacktestConfig['live']>): BacktestConfig {
  const config = aContractConfig({
    simulation: {
      fees: { maker: 0n, taker: 0n, paidIn: 'quote' },
      latency: constantLatency(100),
    },
  });
  const instruments = config.instruments.map((one) =>
    one.kind === 'futures' ? { ...one, leverage: 2n * FIXED_ONE } : one,
  );
  return { ...config, instruments, live: { ...config.live, ...live } };
}

async function play(
  live: Partial<BacktestConfig['live']>,
  bars: readonly Bar[],
  plan: Plan,
  isKept = true,
): Promise<Played> {
  Planned.plan = plan;
  Planned.refusals = [];
  const journal = new MemoryJournal();
  const told: string[] = [];
  const all: Journal = {
    append: (event, sent) => {
      journal.append(event, sent);
      if (event.kind === 'venue') told.push(event.update.kind);
    },
  };
  const kept = isKept ? all : NO_JOURNAL;
  const rows = bars.map(([open, high, low, close], index) => ({
    time: CONTRACT_START + index * FIVE_MINUTES,
    ...{ open, high, low, close },
    volume: 1_000_000,
  }));
  const record = await replayBacktest({
    config: configOf(live),
    archive: aContractArchive(rows),
    strategyClass: Planned,
    sourceHash: '',
    journal: kept,
  });
  const commands = journal.entries.flatMap(({ commands: sent }) => sent);
  return {
    record,
    refusals: Planned.refusals,
    commands: commands.map(describeCommand),
    commandIds: commands.map((each) =>
      each.kind === 'submit' ? each.order.clientOrderId : each.clientOrderId,
    ),
    told,
  };
}

function describeCommand(command: Command): string {
  if (command.kind === 'cancel')
    return `cancel${command.isCondition === true ? ' trigger' : ''} ${command.clientOrderId.slice(-5)}`;
  const { order, condition } = command;
  const on = condition && ` on ${condition.trigger} at ${formatFixed(condition.triggerPrice)}`;
  return `${order.side} ${order.action} ${formatFixed(order.quantity)}${on ?? ''}`;
}

function fillsOf({ record }: Played): readonly string[] {
  return Array.from(record.fills, ({ record: fill }) => {
    const { side, quantity, price } = fill;
    return `${side} ${formatFixed(quantity)} at ${formatFixed(price)}`;
  });
}

const FLAT: Bar = [60_000, 60_000, 60_000, 60_000];
const SIZE = { quantity: '10' } as const;
const STOP = { protection: { stopLoss: { price: '59000' } } } as const;

describe('venueStops: family', () => {
  const live = { venueStops: 'family' } as const;

  it('closes a position only with its trigger, when last touches it', async () => {
    const played = await play(live, [FLAT, FLAT, [60_000, 60_000, 58_000, 58_500], FLAT, FLAT], {
      0: (strategy) => void strategy.enterLong(SIZE, STOP),
    });

    expect(played.commands).toEqual(['buy open 10', 'sell close 10 on stop-loss at 59000']);
    // In the process, the engine would sample it every two seconds, and the fill would be below the level.
    expect(fillsOf(played)).toEqual(['buy 10 at 60000', 'sell 10 at 59000']);
    const closed = Array.from(played.record.orders).at(-1);
    expect(closed).toMatchObject({ cause: 'stop-loss' });
    expect(played.record.orders).toHaveLength(2);
  });

  it('gives the order of a trigger the time at which it fired, not that of the poll that reports it', async () => {
    // It falls by 1,997 from the 100th to the 200th second.
    const { record } = await play(
      live,
      [FLAT, FLAT, [60_000, 60_000, 58_003, 58_500], FLAT, FLAT],
      {
        0: (strategy) => void strategy.enterLong(SIZE, STOP),
      },
    );

    const { eventTime } = Array.from(record.fills).at(-1)?.record ?? {};
    expect(eventTime).toBe(CONTRACT_START + 2 * FIVE_MINUTES + 150_076);
    expect(Array.from(record.orders).at(-1)?.state.createdTime).toBe(eventTime);
  });

  it('places a new trigger before it cancels the old one if the stop or the position changes', async () => {
    const played = await play(
      live,
      Array.from({ length: 6 }, () => FLAT),
      {
        0: (strategy) => void strategy.enterLong(SIZE, STOP),
        1: (strategy) => void strategy.protect({ stopLoss: { price: '59500' } }),
        2: (strategy) => void strategy.exit({ size: { quantity: '4' } }),
        3: (strategy) => void strategy.exit(),
      },
    );

    expect(played.commands).toEqual([
      'buy open 10',
      'sell close 10 on stop-loss at 59000',
      'sell close 10 on stop-loss at 59500',
      'cancel trigger 2-0-0',
      'sell close 4',
      'sell close 6 on stop-loss at 59500',
      'cancel trigger 4-0-0',
      'sell close 6',
      'cancel trigger 6-0-0',
    ]);
  });

  it('follows a trailing stop once per candle', async () => {
    const played = await play(
      live,
      [
        FLAT,
        FLAT,
        [60_000, 61_000, 60_000, 61_000],
        [61_000, 62_000, 61_000, 62_000],
        [62_000, 62_000, 62_000, 62_000],
        FLAT,
        FLAT,
      ],
      {
        0: (strategy) =>
          void strategy.enterLong(SIZE, { protection: { trailingStop: { distance: '1000' } } }),
      },
    );

    expect(played.commands.filter((command) => command.includes('trigger'))).toHaveLength(2);
    expect(played.commands.filter((command) => command.includes('on stop-loss'))).toEqual([
      'sell close 10 on stop-loss at 59000',
      'sell close 10 on stop-loss at 60000',
      'sell close 10 on stop-loss at 61000',
    ]);
    // The next candle opens beyond the level.
    expect(fillsOf(played)).toEqual(['buy 10 at 60000', 'sell 10 at 60000']);
  });

  it('sends the take-profit as a trigger beside the stop, and cancels the other one when one has fired', async () => {
    const played = await play(live, [FLAT, FLAT, [60_000, 62_000, 60_000, 61_500], FLAT], {
      0: (strategy) =>
        void strategy.enterLong(SIZE, {
          protection: { stopLoss: { price: '59000' }, takeProfit: { price: '61000' } },
        }),
    });

    expect(played.commands).toEqual([
      'buy open 10',
      'sell close 10 on stop-loss at 59000',
      'sell close 10 on take-profit at 61000',
      'cancel trigger 2-0-0',
    ]);
    expect(fillsOf(played)).toEqual(['buy 10 at 60000', 'sell 10 at 61000']);
  });

  it('gives the same run from single candles and from batches', async () => {
    const bars = Array.from({ length: 120 }, (_, index): Bar => {
      const price = 60_000 + 40 * index + 900 * Math.sin(index / 3);
      const open = Math.round(price);
      const close = Math.round(price + 300 * Math.cos(index));
      return [open, Math.max(open, close) + 150, Math.min(open, close) - 150, close];
    });
    const again = Object.fromEntries(
      bars.map((_, index) => [
        index,
        (strategy: InstanceType<typeof Planned>) =>
          void strategy.enterLong(SIZE, {
            protection: { trailingStop: { distance: '700' }, takeProfit: { ratio: '0.03' } },
          }),
      ]),
    );

    const kept = await play(live, bars, again);
    const quick = await play(live, bars, again, false);

    expect(fillsOf(kept).length).toBeGreaterThan(6);
    expect(fillsOf(quick)).toEqual(fillsOf(kept));
  });
});

describe('venueStops: disaster', () => {
  const live = { venueStops: 'disaster', disasterDistance: 5n * 10n ** 16n } as const;

  it('places one wide trigger, never moves it, and closes what it covers', async () => {
    const played = await play(live, [FLAT, FLAT, FLAT, [60_000, 60_000, 55_000, 56_000], FLAT], {
      0: (strategy) => void strategy.enterLong(SIZE),
      1: (strategy) => void strategy.enterLong({ quantity: '5' }, { add: true }),
    });

    expect(played.commands).toEqual([
      'buy open 10',
      'sell close 10 on stop-loss at 57000',
      'buy open 5',
      // After the first trigger fires, the engine sends one for the other 5. The venue refuses it while last is beyond the level.
      'sell close 5 on stop-loss at 57000',
      'sell close 5 on stop-loss at 57000',
    ]);
    // The first trigger does not cover the added 5.
    expect(fillsOf(played).slice(-1)).toEqual(['sell 10 at 57000']);
  });

  it('refuses a new position on its side while the trigger can fire, and names the trigger', async () => {
    const plan: Plan = {
      0: (strategy) => void strategy.enterLong(SIZE),
      1: (strategy) => void strategy.exit(),
      2: (strategy) => void strategy.enterLong(SIZE),
      3: (strategy) => void strategy.enterShort(SIZE),
    };
    const played = await play(
      live,
      Array.from({ length: 7 }, () => FLAT),
      plan,
    );

    expect(played.refusals).toHaveLength(1);
    // By our own id: the venue gives another id in each run.
    const [, trigger] = played.commandIds;
    expect(played.refusals[0]).toMatchObject({ check: 'venue-trigger', actual: trigger });
    expect(played.refusals[0]?.text).toMatch(
      /^trigger \d{19} at 57000 was made for an earlier long/,
    );
    expect(played.commands).toEqual([
      'buy open 10',
      'sell close 10 on stop-loss at 57000',
      'sell close 10',
      'sell open 10',
      'buy close 10 on stop-loss at 63000',
    ]);
  });

  it.each([true, false])(
    'opens a position again once a candle has touched the level (with a journal: %s)',
    async (isKept) => {
      const bars: Bar[] = [FLAT, FLAT, FLAT, [60_000, 60_000, 57_000, 60_000], FLAT, FLAT, FLAT];
      const enter: Plan[number] = (strategy) => void strategy.enterLong(SIZE);
      const exit: Plan[number] = (strategy) => void strategy.exit();
      const played = await play(live, bars, { 0: enter, 1: exit, 2: enter, 4: enter }, isKept);

      expect(played.refusals).toHaveLength(1);
      expect(fillsOf(played)).toEqual(['buy 10 at 60000', 'sell 10 at 60000', 'buy 10 at 60000']);
    },
  );

  it('is told nothing of a trigger whose order finds nothing to close', async () => {
    const bars: Bar[] = [FLAT, FLAT, FLAT, [60_000, 60_000, 57_000, 60_000], FLAT, FLAT];
    const played = await play(live, bars, {
      0: (strategy) => void strategy.enterLong(SIZE),
      1: (strategy) => void strategy.exit(),
    });

    expect(played.told).toEqual(['fill', 'accepted', 'fill']);
  });

  it('with orphans: accept opens a position, of which the orphan closes its quantity', async () => {
    const bars: Bar[] = [FLAT, FLAT, FLAT, FLAT, [60_000, 60_000, 56_000, 56_500], FLAT];
    const played = await play({ ...live, orphans: 'accept' }, bars, {
      0: (strategy) => void strategy.enterLong(SIZE),
      1: (strategy) => void strategy.exit(),
      2: (strategy) => void strategy.enterLong({ quantity: '30' }),
    });

    expect(played.refusals).toEqual([]);
    expect(fillsOf(played).slice(2)).toEqual(['buy 30 at 60000', 'sell 10 at 57000']);
  });
});
