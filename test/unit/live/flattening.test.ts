import { describe, expect, it } from 'vitest';

import {
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  SECOND_MS,
  type ClientOrderId,
  type EpochMs,
} from '../../../src/domain/index.js';
import type { Engine } from '../../../src/engine/index.js';
import type { LiveBotOptions } from '../../../src/live/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import type { OrderUpdate } from '../../../src/venue/index.js';
import { aMinute, aStartedEngine, closing, START } from '../../support/engine/engine.js';
import { aStagedBot } from '../../support/live/staged-bot.js';
import { SPOT } from '../../support/risk/builders.js';
import { VirtualTime } from '../../support/virtual-time.js';

/** Buys 1 BTC with its first candle. */
class Holder extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ quantity: '1' });
  }
}

const LOSS = { maxDailyLoss: parseFixed('10'), onHalt: 'flatten' } as const;
const at = (minute: number): EpochMs => START + minute * MINUTE_MS;

/** An engine that holds 1 BTC, bought at 100. */
function aHolder(): Engine {
  const engine = aStartedEngine(Holder, { protections: LOSS });
  engine.process(closing(aMinute(1)));
  engine.process({ kind: 'opening', time: at(1), prices: [] });
  engine.process(closing(aMinute(2)));
  const { request } = theOrder(engine);
  engine.process({
    kind: 'venue',
    time: at(2),
    update: {
      kind: 'fill',
      clientOrderId: request.clientOrderId,
      isFilled: true,
      eventTime: at(2),
      fill: {
        clientOrderId: request.clientOrderId,
        ...({ instrumentId: SPOT.id, side: 'buy', action: 'open', liquidity: 'taker' } as const),
        ...{ price: parseFixed('100'), quantity: parseFixed('1'), fee: 0n, feeAsset: 'USDT' },
        eventTime: at(2),
      },
    },
  });
  return engine;
}

function theOrder(engine: Engine): Engine['workingOrders'][number] {
  const [order] = engine.workingOrders;
  if (order === undefined) throw new Error('expected a working order');
  return order;
}

function aBot(engine: Engine, options: Partial<LiveBotOptions> = {}) {
  const staged = aStagedBot(engine, new VirtualTime(at(2)), {
    staleAfterMs: 10 * MINUTE_MS,
    ...options,
  });
  const { time, session } = staged;
  const end = (update: 'rejected' | 'filled'): void => {
    const { clientOrderId } = theOrder(engine).request;
    session.process({
      kind: 'venue',
      time: time.now(),
      update: update === 'filled' ? sold(clientOrderId) : rejected(clientOrderId),
    });
  };
  return { ...staged, end };
}

function rejected(clientOrderId: ClientOrderId): OrderUpdate {
  const reason = { code: '-1', text: 'not tradable now' };
  return { kind: 'ended', status: 'rejected', clientOrderId, eventTime: at(3), reason };
}

function sold(clientOrderId: ClientOrderId): OrderUpdate {
  const fill = {
    clientOrderId,
    ...({ instrumentId: SPOT.id, side: 'sell', action: 'close', liquidity: 'taker' } as const),
    ...{ price: parseFixed('80'), quantity: parseFixed('1'), fee: 0n, feeAsset: 'USDT' },
    eventTime: at(3),
  };
  return { kind: 'fill', clientOrderId, isFilled: true, eventTime: at(3), fill };
}

/** The price falls to 80: the loss of the day is 20. */
async function aBotInLoss() {
  const engine = aHolder();
  const parts = aBot(engine);
  await parts.bot.start();
  await parts.time.advance(MINUTE_MS);
  parts.session.process(closing(aMinute(3, { close: 80 })));
  parts.session.asked.length = 0;
  return { ...parts, engine };
}

const FLATTENS = 'tell flatten';

describe('a flatten that a protection orders', () => {
  it('is told again while its exits are refused, and the status says so, until it is done', async () => {
    const { bot, engine, session, time, warnings, end } = await aBotInLoss();
    const sent = engine.workingOrders.length;
    end('rejected');
    await time.advance(SECOND_MS);
    const between = bot.status();
    await time.advance(SECOND_MS);
    const asked = session.asked.filter((what) => what === FLATTENS);
    const again = engine.workingOrders.length;

    end('filled');
    await time.advance(SECOND_MS);

    expect([sent, again]).toEqual([1, 1]);
    expect(asked).toEqual([FLATTENS]);
    expect(between).toMatchObject({ state: 'halted', isFlattening: true, orders: [] });
    expect(between.reasons.join()).toMatch(/flattening since .*, tried once, goes on until flat/);
    expect(bot.status()).toMatchObject({ isFlattening: false, positions: [] });
    expect(warnings.at(-1)).toMatch(/^flat: every position is closed/);
  });

  it('is told again although the clock of the machine was set back', async () => {
    const { session, time, end } = await aBotInLoss();
    end('rejected');

    time.jump(-HOUR_MS);
    await time.advance(2 * SECOND_MS);

    expect(session.asked).toContain(FLATTENS);
  });

  it('is told once by the engine alone where its exit is filled', async () => {
    const { bot, session, time, end } = await aBotInLoss();

    end('filled');
    await time.advance(MINUTE_MS);

    expect(session.asked).not.toContain(FLATTENS);
    expect(bot.status().isFlattening).toBe(false);
  });

  it('ends with resuming', async () => {
    const { bot, session, time, end } = await aBotInLoss();
    end('rejected');

    bot.resume();
    await time.advance(MINUTE_MS);

    expect(session.asked).not.toContain(FLATTENS);
    expect(bot.status()).toMatchObject({ isFlattening: false, positions: [{}] });
  });

  it('is gone on with by the next process', async () => {
    const { bot: before, engine, end } = await aBotInLoss();
    end('rejected');
    await before.stop('keep');
    const { bot, session } = aBot(engine, { isReplayed: true });

    await bot.start();

    expect(session.asked.at(-1)).toBe(FLATTENS);
    expect(bot.status().isFlattening).toBe(true);
  });
});
