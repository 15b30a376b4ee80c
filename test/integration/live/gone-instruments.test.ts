import { describe, expect, it } from 'vitest';

import { HOUR_MS, MINUTE_MS, type InstrumentId } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { FUTURES_ID, OTHER_SPOT_ID, SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';

type Product = ConstructorParameters<typeof LiveRig>[0];

/** Adds to every instrument with each candle of any instrument, each time with a stop. */
class Eager extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    const protection = { stopLoss: { ratio: '0.1' } };
    for (const { instrumentId: instrument } of this.instruments)
      this.enterLong({ notional: '100' }, { instrument, protection, add: true });
  }
}

async function holding(product: Product, count: number): Promise<LiveRig> {
  const rig = new LiveRig(product, { spot: { USDT: '100000' } });
  const bot = await rig.start({ strategyClass: Eager });
  await rig.until(() => new Set(bot.engine.guards.map((each) => each.instrumentId)).size === count);
  // A minute later, the journal has the fills on the disk.
  await rig.pass(MINUTE_MS);
  return rig;
}

function bought(rig: LiveRig, id: InstrumentId): number {
  return rig.account.trades(id, rig.now()).length;
}

function heldOf(rig: LiveRig, id: InstrumentId): bigint | undefined {
  return rig.bot?.engine.portfolio.instrument(id).long.holding.quantity;
}

function reasonsOf(rig: LiveRig): string {
  return rig.bot?.status().reasons.join('\n') ?? '';
}

async function end(rig: LiveRig, how: string): Promise<void> {
  if (how === 'killed') rig.kill();
  else await rig.stop('keep');
}

const PAIR = { product: 'pairs', gone: OTHER_SPOT_ID, sibling: SPOT_ID } as const;
const CONTRACT = { product: 'mixed', gone: FUTURES_ID, sibling: SPOT_ID } as const;
const BESIDE_CONTRACT = { product: 'mixed', gone: SPOT_ID, sibling: FUTURES_ID } as const;

describe('an instrument that the venue removes while the bot runs', () => {
  it.each([PAIR, CONTRACT])('does not affect the other instruments: $gone', async (one) => {
    const { product, gone, sibling } = one;
    const rig = await holding(product, 2);
    const held = heldOf(rig, gone);
    rig.gone.add(gone);

    await rig.pass(3 * MINUTE_MS);
    const before = [bought(rig, sibling), rig.goneCalls] as const;
    await rig.pass(3 * MINUTE_MS);

    expect(reasonsOf(rig)).toMatch(
      new RegExp(`^${gone}: the venue lists it no more, .*; held by the journal: long [0-9.]+$`),
    );
    expect(bought(rig, sibling) - before[0]).toBeGreaterThanOrEqual(2);
    // The bot looks for it twice a minute and sends no other call about it.
    expect(rig.goneCalls - before[1]).toBeLessThanOrEqual(7);
    expect(heldOf(rig, gone)).toBe(held);
    const refused = rig.bot?.engine.refusals.find(({ instrumentId }) => instrumentId === gone);
    expect(rig.now() - (refused?.lastTime ?? 0)).toBeLessThanOrEqual(MINUTE_MS);
    expect(rig.bot?.engine.closings.get(gone)?.text).toContain(`${gone}: the venue lists it no`);

    const then = bought(rig, gone);
    rig.gone.delete(gone);
    await rig.pass(3 * MINUTE_MS);

    expect(rig.bot?.status()).toMatchObject({ state: 'running', reasons: [] });
    expect(bought(rig, gone)).toBeGreaterThan(then);
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Eager })).kind).toBe('identical');
  });
});

describe('a start while an instrument is removed', () => {
  it.each([
    { how: 'killed', ...CONTRACT },
    { how: 'stopped', ...PAIR },
    { how: 'stopped', ...BESIDE_CONTRACT },
  ])('trades and guards the others: $how, $gone', async (one) => {
    const { how, product, gone, sibling } = one;
    const rig = await holding(product, 2);
    await end(rig, how);
    rig.gone.add(gone);

    const bot = await rig.restart();
    const held = heldOf(rig, gone);
    const first = reasonsOf(rig);
    const guarded = bot.engine.guards.map((each) => each.instrumentId);
    const before = bought(rig, sibling);
    await rig.pass(3 * MINUTE_MS);

    expect(first).toMatch(
      new RegExp(`^${gone}: .*no more.*held by the journal: long [0-9.]+`, 'm'),
    );
    expect(reasonsOf(rig).split('\n')).toHaveLength(1);
    expect(held).toBeGreaterThan(0n);
    expect(new Set(guarded)).toEqual(new Set([gone, sibling]));
    expect(bot.status().sampled.map(({ instrumentId }) => instrumentId)).toEqual([sibling]);
    expect(bought(rig, sibling)).toBeGreaterThan(before);
    expect(heldOf(rig, gone)).toBe(held);

    const then = bought(rig, gone);
    rig.gone.delete(gone);
    await rig.pass(3 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    expect(bought(rig, gone)).toBeGreaterThan(then);
    await rig.stop();
    for (const { id } of await rig.epochs())
      expect((await rig.replay(id, { strategyClass: Eager })).kind).toBe('identical');
  });

  it.each(['killed', 'stopped'])(
    'keeps the position and waits if no instrument is left: %s',
    async (how) => {
      const rig = await holding('spot', 1);
      await end(rig, how);
      rig.gone.add(SPOT_ID);
      // One session runs without the instrument. The next start must still work.
      await rig.restart();
      await rig.pass(MINUTE_MS);
      await end(rig, how);

      const bot = await rig.restart();
      const held = heldOf(rig, SPOT_ID);
      await rig.pass(3 * MINUTE_MS);
      const { state, reasons } = bot.status();
      const still = heldOf(rig, SPOT_ID);
      const then = bought(rig, SPOT_ID);
      rig.gone.delete(SPOT_ID);
      await rig.pass(3 * MINUTE_MS);

      expect(state).toBe('degraded');
      expect(reasons.join('\n')).toMatch(/^spot:BTCUSDT: the venue lists it no more/);
      expect(held).toBeGreaterThan(0n);
      expect(still).toBe(held);
      expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
      expect(bought(rig, SPOT_ID)).toBeGreaterThan(then);
    },
  );

  it('looks up an unanswered order once its instrument is back, and lets the others trade until then', async () => {
    const rig = await holding('pairs', 2);
    const { journal } = rig;
    rig.dieAt('after-send');
    const { bot: dead } = rig;
    while (rig.journal === journal) await rig.pass(1_000);
    const [lost] = dead?.engine.workingOrders.filter(({ venueOrderId }) => !venueOrderId) ?? [];
    const gone = lost?.request.instrumentId ?? SPOT_ID;
    const sibling = gone === SPOT_ID ? OTHER_SPOT_ID : SPOT_ID;
    rig.gone.add(gone);

    const bot = await rig.restart();
    const before = bought(rig, sibling);
    await rig.pass(3 * MINUTE_MS);
    const meanwhile = { bought: bought(rig, sibling), isUncertain: bot.engine.isUncertain };
    rig.gone.delete(gone);
    await rig.pass(3 * MINUTE_MS);

    expect(meanwhile.isUncertain).toBe(true);
    expect(meanwhile.bought).toBeGreaterThan(before);
    expect(bot.engine.isUncertain).toBe(false);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
  });

  it('is refused for a new bot, with the name of the instrument', async () => {
    const rig = new LiveRig('pairs', { spot: { USDT: '100000' } });
    rig.gone.add(OTHER_SPOT_ID);

    await expect(rig.start({ strategyClass: Eager })).rejects.toThrow(
      'ETHUSDT: the venue does not list it',
    );
  });
});

describe('an instrument that the venue removes from a bot on paper', () => {
  async function onPaper(
    product: Product,
    count: number,
    set: readonly string[] = [],
  ): Promise<LiveRig> {
    const rig = new LiveRig(product, {}, 'paper');
    const bot = await rig.start({ strategyClass: Eager, set });
    await rig.until(
      () => new Set(bot.engine.guards.map((each) => each.instrumentId)).size === count,
    );
    await rig.pass(MINUTE_MS);
    return rig;
  }

  function fillsOf(rig: LiveRig, id: InstrumentId): number {
    return [...(rig.bot?.engine.fills ?? [])].filter((fill) => fill.record.instrumentId === id)
      .length;
  }

  it.each([PAIR, CONTRACT, BESIDE_CONTRACT])(
    'is suspended alone, also over a restart, until it is back: $gone',
    async ({ product, gone, sibling }) => {
      const rig = await onPaper(product, 2);
      const held = heldOf(rig, gone);
      rig.gone.add(gone);

      await rig.pass(3 * MINUTE_MS);
      const before = fillsOf(rig, sibling);
      await rig.pass(3 * MINUTE_MS);

      const text = new RegExp(
        `^${gone}: the venue lists it no more, .*; held by the journal: long`,
      );
      expect(rig.bot?.status().reasons).toEqual([expect.stringMatching(text)]);
      expect(fillsOf(rig, sibling) - before).toBeGreaterThanOrEqual(2);

      rig.kill();
      const bot = await rig.restart();
      const then = fillsOf(rig, sibling);
      await rig.pass(3 * MINUTE_MS);
      expect(bot.status().reasons).toEqual([expect.stringMatching(text)]);
      expect(heldOf(rig, gone)).toBe(held);
      expect(fillsOf(rig, sibling)).toBeGreaterThan(then);

      rig.gone.delete(gone);
      await rig.pass(3 * MINUTE_MS);
      expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
      expect(heldOf(rig, gone)).toBeGreaterThan(held ?? 0n);
      await rig.stop();
      for (const { id } of await rig.epochs())
        expect((await rig.replay(id, { strategyClass: Eager })).kind).toBe('identical');
    },
  );

  it('is charged funding once it is back', async () => {
    const rig = await onPaper('mixed', 2, ['simulation.futures.fundingInterval=1h']);
    const charged = (): number =>
      [...(rig.bot?.engine.financings ?? [])].filter(({ kind }) => kind === 'funding').length;
    const before = charged();
    rig.gone.add(FUTURES_ID);
    await rig.pass(HOUR_MS);
    const meanwhile = charged();
    rig.gone.delete(FUTURES_ID);
    await rig.pass(3 * MINUTE_MS);

    expect(meanwhile).toBe(before);
    expect(charged()).toBe(before + 1);
    expect(rig.bot?.status()).toMatchObject({ state: 'running', reasons: [] });
  });
});
