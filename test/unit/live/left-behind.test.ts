import { describe, expect, it } from 'vitest';

import { createInstrumentId, parseFixed } from '../../../src/domain/index.js';
import { startingCheckpoint, type EngineCheckpoint } from '../../../src/engine/index.js';
import { describeLeftBehind, leftByEnding } from '../../../src/live/index.js';
import { aStatus } from '../../support/live/fake-bot.js';

const PAIR = createInstrumentId('spot', 'BTCUSDT');
const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

const guard = (levels: {
  readonly stop?: string;
  readonly trail?: string;
  readonly best: string;
}) => ({
  stop: levels.stop === undefined ? undefined : parseFixed(levels.stop),
  takeProfit: undefined,
  trail:
    levels.trail === undefined
      ? undefined
      : ({ kind: 'distance', amount: parseFixed(levels.trail) } as const),
  best: parseFixed(levels.best),
});

describe('describeLeftBehind', () => {
  it('names positions above dust with their stops, triggers at the venue, and the number of orders', () => {
    const held = { instrumentId: PAIR, direction: 'long', isDust: false } as const;
    const trigger = { instrumentId: CONTRACT, direction: 'short', trigger: 'stop-loss' } as const;
    const [order] = aStatus().orders;

    const left = describeLeftBehind({
      positions: [
        { ...held, quantity: '0.25' },
        { ...held, direction: 'short', quantity: '0.5' },
        { ...held, instrumentId: CONTRACT, quantity: '0.00001', isDust: true },
      ],
      guards: [
        { instrumentId: PAIR, direction: 'long', stop: '48000', trailingStop: undefined },
        { instrumentId: PAIR, direction: 'long', stop: undefined, trailingStop: '49000' },
      ],
      triggers: [
        { ...trigger, level: '70000', state: 'waiting' },
        // Neither stands at the venue any more.
        { ...trigger, level: '71000', state: 'canceled' },
        { ...trigger, level: '72000', state: 'gone' },
      ],
      orders: [order],
    });

    expect(left).toEqual([
      'long 0.25 of spot:BTCUSDT (stop 48000, 49000)',
      'short 0.5 of spot:BTCUSDT (no stop)',
      'a stop-loss trigger at the venue, at 70000, for the short of futures:E-BTC-USDT',
      '1 order',
    ]);
  });

  it('describes the end of a journal in the same way', () => {
    const position = { instrumentId: PAIR, quantity: parseFixed('0.25'), entryValue: 0n } as const;
    const sides = [
      { instrumentId: PAIR, direction: 'long', guard: guard({ stop: '48000', best: '60000' }) },
      { instrumentId: PAIR, direction: 'short', guard: guard({ trail: '1000', best: '60000' }) },
    ];
    const ending = {
      ...startingCheckpoint({}),
      positions: [
        { ...position, direction: 'long', isHeld: true },
        { ...position, direction: 'short', isHeld: true },
        { ...position, instrumentId: CONTRACT, direction: 'long', isHeld: false },
      ],
      sides,
    } as unknown as EngineCheckpoint;

    expect(describeLeftBehind(leftByEnding(ending))).toEqual([
      'long 0.25 of spot:BTCUSDT (stop 48000)',
      'short 0.25 of spot:BTCUSDT (stop 61000)',
    ]);
    expect(describeLeftBehind(leftByEnding(startingCheckpoint({})))).toEqual([]);
  });
});
