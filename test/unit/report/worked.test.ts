import { describe, expect, it } from 'vitest';

import { HOUR_MS, parseFixed, type RecordedWork } from '../../../src/domain/index.js';
import {
  buildResult,
  parseResult,
  renderSummary,
  writeResult,
  type RunRecord,
} from '../../../src/report/index.js';
import { aRunRecord, BTC_SPOT, RUN_START } from '../../support/run-records.js';

/** 2 BTC bought in slices at 100.5 on average. Last was 100 at the decision. */
function aWork(overrides: Partial<RecordedWork> = {}): RecordedWork {
  return {
    intentId: 7,
    instrumentId: BTC_SPOT.id,
    side: 'buy',
    action: 'open',
    label: 'slow',
    work: { twap: { over: '10min', slices: 4 } },
    arrivalPrice: parseFixed('100'),
    quantity: parseFixed('3'),
    unit: 'base',
    filledQuantity: parseFixed('2'),
    worth: parseFixed('201'),
    from: RUN_START + HOUR_MS,
    to: RUN_START + 2 * HOUR_MS,
    ...overrides,
  };
}

const resultOf = (...worked: readonly RecordedWork[]) => buildResult(aRunRecord({ worked }));

function summaryLine(worked: RunRecord['worked']): string | undefined {
  const lines = renderSummary(buildResult(aRunRecord({ worked })), { color: false, width: 120 });
  return lines.split('\n').find((line) => line.startsWith('  Worked'));
}

describe('worked intents in a result', () => {
  it('have their cost beyond the arrival price', () => {
    expect(resultOf(aWork()).worked).toEqual([
      {
        intent: 7,
        instrument: 'spot:BTCUSDT',
        side: 'buy',
        action: 'open',
        label: 'slow',
        work: { twap: { over: '10min', slices: 4 } },
        arrival: '100',
        quantity: '3',
        unit: 'base',
        filled: '2',
        averagePrice: '100.5',
        shortfall: '1',
        shortfallBps: 50,
        currency: 'USDT',
        from: RUN_START + HOUR_MS,
        to: RUN_START + 2 * HOUR_MS,
      },
    ]);
  });

  it('have no figures while nothing is filled', () => {
    const nothing = { filledQuantity: 0n, worth: 0n, to: undefined, label: undefined };

    expect(resultOf(aWork(nothing)).worked).toMatchObject([
      {
        filled: '0',
        averagePrice: null,
        shortfall: null,
        shortfallBps: null,
        to: null,
        label: null,
      },
    ]);
  });

  it('are read back as they were written', () => {
    const chase = aWork({ work: { chase: { every: '5s', maxBps: '20' } } });
    const limitFor = aWork({ work: { limitFor: '30s', then: 'market' } });
    const result = resultOf(chase, limitFor);

    expect(parseResult(writeResult(result), 'result.json')).toEqual(result);
  });

  it('are absent if no intent was worked', () => {
    expect(buildResult(aRunRecord())).not.toHaveProperty('worked');
    expect(resultOf()).not.toHaveProperty('worked');
  });
});

describe('worked intents in a summary', () => {
  it.each([
    ['1 intent, shortfall 1.00 USDT (50.00 bps), fees left out', [aWork()]],
    [
      '2 intents, shortfall 3.00 USDT (-100.00 to 50.00 bps), fees left out',
      [
        aWork({ worth: parseFixed('1005'), filledQuantity: parseFixed('10') }),
        aWork({ side: 'sell', worth: parseFixed('202') }),
      ],
    ],
    ['1 intent, nothing filled', [aWork({ filledQuantity: 0n, worth: 0n })]],
  ])('%s', (text, worked) => {
    expect(summaryLine(worked)).toBe(`  Worked    ${text}`);
  });

  it('are not mentioned if there are none', () => {
    expect(summaryLine(undefined)).toBeUndefined();
  });
});
