import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  parseFixed,
  TransportError,
  type Fixed,
  type InstrumentId,
  type TradingError,
} from '../../../src/domain/index.js';
import type { StopWatch } from '../../../src/engine/index.js';
import { ContractSamples, type SampledBot } from '../../../src/live/stops/contract-samples.js';
import type { ReadOptions } from '../../../src/feed/index.js';
import { planStops, type FuturesAccountSnapshot } from '../../../src/venue/index.js';
import { VirtualTime } from '../../support/virtual-time.js';

const START = Date.UTC(2025, 0, 1);

const contract = (index: number): InstrumentId =>
  createInstrumentId('futures', `E-C${String(index)}-USDT`);

/** A long position, stopped at 90 per cent of 100. */
function aWatch(index: number, over: Partial<StopWatch> = {}): StopWatch {
  return {
    instrumentId: contract(index),
    direction: 'long',
    level: parseFixed('90'),
    quantity: 1n,
    trail: undefined,
    best: parseFixed('100'),
    guardNumber: 1,
    ...over,
  };
}

interface Call {
  /** Seconds since the start. */
  readonly at: number;
  /** `marks`, or the number of a contract. */
  readonly what: string;
}

/** `count` contracts with stops at 90, and a venue that records its calls. */
function rig(count: number) {
  const time = new VirtualTime(START);
  const calls: Call[] = [];
  const prices = new Map<InstrumentId, string>();
  const failing = new Set<string>();
  const hanging = new Set<string>();
  const waiting = new Set<string>();
  /** Gives the waiting call its turn. The call gets no answer. */
  let leave = (): void => undefined;
  const watches: StopWatch[] = Array.from({ length: count }, (_, index) => aWatch(index));
  const priceOf = (id: InstrumentId): Fixed => parseFixed(prices.get(id) ?? '100');
  const call = async (what: string, onTurn?: ReadOptions['onTurn']): Promise<void> => {
    calls.push({ at: (time.now() - START) / 1_000, what });
    if (waiting.has(what)) {
      onTurn?.(undefined);
      leave = () => onTurn?.(time.now());
    }
    if (hanging.has(what) || waiting.has(what)) await new Promise(() => undefined);
    if (failing.has(what)) throw new TransportError('E_HTTP', `no ${what}`);
  };
  const samples = new ContractSamples({
    feed: {
      readTicker: async (instrumentId, { onTurn }) => {
        await Promise.resolve();
        await call(instrumentId.replace(/\D/g, ''), onTurn);
        return { instrumentId, last: priceOf(instrumentId) } as never;
      },
    },
    account: {
      read: () => Promise.reject(new Error('samples go before other readings')),
      sample: async () => {
        await Promise.resolve();
        await call('marks');
        const positions = watches.map(({ instrumentId }) => ({
          ...{ instrumentId, isValid: true, quantity: 1n },
          markPrice: priceOf(instrumentId),
        }));
        return { kind: 'futures', accounts: [{ positions }] } as unknown as FuturesAccountSnapshot;
      },
    },
    time,
    plan: planStops(
      Array.from({ length: count }, (_, index) => ({
        ...{ instrumentId: contract(index), kind: 'futures' as const, intervals: ['1min'] },
      })),
    ),
  });
  const told: string[] = [];
  const states: (string | undefined)[] = [];
  const bot = (own: () => readonly StopWatch[] = () => watches): SampledBot => ({
    watches: own,
    band: parseFixed('0.01'),
    leastMs: 0,
    onLast: (id) => told.push(id),
    onAccount: () => undefined,
    onState: (error: TradingError | undefined) => states.push(error?.message),
    onFailure: (error) => {
      throw error;
    },
  });
  const pass = async (seconds: number): Promise<readonly Call[]> => {
    const from = calls.length;
    for (let passed = 0; passed < seconds * 1_000; passed += 500) await time.advance(500);
    return calls.slice(from);
  };
  const lines = { failing, hanging, waiting, leave: () => leave() };
  return { time, calls, prices, ...lines, watches, samples, bot, pass, told, states };
}

const gapsOf = (calls: readonly Call[], what: string): readonly number[] => {
  const own = calls.filter((each) => each.what === what).map(({ at }) => at);
  return own.slice(1).map((at, index) => at - (own[index] ?? 0));
};

describe('ContractSamples', () => {
  it('reads the last price of a single contract every 2 s, the first at once', async () => {
    const { samples, bot, pass } = rig(1);
    samples.join(bot());

    const calls = await pass(60);

    expect(calls[0]).toEqual({ at: 0, what: '0' });
    expect(new Set(calls.map(({ what }) => what))).toEqual(new Set(['0']));
    expect(new Set(gapsOf(calls, '0'))).toEqual(new Set([2]));
  });

  it.each([
    { count: 5, callMs: 2.5 },
    { count: 20, callMs: 3 },
  ])(
    'reads only the account while all of $count contracts are far from their levels',
    async (each) => {
      const { samples, bot, pass } = rig(each.count);
      samples.join(bot());

      const calls = await pass(120);

      expect(new Set(calls.map(({ what }) => what))).toEqual(new Set(['marks']));
      expect(Math.max(...gapsOf(calls, 'marks'))).toBe(each.callMs);
    },
  );

  it.each([
    { count: 5, near: 1, everyS: 5 },
    { count: 5, near: 4, everyS: 12.5 },
    { count: 5, near: 5, everyS: 12.5 },
    { count: 20, near: 1, everyS: 6 },
    { count: 20, near: 3, everyS: 12 },
    { count: 20, near: 20, everyS: 60 },
  ])(
    'samples each of $near of $count contracts near their levels every $everyS s',
    async (each) => {
      const { samples, bot, pass, prices } = rig(each.count);
      for (let index = 0; index < each.near; index += 1) prices.set(contract(index), '90.5');
      samples.join(bot());

      const calls = await pass(300);

      for (let index = 0; index < each.near; index += 1) {
        const gaps = gapsOf(calls, String(index));
        expect(gaps.length).toBeGreaterThan(2);
        expect(Math.max(...gaps)).toBeLessThanOrEqual(each.everyS);
        expect(samples.samplingOf(bot())[index]).toMatchObject({
          by: 'last',
          everyMs: each.everyS * 1_000,
        });
      }
      expect(calls.filter(({ what }) => what === String(each.near))).toEqual([]);
    },
  );

  it('samples a contract that is near or beyond its level with the first call after the account', async () => {
    const { samples, bot, pass, prices, told } = rig(20);
    samples.join(bot());
    await pass(30);
    told.splice(0);

    prices.set(contract(7), '50');
    const calls = await pass(9);

    expect(calls.map(({ what }) => what).slice(0, 2)).toEqual(['marks', '7']);
    expect(told[0]).toBe(contract(7));
    expect(calls[1]?.at).toBeLessThanOrEqual(30 + 2 * 3);
  });

  it('goes by the newest price: by last after it has left the level, until the next marks', async () => {
    const { samples, bot, pass, prices } = rig(2);
    prices.set(contract(0), '90.5');
    samples.join(bot());
    const waysAfter = async (what: string): Promise<readonly string[]> => {
      for (let step = 0; step < 20; step += 1)
        if ((await pass(0.5)).some((call) => call.what === what)) break;
      return samples.samplingOf(bot()).map(({ by }) => by);
    };

    expect(await waysAfter('marks')).toEqual(['last', 'mark']);
    prices.set(contract(0), '100');
    expect(await waysAfter('0')).toEqual(['mark', 'mark']);
    prices.set(contract(0), '90.5');
    expect(await waysAfter('marks')).toEqual(['last', 'mark']);
  });

  it('samples a trailing stop near its best price, but not between its best price and its level', async () => {
    const { samples, bot, pass, watches, prices } = rig(5);
    const trail = { kind: 'distance', distance: 1n } as unknown as StopWatch['trail'];
    watches[2] = aWatch(2, { trail, best: parseFixed('100') });
    samples.join(bot());

    expect((await pass(20)).some(({ what }) => what === '2')).toBe(true);

    // 95 is between the level and the best price, and near neither.
    prices.set(contract(2), '95');
    await pass(10);
    expect((await pass(20)).some(({ what }) => what === '2')).toBe(false);
  });

  it('samples for all bots of a key, and reports to each only its own contracts', async () => {
    const { samples, bot, pass, watches, prices, told } = rig(5);
    for (let index = 0; index < 5; index += 1) prices.set(contract(index), '90');
    const other: string[] = [];
    samples.join(bot(() => watches.slice(0, 2)));
    const second = {
      ...bot(() => watches.slice(2)),
      onLast: (id: InstrumentId) => other.push(id),
    };
    const leave = samples.join(second);
    await pass(60);

    expect(new Set(told)).toEqual(new Set([contract(0), contract(1)]));
    expect(new Set(other)).toEqual(new Set([contract(2), contract(3), contract(4)]));
    leave();
    other.splice(0);
    await pass(60);
    expect(other).toEqual([]);
  });

  it('samples last of all contracts while the account cannot be read, and reports this failure', async () => {
    const { samples, bot, pass, failing, states } = rig(5);
    samples.join(bot());
    await pass(5);
    expect(states.at(-1)).toBeUndefined();

    failing.add('marks');
    await pass(5);
    const calls = await pass(60);

    expect(states).toContain('no marks');
    for (let index = 0; index < 5; index += 1)
      expect(Math.max(...gapsOf(calls, String(index)))).toBeLessThanOrEqual(15);

    failing.clear();
    await pass(60);
    expect(states.at(-1)).toBeUndefined();
    expect((await pass(10)).every(({ what }) => what === 'marks')).toBe(true);
  });

  it.each([1, 5])('reports of %i contracts after 3 s that a price has no answer', async (count) => {
    const { samples, bot, pass, hanging, prices, states } = rig(count);
    prices.set(contract(0), '90.5');
    samples.join(bot());
    await pass(10);
    expect(new Set(states)).toEqual(new Set([undefined]));

    hanging.add('0');
    await pass(2 * 2.5 + 3);

    expect(states.at(-1)).toContain(`${contract(0)} has had no answer for 3.0 s`);
  });

  it.each([1, 5])(
    'reports of %i contracts after 10 s, not before, that a price waits for its turn',
    async (count) => {
      const { samples, bot, pass, waiting, prices, states } = rig(count);
      prices.set(contract(0), '90.5');
      samples.join(bot());
      await pass(10);

      waiting.add('0');
      await pass(10);
      expect(new Set(states)).toEqual(new Set([undefined]));
      await pass(2 * 2.5 + 3);

      expect(states.at(-1)).toContain(
        `${contract(0)} has waited for its turn at the limits of the venue for 10.0 s`,
      );
    },
  );

  it('counts the time without an answer from when a reading leaves', async () => {
    const { samples, bot, pass, waiting, leave, states } = rig(1);
    waiting.add('0');
    samples.join(bot());
    await pass(5);
    leave();

    await pass(2.5);
    expect(states).toEqual([]);
    await pass(1);

    expect(states.at(-1)).toContain(`${contract(0)} has had no answer for 3.0 s`);
  });

  it.each(['marks', '0'])('continues with other readings while %s has no answer', async (what) => {
    const { samples, bot, pass, hanging, prices } = rig(5);
    for (const index of [0, 1]) prices.set(contract(index), '90.5');
    samples.join(bot());
    await pass(10);

    hanging.add(what);
    const calls = await pass(60);

    expect(Math.max(...gapsOf(calls, '1'))).toBeLessThanOrEqual(5 * 5);
    if (what !== 'marks') expect(Math.max(...gapsOf(calls, 'marks'))).toBeLessThanOrEqual(4 * 5);
  });

  it('clears its failure when no contract is watched', async () => {
    const { samples, bot, pass, failing, states, watches } = rig(1);
    failing.add('0');
    samples.join(bot());
    await pass(6);
    expect(states.at(-1)).toBe('no 0');

    watches.splice(0);
    const calls = await pass(6);

    expect(states.at(-1)).toBeUndefined();
    expect(calls).toEqual([]);
  });
});
