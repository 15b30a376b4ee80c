import { describe, expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/index.js';
import { bool, CandleStrategy, int } from '../../../src/strategy/index.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Strategies make no intents after this time. */
const wants = { until: Number.POSITIVE_INFINITY };

/** Adds to its position with every candle, and protects it with a stop. */
class Eager extends CandleStrategy({ stop: int(1, 5_000, 5_000), adds: bool(true) }) {
  override readonly warmup = 3;

  override onCandle(): void {
    if (this.now > wants.until) return;
    const protection = { stopLoss: { ratio: String(this.parameters.stop / 10_000) } };
    this.enterLong({ quantity: '0.01234' }, { protection, add: this.parameters.adds });
  }
}

/** Like {@link Eager}, on a contract. */
class EagerOnContract extends CandleStrategy({}) {
  override onCandle(): void {
    this.enterLong({ quantity: '100' }, { protection: { stopLoss: { ratio: '0.1' } }, add: true });
  }
}

async function holding(set: readonly string[] = []): Promise<LiveRig> {
  wants.until = Number.POSITIVE_INFINITY;
  const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
  const bot = await rig.start({ strategyClass: Eager, set });
  await rig.until(() => bot.engine.watchesLast);
  return rig;
}

function submits(rig: LiveRig): number {
  return rig.calls.get('submit') ?? 0;
}

const ALWAYS = { probability: 1, instrument: SPOT_ID } as const;
const PRECISION = { ...ALWAYS, fault: 'precision', quantityPrecision: 2 } as const;

/** 0.01234 less the fee in base, less the part that can be sold in steps of 0.001. */
const REMAINDER = { instrumentId: SPOT_ID, direction: 'long', quantity: '0.00032766' };

describe('instrument rules that change during a position', () => {
  it('apply to exits, while entries wait until the operator resumes', async () => {
    const rig = await holding();
    rig.exchange.addFault(PRECISION);

    await rig.pass(3 * MINUTE_MS);
    const { state, reasons } = rig.bot?.status() ?? {};
    const before = submits(rig);
    await rig.pass(3 * MINUTE_MS);
    const waited = submits(rig) - before;
    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);
    const sold = rig.account.trades(SPOT_ID, rig.now()).at(-1);
    rig.bot?.resume();
    await rig.pass(3 * MINUTE_MS);

    expect(state).toBe('degraded');
    expect(reasons?.join()).toContain('quantityPrecision 5 is 2 now');
    expect(waited).toBe(0);
    expect(sold?.side).toBe('sell');
    expect(rig.bot?.status()).toMatchObject({ state: 'running', reasons: [] });
    // It buys again, under the new rules.
    expect(rig.account.trades(SPOT_ID, rig.now()).at(-1)?.side).toBe('buy');
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Eager })).kind).toBe('identical');
  });

  it('are noticed also without an order', async () => {
    const rig = await holding();
    wants.until = rig.now();
    rig.exchange.addFault(PRECISION);

    await rig.pass(6 * MINUTE_MS);

    expect(rig.bot?.status().reasons.join()).toContain('quantityPrecision 5 is 2 now');
  });

  it.each(['runs on', 'is started again'])(
    'leave dust below a coarse step, which blocks no entry when the steps are fine again: the bot %s',
    async (how) => {
      const rig = await holding(['strategy.parameters.adds=false']);
      const lift = rig.exchange.addFault({ ...PRECISION, quantityPrecision: 3 });
      await rig.pass(3 * MINUTE_MS);
      rig.bot?.flatten();
      await rig.pass(MINUTE_MS);
      const left = rig.bot?.status().positions;
      rig.exchange.removeFault(lift);
      wants.until = rig.now();
      await rig.pass(5 * MINUTE_MS);
      if (how === 'is started again') {
        await rig.stop('keep');
        await rig.restart();
        await rig.pass(MINUTE_MS);
      }
      const fine = rig.bot?.status();

      rig.bot?.resume();
      wants.until = Number.POSITIVE_INFINITY;
      await rig.pass(3 * MINUTE_MS);

      expect(left).toEqual([{ ...REMAINDER, isDust: true }]);
      expect(fine).toMatchObject({ positions: [{ ...REMAINDER, isDust: true }], guards: [] });
      const { positions, guards } = rig.bot?.status() ?? {};
      expect(positions).toMatchObject([{ isDust: false }]);
      expect(guards).toMatchObject([{ quantity: positions?.[0]?.quantity }]);
      await rig.stop();
    },
  );

  it('leave dust below a coarse step, which a flatten sells when the steps are fine again', async () => {
    const rig = await holding(['strategy.parameters.adds=false']);
    const lift = rig.exchange.addFault({ ...PRECISION, quantityPrecision: 3 });
    await rig.pass(3 * MINUTE_MS);
    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);
    rig.exchange.removeFault(lift);
    await rig.pass(5 * MINUTE_MS);

    rig.bot?.flatten();
    await rig.pass(MINUTE_MS);

    expect(rig.bot?.status().positions).toMatchObject([{ quantity: '0.00000766', isDust: true }]);
    await rig.stop();
  });

  it.each(['killed', 'stopped'])('keep the position guarded from the start on: %s', async (how) => {
    const rig = await holding();
    wants.until = rig.now();
    const before = rig.bot?.engine.stopWatches().map(({ level }) => level);
    if (how === 'killed') rig.kill();
    else await rig.stop('keep');
    rig.exchange.addFault(PRECISION);

    const bot = await rig.restart();
    await rig.pass(MINUTE_MS);
    const first = bot.status();
    const guarded = bot.engine.stopWatches().map(({ level }) => level);
    rig.kill();
    const again = await rig.restart();
    await rig.pass(MINUTE_MS);
    const second = again.status();
    again.resume();
    await rig.pass(MINUTE_MS);

    for (const { state, reasons } of [first, second]) {
      expect(state).toBe('degraded');
      expect(reasons.join()).toContain('quantityPrecision 5 is 2 now');
    }
    expect(guarded).toEqual(before);
    expect(before).toHaveLength(1);
    expect(again.status().state).toBe('running');
  });

  it('fail the start of a bot without a position, with the differing rules of its file', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    rig.exchange.addFault(PRECISION);

    await expect(rig.start({ strategyClass: Eager })).rejects.toMatchObject({
      code: 'E_CONFIG_RULES',
      message:
        'rig simulation.rules: expected the current rules of the venue, received BTCUSDT: tested with quantityPrecision 5, has 2; update them and test again (E_CONFIG_RULES)',
    });
  });

  it('fail the start with the name of the archive if the rules come from it', async () => {
    const archive = openArchive(await temporaryFolder());
    const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 4 };
    await archive.mergeRules(SPOT_ID, [{ from: 0, rules }], { source: 'rules.json' });
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    rig.exchange.addFault(PRECISION);
    const set = [`simulation.archive=${archive.directory}`];

    await expect(rig.start({ strategyClass: Eager, set })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^rig simulation\.archive: expected .*BTCUSDT: tested with quantityPrecision 4, has 2; .*update those of the archive \(data record, or data import --kind rules\) and test again/,
      ) as string,
    });
  });
});

describe('an instrument that becomes untradable', () => {
  it('receives few orders, is reported, and is traded again when it is tradable', async () => {
    const rig = await holding();
    const id = rig.exchange.addFault({ ...ALWAYS, fault: 'untradable' });
    const before = submits(rig);

    await rig.pass(DAY_MS / 24);
    const refused = submits(rig) - before;
    const { state, reasons } = rig.bot?.status() ?? {};
    rig.exchange.removeFault(id);
    await rig.pass(3 * MINUTE_MS);

    expect(refused).toBeLessThanOrEqual(2);
    expect(state).toBe('degraded');
    expect(reasons?.join()).toMatch(/spot:BTCUSDT: is not tradable now; held: long 0\.0\d+/);
    expect(rig.bot?.status()).toMatchObject({ state: 'running', reasons: [] });
    expect(submits(rig) - before).toBeGreaterThan(refused);
    await rig.stop();
    expect((await rig.replay(1, { strategyClass: Eager })).kind).toBe('identical');
  });
});

describe('leverage that differs at the venue when a bot restarts', () => {
  it('fails the start after the position is guarded, and no entry is sent', async () => {
    const rig = new LiveRig('futures');
    const first = await rig.start({ strategyClass: EagerOnContract });
    await rig.until(() => first.engine.watchesLast);
    rig.kill();
    const before = submits(rig);
    const calls: string[] = [];
    rig.onCall = (name) => void calls.push(name);

    const bot = await rig.restart({ set: ['instruments.0.leverage=10'] });
    const end = await bot.ended;

    expect(end).toMatchObject({ kind: 'failed', error: { code: 'E_TERMS_DIFFER' } });
    expect(calls.indexOf('ticker')).toBeGreaterThanOrEqual(0);
    expect(calls.indexOf('ticker')).toBeLessThan(calls.indexOf('account'));
    expect(submits(rig)).toBe(before);
  });
});
