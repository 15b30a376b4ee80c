import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ClientOrderId } from '../../../src/domain/index.js';
import { buildResult, parseResult, writeResult } from '../../../src/report/index.js';
import { tradingFills } from '../../support/arbitraries/trading-fills.js';
import { aRunRecord, BTC_SPOT, ETH_SPOT } from '../../support/run-records.js';

const instruments = [BTC_SPOT, ETH_SPOT];

describe('result files', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(tradingFills('received'), fc.array(fc.string()), (fills, warnings) => {
        const result = buildResult(aRunRecord({ instruments, fills, warnings }));

        const text = writeResult(result);

        expect(parseResult(text, 'result.json')).toEqual(result);
        expect(writeResult(parseResult(text, 'result.json'))).toBe(text);
      }),
    );
  });

  it('have the same hash for any order ids', () => {
    fc.assert(
      fc.property(tradingFills('quote'), fc.string({ minLength: 1 }), (fills, prefix) => {
        const renamed = fills.map((fill, index) => ({
          ...fill,
          record: {
            ...fill.record,
            clientOrderId: `${prefix}${String(index)}` as ClientOrderId,
          },
        }));

        const { hash } = buildResult(aRunRecord({ instruments, fills: renamed }));

        expect(hash).toEqual(buildResult(aRunRecord({ instruments, fills })).hash);
      }),
    );
  });

  it('are refused with a named error for any other JSON', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(() => parseResult(json, 'result.json')).toThrow(
          expect.objectContaining({
            name: 'DataError',
            code: expect.stringMatching(/^E_RESULT_/) as string,
          }),
        );
      }),
    );
  });
});
