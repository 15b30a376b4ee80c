import { describe, expect, it } from 'vitest';
import { formatAge, renderStatus } from '../../../../src/cli/live/render-status.js';
import { StatusView } from '../../../../src/cli/live/status-view.js';
import { createInstrumentId } from '../../../../src/domain/index.js';
import { aStatus } from '../../../support/live/fake-bot.js';
import { aTerminal } from '../../../support/cli/a-terminal.js';

const plain = { color: false };

describe('StatusView', () => {
  it('redraws in place, and lets lines scroll above it', () => {
    const terminal = aTerminal(40);
    const view = new StatusView(terminal, plain);

    view.show([aStatus({ state: 'warming' })]);
    view.print('a line');
    view.show([aStatus({ state: 'running' })]);
    view.print('another line');

    const lines = terminal.screen();
    expect(lines.slice(0, 2)).toEqual(['a line', 'another line']);
    expect(lines.filter((line) => line.includes('running since'))).toEqual([
      'sma-crossover-btc  live  running since 2025-06-01T11:59:00Z',
    ]);
  });

  it('leaves only the printed lines when it is cleared', () => {
    const terminal = aTerminal(40);
    const view = new StatusView(terminal, plain);
    view.show([aStatus()]);
    view.print('a line');

    view.clear();
    view.print('the end');

    expect(terminal.screen()).toEqual(['a line', 'the end']);
  });

  it('shows one line per bot if the full view does not fit', () => {
    const terminal = aTerminal(12);
    const view = new StatusView(terminal, plain);

    view.show([aStatus({ name: 'a' }), aStatus({ name: 'b', state: 'halted' })]);

    expect(terminal.screen()).toEqual([
      'a  live  running since 2025-06-01T11:59:00Z',
      'b  live  halted since 2025-06-01T11:59:00Z',
    ]);
  });

  it('counts the bots for which even one line each is too much', () => {
    const terminal = aTerminal(6);
    const view = new StatusView(terminal, plain);

    view.show(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => aStatus({ name })));

    expect(terminal.screen().map((line) => line.slice(0, 10))).toEqual([
      ...['a  live  r', 'b  live  r', 'c  live  r', 'and 3 more'],
    ]);
  });
});

describe('renderStatus', () => {
  it('counts the reasons that it leaves out', () => {
    const reasons = ['one', 'two', 'three', 'four'];

    const lines = renderStatus(aStatus({ state: 'degraded', reasons }), { ...plain, maxRows: 3 });

    expect(lines.slice(1, 4)).toEqual([
      '  because    one',
      '             two',
      '             and 2 more',
    ]);
  });

  it('shows intents that wait for other orders', () => {
    const instrumentId = createInstrumentId('spot', 'BTCUSDT');
    const waiting = { intentId: 7, kind: 'exit', instrumentId, direction: 'long' } as const;

    const lines = renderStatus(
      aStatus({ waiting: [{ ...waiting, label: 'ask', since: Date.UTC(2025, 0, 1) }] }),
      plain,
    );

    expect(lines).toContain(
      '  waiting    exit spot:BTCUSDT long "ask", not sent yet, since 2025-01-01T00:00:00Z (intent 7)',
    );
  });

  it('uses the singular for one missing candle', () => {
    const warmUp = aStatus().warmUp.map((left) => ({ ...left, missing: 1 }));

    const text = renderStatus(aStatus({ warmUp }), plain).join('\n');

    expect(text).toContain('1 of 518 candles is missing');
  });

  it('shows the guards of a position and of a single entry', () => {
    const instrumentId = createInstrumentId('spot', 'BTCUSDT');
    const side = { instrumentId, direction: 'long', label: undefined } as const;
    const levels = { stop: '95', takeProfit: undefined, trailingStop: '96.5' };
    const entry = { intentId: 3, label: 'bid', takeProfit: '110', trailingStop: undefined };

    const lines = renderStatus(
      aStatus({
        guards: [
          { ...side, ...levels, quantity: '0.25', intentId: undefined },
          { ...side, ...levels, ...entry, quantity: '0.1' },
        ],
      }),
      plain,
    );

    expect(lines).toEqual(
      expect.arrayContaining([
        '  guards     spot:BTCUSDT long 0.25: stop 95, trailing stop 96.5 of the position',
        '             spot:BTCUSDT long 0.1: stop 95, take-profit 110 of the entry "bid" (intent 3)',
      ]),
    );
  });

  it('shows the guard and the label of an order that a guard sent', () => {
    const [order] = aStatus().orders;
    const orders = order ? [{ ...order, cause: 'take-profit', label: 'bid' } as const] : [];

    expect(renderStatus(aStatus({ orders }), plain)).toContain(
      '  orders     sell 0.25 spot:BTCUSDT at 61000, 0 filled, open, take-profit "bid" (a1b2c3d4-7-0)',
    );
  });

  it('shows the cost of working an intent', () => {
    const instrumentId = createInstrumentId('spot', 'BTCUSDT');
    const work = { intentId: 7, instrumentId, side: 'buy', label: undefined } as const;
    const amounts = { arrival: '60000', quantity: '2', unit: 'base', filled: '0.5' } as const;
    const cost = { averagePrice: '60030', shortfallBps: 5 };

    expect(renderStatus(aStatus({ worked: [{ ...work, ...amounts, ...cost }] }), plain)).toContain(
      '  worked     buy 2 base of spot:BTCUSDT, arrival 60000, 0.5 filled at 60030, shortfall 5.00 bps (intent 7)',
    );
  });

  it('shows how many cancels the venue has not answered yet', () => {
    const cancels = [
      { instrumentId: createInstrumentId('spot', 'BTCUSDT'), count: 1 },
      { instrumentId: createInstrumentId('futures', 'E-BTC-USDT'), count: 1_200 },
    ];

    expect(renderStatus(aStatus({ cancels }), plain)).toEqual(
      expect.arrayContaining([
        '  canceling  spot:BTCUSDT 1 cancel not answered yet',
        '             futures:E-BTC-USDT 1,200 cancels not answered yet',
      ]),
    );
  });

  it('shows unknown equity and empty positions, orders and decisions in words', () => {
    const lines = renderStatus(
      aStatus({ equity: undefined, positions: [], orders: [], lastDecision: undefined }),
      plain,
    );

    expect(lines).toEqual(
      expect.arrayContaining([
        '  equity     not known yet',
        '  positions  none',
        '  orders     none',
        '  decided    nothing yet',
      ]),
    );
  });

  it('uses colors only if allowed', () => {
    expect(renderStatus(aStatus(), { color: true })[0]).toContain('\u001b[32mrunning');
    expect(renderStatus(aStatus({ state: 'halted' }), { color: true })[0]).toContain('\u001b[31m');
    expect(renderStatus(aStatus(), plain).join('')).not.toContain('\u001b');
  });
});

describe('formatAge', () => {
  it.each([
    [-5, '0.0 s'],
    [4_240, '4.2 s'],
    [59_999, '60.0 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [7_300_000, '2 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});
