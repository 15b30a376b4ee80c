import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  MINUTE_MS,
  type OrderIntent,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import { CandleStrategy, int, type StrategyClass } from '../../../src/strategy/index.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** A limit order is placed anew after this time. Otherwise a market that moves away leaves it unfilled for hours. */
const PATIENCE_MS = 20 * MINUTE_MS;

/** Rests a buy a little below the market, and after its fill a sell a little above. Notes the order ids of its fills. */
class Rester extends CandleStrategy({ per10k: int(1, 9_000, 5) }) {
  static fills: string[] = [];
  override readonly warmup = 3;

  override onCandle({ close }: { readonly close: number }): void {
    if (this.workingOrders().length > 0) return;
    const away = this.parameters.per10k / 10_000;
    const isHolding = this.position.quantity.gt(0);
    const limitPrice = (close * (isHolding ? 1 + away : 1 - away)).toFixed(2);
    if (isHolding) this.exit({ limitPrice, goodForMs: PATIENCE_MS });
    else this.enterLong({ quantity: '0.01' }, { limitPrice, goodForMs: PATIENCE_MS });
  }

  override onFill({ clientOrderId }: { readonly clientOrderId: string }): void {
    Rester.fills.push(clientOrderId);
  }
}

/** Acts like {@link Rester}, but is another class. */
class OtherRester extends Rester {}

/** Makes no intents. */
class Idler extends CandleStrategy({}) {
  override readonly warmup = 3;

  override onCandle(): void {
    // Nothing: the orders of the earlier strategy stay.
  }
}

/** Like {@link Rester}, but its process is killed when it is about to begin. */
function dyingAtStart(rig: LiveRig): StrategyClass {
  return class extends Rester {
    override intents(): Observable<OrderIntent> {
      rig.kill();
      return super.intents();
    }
  };
}

function openOrders(rig: LiveRig): readonly VenueOrderId[] {
  return rig.account.openOrders(SPOT_ID, rig.now()).map(({ venueOrderId }) => venueOrderId);
}

/** The bot and the exchange must agree on everything in the account. */
function expectAgreement(rig: LiveRig): void {
  const { engine } = rig.bot ?? {};
  const trades = rig.account.trades(SPOT_ID, rig.now());
  const ids = rig.account.orders(SPOT_ID, rig.now()).map(({ clientOrderId }) => clientOrderId);
  const totals = rig.account
    .spot(rig.now())
    .balances.map(({ asset, exact }) => [asset, formatFixed(exact.free + exact.locked)] as const);
  const believed = [...(engine?.portfolio.balances().spot ?? [])].map(
    ([asset, total]) => [asset, formatFixed(total)] as const,
  );

  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(Rester.fills).size).toBe(trades.length);
  expect(Rester.fills).toHaveLength(trades.length);
  expect(new Map(believed)).toEqual(new Map(totals));
}

/** A bot that has bought and rests a sell. Its allocation is the whole starting balance. */
async function aRester(): Promise<LiveRig> {
  Rester.fills = [];
  const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
  await rig.start({ strategyClass: Rester });
  await rig.until(() => Rester.fills.length % 2 === 1 && openOrders(rig).length === 1);
  return rig;
}

async function nextFills(rig: LiveRig, count: number): Promise<void> {
  const before = Rester.fills.length;
  await rig.until(() => Rester.fills.length >= before + count);
}

describe('the signal of a preparation', () => {
  it('ends the preparation, and nothing of the bot once it is made', async () => {
    const aborted = new LiveRig('spot').start({
      strategyClass: Rester,
      signal: AbortSignal.abort(new Error('enough')),
    });
    await expect(aborted).rejects.toThrow('enough');
    const over = new AbortController();
    const rig = new LiveRig('spot');
    const bot = await rig.start({ strategyClass: Rester, signal: over.signal });

    over.abort(new Error('enough'));
    await rig.pass(2 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
    await rig.stop('cancel');
    expect(openOrders(rig)).toEqual([]);
  });
});

describe('a bot that was stopped in order', () => {
  it('continues in a new epoch with its orders, and counts fills of the meantime once', async () => {
    const rig = await aRester();
    const [resting] = openOrders(rig);

    await rig.stop('keep');
    const stopped = rig.epochs();
    await rig.until(() => openOrders(rig).length === 0);
    const bot = await rig.restart();
    const told = [...bot.engine.fills].map(({ record }) => record.clientOrderId);
    await nextFills(rig, 3);

    expect((await stopped).at(-1)).toMatchObject({
      closed: 'stopped',
      ending: { orders: [expect.objectContaining({ venueOrderId: resting })] },
    });
    expect(told).toHaveLength(1);
    expect(bot.status().reasons).toEqual([]);
    expect(formatFixed(bot.engine.portfolio.residual())).toBe('0');
    expectAgreement(rig);
    await rig.stop();
    const kinds = [];
    for (const { id } of await rig.epochs())
      kinds.push((await rig.replay(id, { strategyClass: Rester })).kind);
    expect(kinds).toEqual(['identical', 'identical']);
  });

  it.each([
    ['parameters', { set: ['strategy.parameters.per10k=4'] }],
    ['plugin', { strategyClass: OtherRester, sourceHash: 'another' }],
    ['risk', { set: ['risk.maxOpenPositions=1'] }],
    ['nothing', {}],
  ])(
    'resumes with its orders, positions and profit after a change of: %s',
    async (_what, start) => {
      const rig = await aRester();

      await rig.stop('keep');
      await rig.pass(10 * MINUTE_MS);
      await rig.restart(start);
      await nextFills(rig, 4);

      expectAgreement(rig);
      expect(rig.bot?.status().profit?.amount).not.toBe('0');
    },
  );

  it('counts profit from its first start, not from its last', async () => {
    const rig = await aRester();
    await rig.stop('keep');

    const bot = await rig.restart({ strategyClass: Idler, sourceHash: 'idler' });
    await rig.pass(2 * MINUTE_MS);

    const { equity, profit } = bot.status();
    expect(Number(equity?.amount) - 100_000).toBeCloseTo(Number(profit?.amount), 9);
  });

  it('trades again after a stop that canceled its orders', async () => {
    const rig = await aRester();
    await rig.stop('cancel');
    expect(openOrders(rig)).toEqual([]);

    const bot = await rig.restart();
    await nextFills(rig, 2);

    expect(bot.status().state).toBe('running');
    expectAgreement(rig);
  });

  it('stays paused if the operator paused it', async () => {
    const rig = await aRester();
    rig.bot?.pause();
    await rig.pass(MINUTE_MS);
    await rig.stop('keep');

    const bot = await rig.restart();
    await rig.pass(2 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'paused', reasons: ['paused by the operator'] });
  });

  it('loses nothing when it is killed during the start of a new epoch', async () => {
    const rig = await aRester();
    await rig.stop('keep');

    await rig.killAt('reconciliation');
    await rig.restart();
    rig.kill();
    await rig.restart();
    await nextFills(rig, 3);

    expect((await rig.epochs()).map(({ closed }) => closed)).toEqual(['stopped', undefined]);
    expectAgreement(rig);
  });

  it('loses nothing when it is killed before it is warm again', async () => {
    const rig = await aRester();
    await rig.stop('keep');

    const died = rig.restart({ strategyClass: dyingAtStart(rig) });
    await expect(died).rejects.toThrow('expected it to end');
    await rig.restart({ strategyClass: Rester });
    await nextFills(rig, 3);

    const closed = (await rig.epochs()).map((epoch) => epoch.closed);
    expect(closed).toEqual(['stopped', 'ended before it was warm', undefined]);
    expectAgreement(rig);
  });
});

/** Buys once and protects the position. The engine watches its stop, so no command shows it. */
class Guarded extends CandleStrategy({ stop: int(1, 500, 100) }) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.position.quantity.gt(0)) return;
    const protection = { stopLoss: { ratio: String(this.parameters.stop / 10_000) } };
    this.enterLong({ notional: '1000' }, { protection });
  }
}

describe('a bot whose process was killed', () => {
  it.each([
    ['parameters', { set: ['strategy.parameters.per10k=4'] }],
    ['plugin', { strategyClass: OtherRester, sourceHash: 'another' }],
    ['risk', { set: ['risk.maxOpenPositions=1'] }],
    ['fees', { set: ['simulation.fees.maker="0.002"'] }],
    ['remainder', { set: ['simulation.remainder=resend'] }],
  ])('resumes with its orders, positions and profit after a change of: %s', async (what, start) => {
    const rig = await aRester();
    rig.kill();
    await rig.pass(10 * MINUTE_MS);

    await rig.restart(start);
    await nextFills(rig, 4);

    expectAgreement(rig);
    const changed = what === 'plugin' ? 'plugin' : 'config';
    expect((await rig.epochs()).map(({ closed }) => closed)).toEqual([
      expect.stringMatching(new RegExp(`followed by one with another.*${changed}`)),
      undefined,
    ]);
    await rig.stop();
    const first = await rig.replay(1, { strategyClass: Rester });
    const second = await rig.replay(2, { strategyClass: Rester, ...start });
    expect([first.kind, second.kind]).toEqual(['identical', 'identical']);
  });

  it('keeps the stop of its position under another plugin', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    const bot = await rig.start({ strategyClass: Guarded });
    await rig.until(() => bot.engine.watchesLast);
    const before = bot.engine.stopWatches();
    rig.kill();

    const next = await rig.restart({ strategyClass: Idler, sourceHash: 'idler' });

    expect(before).toHaveLength(1);
    expect(next.engine.stopWatches()).toEqual(before);
  });
});
