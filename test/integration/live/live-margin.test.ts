import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  floorToStep,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  present,
  SECOND_MS,
  type Asset,
  type Candle,
  type Direction,
  type OrderRequest,
} from '../../../src/domain/index.js';
import { renderStatus } from '../../../src/cli/live/render-status.js';
import { SimulatedAccount } from '../../../src/local-exchange/accounts/simulated-account.js';
import { isRefusal } from '../../../src/local-exchange/refusal.js';
import type { MarginLedger } from '../../../src/simulator/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { aMarketRequest } from '../../support/order-requests.js';

const MARGIN_ID = createInstrumentId('margin', 'BTCUSDT');
const BLIND = ['live.blindMargin=true', 'simulation.balances.USDT="10000"'];

/** Enters once with leverage, in one direction. Exits while `leaves` is true, and adds to a long while `adds` is true. */
class Leveraged extends CandleStrategy({}, { state: { isIn: false } }) {
  static direction: Direction = 'long';
  static leaves = false;
  static adds = false;
  static events: string[] = [];
  override readonly warmup = 3;

  override onCandle(): void {
    if (Leveraged.leaves) this.exit();
    if (Leveraged.adds) this.enterLong({ notional: '100' }, { add: true });
    if (this.state.isIn) return;
    this.state.isIn = true;
    const terms = { protection: { stopLoss: { ratio: '0.2' } } };
    if (Leveraged.direction === 'long') this.enterLong({ equity: '2' }, terms);
    else this.enterShort({ equity: '1.5' }, terms);
  }

  override onAccountEvent(event: { readonly kind: string; readonly isEstimated?: boolean }): void {
    Leveraged.events.push(event.isEstimated === true ? `${event.kind} estimated` : event.kind);
  }
}

/** Enters once without a loan, and rests an exit far away, which holds what it sells. */
class RestingExit extends CandleStrategy({}, { state: { candles: 0 } }) {
  override readonly warmup = 3;

  override onCandle({ close }: Candle): void {
    this.state.candles += 1;
    if (this.state.candles === 1) this.enterLong({ equity: '0.5' });
    if (this.state.candles === 2) this.exit({ limitPrice: (close * 1.05).toFixed(2) });
  }
}

async function startLeveraged(direction: Direction): Promise<LiveRig> {
  Leveraged.direction = direction;
  Leveraged.leaves = false;
  Leveraged.adds = false;
  Leveraged.events = [];
  const rig = new LiveRig('margin', { margin: { USDT: '10000' } });
  await rig.start({ strategyClass: Leveraged, set: BLIND });
  await rig.pass(3 * MINUTE_MS);
  return rig;
}

function ledgerOf({ account }: LiveRig): MarginLedger {
  if (!(account instanceof SimulatedAccount)) throw new Error('expected a simulated account');
  const { margin } = account.venue.accounts;
  if (margin === undefined) throw new Error('expected a margin account');
  return margin.ledger;
}

/** Total and debt of an asset: by the books of the bot, and by the ledger of the venue, which the bot cannot read. */
function both(rig: LiveRig, asset: Asset): readonly [string, string] {
  const ledger = ledgerOf(rig);
  const { debts } = rig.bot?.engine.portfolio ?? {};
  const owed = debts?.owed.find((each) => each.asset === asset);
  const { principal, interest } = ledger.debt(asset);
  return [
    `${formatFixed(rig.bot?.engine.portfolio.total(asset, 'margin') ?? 0n)} owes ${formatFixed(owed?.principal ?? 0n)} and ${formatFixed(owed?.interest ?? 0n)}`,
    `${formatFixed(ledger.net(asset))} owes ${formatFixed(principal)} and ${formatFixed(interest)}`,
  ];
}

function expectEqualBooks(rig: LiveRig): void {
  for (const asset of ['USDT', 'BTC']) {
    const [own, venue] = both(rig, asset);
    expect(own).toBe(venue);
  }
}

/** Places an order that is not from the bot. */
function externalTrades(rig: LiveRig, side: 'buy' | 'sell', quantity: string): void {
  const request: OrderRequest = {
    ...aMarketRequest({}),
    instrumentId: MARGIN_ID,
    side,
    unit: side === 'buy' ? 'quote' : 'base',
    quantity: parseFixed(quantity),
  };
  const placed = rig.account.place({ ...request, action: undefined }, rig.now(), {});
  if (isRefusal(placed)) throw new Error(placed.message);
}

describe('a live bot on margin, whose account the venue does not show', () => {
  it('is refused unless live.blindMargin is set', async () => {
    const rig = new LiveRig('margin', { margin: { USDT: '10000' } });

    await expect(rig.start({ strategyClass: Leveraged })).rejects.toMatchObject({
      code: 'E_CONFIG_MISSING',
    });
  });

  it.each(['long', 'short'] as const)(
    'matches the books of the venue for a %s',
    async (direction) => {
      const rig = await startLeveraged(direction);
      const borrowed = direction === 'long' ? 'USDT' : 'BTC';
      expect(ledgerOf(rig).debt(borrowed).principal).toBeGreaterThan(0n);
      expectEqualBooks(rig);

      expect(Leveraged.events).toEqual(['interest estimated']);

      Leveraged.leaves = true;
      await rig.pass(2 * MINUTE_MS);
      expectEqualBooks(rig);
      expect(rig.bot?.engine.portfolio.isExposed).toBe(false);
      expect(rig.bot?.status().state).toBe('running');
    },
  );

  it('knows its debt after a kill, with the interest of the meantime', async () => {
    const rig = await startLeveraged('long');

    rig.kill();
    await rig.sleep(5 * HOUR_MS);
    await rig.restart();
    await rig.pass(MINUTE_MS);

    expectEqualBooks(rig);
    expect(ledgerOf(rig).debt('USDT').interest).toBeGreaterThan(0n);
  });

  it('knows its debt after a stop in order', async () => {
    const rig = await startLeveraged('short');

    await rig.stop();
    await rig.sleep(2 * HOUR_MS);
    await rig.restart();
    await rig.pass(MINUTE_MS);

    expectEqualBooks(rig);
  });

  it.each(['after-journal', 'before-send', 'after-send', 'after-answer'] as const)(
    'loses nothing in a kill %s',
    async (at) => {
      Leveraged.direction = 'long';
      Leveraged.leaves = false;
      const rig = new LiveRig('margin', { margin: { USDT: '10000' } });
      await rig.start({ strategyClass: Leveraged, set: BLIND });
      const { journal } = rig;
      rig.dieAt(at);
      for (let passed = 0; rig.journal === journal && passed < 10; passed += 1)
        await rig.pass(MINUTE_MS);

      await rig.restart();
      await rig.pass(5 * MINUTE_MS);

      expectEqualBooks(rig);
    },
  );

  it('books an external sale, and enters nothing until it is resumed', async () => {
    const rig = await startLeveraged('long');
    const half = (rig.bot?.engine.portfolio.total('BTC', 'margin') ?? 0n) / 2n;

    externalTrades(rig, 'sell', formatFixed(floorToStep(half, parseFixed('0.00001'))));
    await rig.pass(2 * MINUTE_MS);

    expectEqualBooks(rig);
    expect([...(rig.bot?.engine.orders ?? [])].at(-1)?.cause).toBe('external');
    expect(rig.bot?.status()).toMatchObject({ state: 'degraded' });
    expect(rig.bot?.status().reasons.join(' ')).toContain('which this bot did not send');

    const bought = (): number =>
      [...(rig.bot?.engine.orders ?? [])].filter(({ request }) => request.side === 'buy').length;
    expect(bought()).toBe(1);
    Leveraged.adds = true;
    await rig.pass(2 * MINUTE_MS);
    expect(bought()).toBe(1);
    expect(rig.bot?.engine.refusals.length).toBeGreaterThan(0);
    rig.bot?.resume();
    await rig.pass(2 * MINUTE_MS);
    expect(bought()).toBeGreaterThan(1);
  });

  it.each([
    [0, 'at once'],
    [900, 'late'],
  ])(
    'owes nothing after a flatten that first cancels an exit, if answers take %i ms',
    async (ms) => {
      const rig = new LiveRig('margin', { margin: { USDT: '10000' } });
      rig.slowMs = ms;
      await rig.start({ strategyClass: RestingExit, set: BLIND });
      await rig.pass(3 * MINUTE_MS);
      expect(rig.bot?.status().orders).toHaveLength(1);

      rig.bot?.flatten();
      await rig.pass(10 * SECOND_MS);

      expect(rig.bot?.engine.portfolio.isExposed).toBe(false);
      expect(ledgerOf(rig).debt('BTC').principal).toBe(0n);
      expectEqualBooks(rig);
    },
  );

  it('shows its debt and margin level, and where they come from', async () => {
    const rig = await startLeveraged('long');

    const status = present(rig.bot?.status(), 'a status');
    const { debts, marginLevel } = status;

    expect(debts.map(({ asset }) => asset)).toEqual(['USDT']);
    expect(Number(marginLevel)).toBeCloseTo(2, 1);
    expect(renderStatus(status, { color: false }).join('\n')).toMatch(
      /[\d.]+ USDT and [\d.]+ of interest, by own executions and the configured rate; assets are [\d.]+ times the debt/,
    );
  });
});
