import { map, NEVER, skip, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  TransportError,
  UsageError,
  type OrderIntent,
} from '../../../src/domain/index.js';
import { SILENT_BOT_LOG, type LiveBotOptions } from '../../../src/live/index.js';
import {
  enterLong,
  Strategy,
  type Market,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { aMinute, aStartedEngine, closing, START } from '../../support/engine/engine.js';
import { aStagedBot } from '../../support/live/staged-bot.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

const AWAY = new TransportError('E_TIMEOUT', 'the venue is away');
const REFUSED = new UsageError('E_DISAGREEMENT', 'bot and venue do not agree');

/** Raises no intents. Warm with the first candle. */
class Idler extends Strategy({}) {
  override readonly warmup = 1;

  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

/** Raises an intent to buy with each candle. */
class Buyer extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(map(() => enterLong({ quantity: '1' }, { limitPrice: '90' })));
  }
}

/** Throws with each candle after the first. */
class Thrower extends Strategy({}) {
  override readonly warmup = 1;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      skip(1),
      map(() => {
        throw new Error('no');
      }),
    );
  }
}

function aBot(options: Partial<LiveBotOptions> & { readonly strategyClass?: StrategyClass } = {}) {
  const engine = aStartedEngine(options.strategyClass ?? Idler);
  return { engine, ...aStagedBot(engine, new VirtualTime(START), options) };
}

/** A bot whose strategy is warm and which agrees with its venue. */
async function aRunningBot(options: Parameters<typeof aBot>[0] = {}) {
  const parts = aBot(options);
  await parts.bot.start();
  parts.session.process(closing(aMinute(1)));
  parts.session.process({ kind: 'opening', time: START + MINUTE_MS, prices: [] });
  parts.session.asked.length = 0;
  return parts;
}

describe('LiveBot at its start', () => {
  it('warms up, reads the market, compares with the venue, and runs once its strategy is warm', async () => {
    const { bot, session, states } = aBot();
    await bot.start();
    const early = bot.status().state;

    session.process(closing(aMinute(1)));

    const told = ['tell degraded', 'warm up', 'tell degraded', 'run', 'reconcile', 'tell well'];
    expect(session.asked).toEqual(told);
    expect(early).toBe('warming');
    expect(states).toEqual(['warming', 'running']);
  });

  it('restores and resolves its orders if it continues an epoch', async () => {
    const { bot, session } = aBot({ isReplayed: true });

    await bot.start();

    expect(session.asked.filter((what) => !what.startsWith('tell'))).toEqual([
      'restore',
      'resolve',
      'run',
      'reconcile',
    ]);
  });

  it('says every minute what it waits for, and can be stopped meanwhile', async () => {
    const { bot, session, time, warnings } = aBot({ isReplayed: true });
    session.resolve = () => new Promise(() => undefined);
    void bot.start();
    await time.advance(SECOND_MS);
    session.hooks.onCondition('unknown 1', 'nobody knows what became of order 1');

    await time.advance(23 * SECOND_MS);
    const early = [...warnings];
    await time.advance(3 * MINUTE_MS);

    expect(early).toEqual([]);
    expect(warnings).toEqual(
      [25, 85, 145].map((seconds) => {
        const told = `still starting after ${String(seconds)} s; it waits for: .*what became of order 1`;
        return expect.stringMatching(told) as string;
      }),
    );
    expect(await bot.stop('keep')).toEqual({ kind: 'stopped' });
    await time.advance(3 * MINUTE_MS);
    expect(warnings).toHaveLength(3);
  });

  it('has failed, and rejects nothing, if its orders cannot be restored', async () => {
    const { bot, session } = aBot({ isReplayed: true });
    session.restore = () => {
      throw new TypeError('a defect');
    };

    await bot.start();

    expect(await bot.ended).toMatchObject({ kind: 'failed', error: { code: 'E_INTERNAL' } });
  });

  it('enters nothing while bot and venue disagree', async () => {
    const { bot, session } = aBot();
    session.findings = [['order-missing: order 7']];
    await bot.start();
    session.process(closing(aMinute(1)));

    expect(bot.status()).toMatchObject({ state: 'degraded', reasons: ['order-missing: order 7'] });
    expect(session.asked).not.toContain('tell well');
  });

  it('enters as soon as bot and venue agree', async () => {
    const { bot, session, time } = aBot();
    session.findings = [['submit-without-answer: order 7'], ['submit-without-answer: order 7'], []];
    await bot.start();
    session.process(closing(aMinute(1)));
    await time.advance(MINUTE_MS);
    const still = bot.status().state;

    await time.advance(MINUTE_MS);
    await time.advance(MINUTE_MS);

    expect(still).toBe('degraded');
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    expect(session.asked.filter((what) => what === 'reconcile')).toHaveLength(3);
  });

  it('waits for a venue that does not answer until it is stopped', async () => {
    const { bot, session, time, ends } = aBot();
    session.findings = [AWAY];
    const started = bot.start();
    await time.advance(10 * MINUTE_MS);
    const during = bot.status();

    await bot.stop('keep');
    await time.advance(MINUTE_MS);
    await started;

    expect(during).toMatchObject({
      state: 'warming',
      reasons: ['bot and venue are being compared: the venue is away'],
    });
    expect(ends).toEqual([{ kind: 'stopped' }]);
  });

  it('continues to compare while a stop waits for orders, although the venue does not answer', async () => {
    const { bot, session, time, ends } = aBot();
    session.findings = [AWAY, AWAY, []];
    session.isSending = true;
    const started = bot.start();
    await settle();

    const stopped = bot.stop('cancel');
    await time.advance(5 * SECOND_MS);
    const during = [...ends];
    session.isSending = false;
    await time.advance(SECOND_MS);
    await Promise.all([started, stopped]);

    expect(session.asked.filter((what) => what === 'reconcile')).toHaveLength(3);
    expect(during).toEqual([]);
    expect(ends).toEqual([{ kind: 'stopped' }]);
  });

  it('reads nothing after a stop during the search for its orders', async () => {
    const { bot, session, ends } = aBot({ isReplayed: true });
    let resolved = (): void => undefined;
    session.resolve = () => new Promise((resolve) => (resolved = resolve));
    const started = bot.start();
    await settle();

    const stopped = bot.stop('keep');
    resolved();
    await Promise.all([started, stopped]);

    expect(session.asked).not.toContain('run');
    expect(session.asked).not.toContain('reconcile');
    expect(ends).toEqual([{ kind: 'stopped' }]);
  });

  it('sends no exits after a stop during the comparison with the venue', async () => {
    const engine = aStartedEngine(Buyer);
    for (const event of [
      closing(aMinute(1)),
      { kind: 'opening' as const, time: START + MINUTE_MS, prices: [] },
      closing(aMinute(2)),
    ])
      engine.process(event);
    engine.process({
      kind: 'operator',
      time: START + 2 * MINUTE_MS,
      action: 'halt',
      onHalt: 'flatten',
      text: 'all of it',
    });
    expect(engine.workingOrders).toHaveLength(1);
    const { bot, session, time } = aBot({ engine, isReplayed: true });
    let compared = (): void => undefined;
    session.reconcile = () => new Promise((resolve) => (compared = () => resolve([])));
    const started = bot.start();
    await settle();

    const stopped = bot.stop('keep');
    compared();
    await Promise.all([started, stopped]);
    await time.advance(MINUTE_MS);

    expect(session.asked.at(-1)).toBe('stop');
    expect(session.asked).not.toContain('tell flatten');
  });

  it('fails with its reason if it cannot start', async () => {
    const { bot, session, ends } = aBot();
    session.findings = [REFUSED];

    await bot.start();

    expect(await bot.ended).toEqual({ kind: 'failed', error: REFUSED });
    expect(ends).toEqual([{ kind: 'failed', error: REFUSED }]);
    expect(session.asked.at(-1)).toBe('stop');
    expect(bot.status()).toMatchObject({ state: 'stopped', reasons: [] });
  });

  it('says in its log why it has failed, before it says that it has stopped', async () => {
    const lines: unknown[] = [];
    const { bot, session } = aBot({
      log: {
        ...SILENT_BOT_LOG,
        warning: ({ code, text }) => lines.push({ code, text }),
        stateChanged: ({ to }) => lines.push(to),
      },
    });
    session.findings = [REFUSED];

    await bot.start();
    await bot.ended;

    expect(lines.slice(-2)).toEqual([
      {
        code: 'E_DISAGREEMENT',
        text: 'the bot has failed and ends: bot and venue do not agree',
      },
      'stopped',
    ]);
  });

  it('starts once, however often it is started', async () => {
    const { bot, session } = aBot();

    await Promise.all([bot.start(), bot.start()]);

    expect(session.asked.filter((what) => what === 'warm up')).toHaveLength(1);
  });
});

describe('LiveBot while it runs', () => {
  it('is degraded until each cause is resolved, and informs its engine once', async () => {
    const { bot, session } = await aRunningBot();
    session.hooks.onCondition('stream a', 'a is stale');
    session.hooks.onCondition('stream b', 'b is stale');
    session.hooks.onCondition('stream a', undefined);
    const between = bot.status();
    session.hooks.onCondition('stream b', undefined);

    expect(between).toMatchObject({ state: 'degraded', reasons: ['b is stale'] });
    expect(bot.status().state).toBe('running');
    expect(session.asked).toEqual(['tell degraded', 'tell well']);
  });

  it('is degraded while a limit of orders rests, but not while a limit of readings rests', async () => {
    let restsUntil: number | undefined;
    const budget = { used: 1, limit: 100, windowMs: 2_000 };
    const { bot, time } = await aRunningBot({
      budgets: () => [
        { ...budget, name: 'spot.order', restsUntil },
        { ...budget, name: 'spot.klines', restsUntil: START + 9 * MINUTE_MS },
      ],
    });
    await time.advance(SECOND_MS);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });

    restsUntil = START + MINUTE_MS;
    await time.advance(SECOND_MS);
    expect(bot.status()).toMatchObject({
      state: 'degraded',
      reasons: [expect.stringMatching(/limit spot\.order is sent until .*00:01:00/)],
    });

    restsUntil = undefined;
    await time.advance(SECOND_MS);
    expect(bot.status().state).toBe('running');
  });

  it('carries out the commands of its owner', async () => {
    const { bot, session } = await aRunningBot();
    const seen = (act: () => void): string => {
      act();
      return bot.status().state;
    };

    expect([
      seen(() => {
        bot.pause();
      }),
      seen(() => {
        bot.resume();
      }),
      seen(() => {
        bot.halt('enough for today');
      }),
      seen(() => {
        bot.resume();
      }),
      seen(() => {
        bot.flatten();
      }),
    ]).toEqual(['paused', 'running', 'halted', 'running', 'halted']);
    expect(bot.status().reasons).toEqual(['flattened by the operator']);
    expect(session.asked).toEqual([
      'tell reduce-only',
      'tell resume',
      'tell halt',
      'tell resume',
      'tell halt',
      'tell flatten',
    ]);
  });

  it.each(['halt', 'flatten'] as const)(
    'is halted from %s on, before its engine processes it',
    async (command) => {
      const { bot, session } = await aRunningBot();
      session.tell = () => undefined;

      if (command === 'halt') bot.halt('enough');
      else bot.flatten();

      expect(bot.status().state).toBe('halted');
    },
  );

  it('is halted again with a new reason after a resume', async () => {
    const { bot } = await aRunningBot();
    bot.halt('the first time');
    bot.resume();

    bot.halt('the second time');

    expect(bot.status()).toMatchObject({ state: 'halted', reasons: ['the second time'] });
  });

  it('clears on resume only the conditions that the operator must judge', async () => {
    const { bot, session } = await aRunningBot();
    for (const name of ['foreign x', 'late x', 'hole x', 'stream x', 'unknown x'])
      session.hooks.onCondition(name, name);

    bot.resume();

    expect(bot.status().reasons).toEqual(['stream x', 'unknown x']);
  });

  it('compares its holdings once a minute, but not while a command is in flight', async () => {
    const { bot, session, time } = await aRunningBot();
    session.holdings = [['position-larger'], []];
    session.isSending = true;
    await time.advance(MINUTE_MS);
    const sending = [...session.asked];
    session.isSending = false;
    await time.advance(MINUTE_MS);
    const { reasons } = bot.status();
    await time.advance(MINUTE_MS);

    expect(sending).toEqual([]);
    expect(reasons).toEqual(['position-larger']);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
  });

  it('survives a comparison without an answer, and fails with a defect', async () => {
    const { bot, session, time } = await aRunningBot();
    session.holdings = [AWAY, new Error('a bug')];
    await time.advance(MINUTE_MS);
    const after = bot.status().state;

    await time.advance(MINUTE_MS);

    expect(after).toBe('running');
    expect(await bot.ended).toMatchObject({ kind: 'failed', error: { code: 'E_INTERNAL' } });
  });

  it('shows its orders, its figures and its streams', async () => {
    const { bot, session, time } = await aRunningBot({ strategyClass: Buyer });
    await time.advance(2 * MINUTE_MS);
    session.process(closing(aMinute(2)));
    session.hooks.onStream({ name: 'candles', state: 'live', lastData: START });

    expect(bot.status()).toMatchObject({
      name: 'a',
      mode: 'live',
      equity: { amount: '10000', currency: 'USDT' },
      profit: { amount: '0', currency: 'USDT' },
      streams: [{ name: 'candles', state: 'live', lastData: START }],
      positions: [],
      orders: [{ side: 'buy', quantity: '1', filled: '0', limitPrice: '90', status: 'submitting' }],
      commands: 1,
      lastDecision: { text: 'submit' },
    });
  });
});

describe('LiveBot at its end', () => {
  it('stops once, and keeps its orders and positions', async () => {
    const { bot, session, states, ends } = await aRunningBot();

    const both = await Promise.all([bot.stop('keep'), bot.stop('flatten')]);

    expect(both).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
    expect(ends).toEqual([{ kind: 'stopped' }]);
    expect(session.asked).toEqual(['close entries', 'tell degraded', 'stop']);
    expect(states.slice(-2)).toEqual(['halting', 'stopped']);
  });

  it.each([
    ['cancel', 'tell withdraw'],
    ['flatten', 'tell flatten'],
  ] as const)(
    'stops with %s: informs its engine and waits until that is done',
    async (policy, told) => {
      const { bot, session, time } = await aRunningBot();
      session.isSending = true;
      const stopping = bot.stop(policy);
      await time.advance(10 * SECOND_MS);
      const waiting = bot.status().state;
      session.isSending = false;
      await time.advance(SECOND_MS);

      expect(await stopping).toEqual({ kind: 'stopped' });
      expect(waiting).toBe('halting');
      expect(session.asked).toEqual(['close entries', 'tell degraded', told, 'stop']);
    },
  );

  it('works on until its commands are answered, if its strategy is to restart', async () => {
    const engine = aStartedEngine(Thrower, { outlivesStrategy: true });
    const { bot, session, time } = aStagedBot(engine, new VirtualTime(START));
    await bot.start();
    session.process(closing(aMinute(1)));
    session.process(closing(aMinute(2)));
    session.asked.length = 0;
    session.isUnsettled = true;

    bot.restartStrategy();
    bot.restartStrategy();
    await time.advance(10 * SECOND_MS);
    const during = [...session.asked];
    session.isUnsettled = false;
    await time.advance(SECOND_MS);

    expect(engine.failures.inForce).toBeUndefined();
    expect(bot.isRestarting).toBe(true);
    expect(during).toEqual([]);
    expect(session.asked.filter((what) => what.startsWith('tell restart'))).toHaveLength(1);
    expect(session.asked.at(-1)).toBe('stop');
  });

  it('waits for answers for a minute, and not after a stop', async () => {
    const { bot, session, time } = await aRunningBot();
    const answered: boolean[] = [];
    const note = (isAnswered: boolean): number => answered.push(isAnswered);

    void bot.untilAnswered().then(note);
    await settle();
    session.isUnsettled = true;
    void bot.untilAnswered().then(note);
    await time.advance(MINUTE_MS - SECOND_MS);
    const during = [...answered];
    await time.advance(SECOND_MS);
    void bot.untilAnswered().then(note);
    void bot.stop('keep');
    await time.advance(SECOND_MS);

    expect(during).toEqual([true]);
    expect(answered).toEqual([true, false, false]);
  });

  it('gives up on orders that do not end, and warns', async () => {
    const { bot, session, time, warnings } = await aRunningBot();
    session.isSending = true;
    const stopping = bot.stop('cancel');

    await time.advance(MINUTE_MS);

    expect(await stopping).toEqual({ kind: 'stopped' });
    expect(warnings).toEqual([
      expect.stringMatching(/still stopping \(cancel\) after 25 s; it waits for/),
      expect.stringContaining('60 s after the stop: they stay'),
    ]);
  });

  it('gives up after a minute although the clock of the machine was set back', async () => {
    const { bot, session, time } = await aRunningBot();
    session.isSending = true;
    void bot.stop('cancel');

    time.jump(-HOUR_MS);
    await time.advance(MINUTE_MS);

    expect(bot.status().state).toBe('stopped');
  });

  it('flattens until it is flat or resumed, and warns while it has not ended', async () => {
    const { bot, session, time, warnings } = await aRunningBot();
    session.isSending = true;
    const stopping = bot.stop('flatten');
    await time.advance(SECOND_MS);
    const first = bot.status();
    await time.advance(5 * MINUTE_MS);
    const waiting = bot.status();

    bot.resume();
    await time.advance(SECOND_MS);

    expect(await stopping).toEqual({ kind: 'stopped' });
    expect(waiting.state).toBe('halting');
    expect(first.reasons.join()).toMatch(/flattening since .*, tried once, goes on until flat/);
    expect(waiting.reasons.join()).toMatch(/flattening since .*goes on until flat or resumed/);
    expect(warnings).toHaveLength(5);
    expect(warnings[0]).toMatch(/still stopping \(flatten\) after 25 s/);
  });

  it('fails when its session fails, whatever follows', async () => {
    const { bot, session, ends } = await aRunningBot();
    session.hooks.onFailure(new Error('a bug'));
    await settle();

    bot.pause();
    session.hooks.onCondition('stream a', 'a is stale');

    expect(await bot.stop('flatten')).toMatchObject({
      kind: 'failed',
      error: { code: 'E_INTERNAL' },
    });
    expect(ends).toHaveLength(1);
    expect(bot.status()).toMatchObject({ state: 'stopped', reasons: [] });
  });

  it('fails if its resources cannot be closed', async () => {
    const error = new UsageError('E_USAGE', 'the disk is full');
    const { bot } = await aRunningBot({ onEnd: () => Promise.reject(error) });

    expect(await bot.stop('keep')).toEqual({ kind: 'failed', error });
  });
});
