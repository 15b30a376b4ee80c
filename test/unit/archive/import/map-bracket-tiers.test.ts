import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapBracketTiers } from '../../../../src/archive/index.js';
import { DataError, parseFixed, type LeverageTier } from '../../../../src/domain/index.js';

const map = (json: unknown, symbol: string): readonly LeverageTier[] | undefined =>
  mapBracketTiers(json, { path: 'tiers.json', symbol });

const bracket = (
  minNotional: unknown,
  maxNotional: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): unknown => ({
  tier: 1,
  minNotional,
  maxNotional,
  maintenanceMarginRate: 0.004,
  maxLeverage: 125,
  ...changes,
});

const TIERS: readonly LeverageTier[] = [
  { maxValue: parseFixed('50000'), maxLeverage: parseFixed('125'), keepRate: parseFixed('0.004') },
  {
    maxValue: parseFixed('600000.5'),
    maxLeverage: parseFixed('100'),
    keepRate: parseFixed('0.0065'),
  },
];

describe('mapBracketTiers', () => {
  it('maps brackets by symbol, in any order', () => {
    const json = {
      'ETH/USDT:USDT': [bracket(0, 1)],
      'BTC/USDT:USDT': [
        bracket(50_000, 600_000.5, { maintenanceMarginRate: 0.0065, maxLeverage: 100 }),
        bracket(0, 50_000),
      ],
    };

    expect(map(json, 'BTC/USDT:USDT')).toEqual(TIERS);
  });

  it('maps a list of contracts with their brackets', () => {
    const json = [
      {
        symbol: 'BTCUSDT',
        brackets: [
          {
            bracket: 1,
            initialLeverage: 125,
            notionalCap: '50000',
            notionalFloor: '0',
            maintMarginRatio: '0.004',
            cum: '0.0',
          },
          {
            bracket: 2,
            initialLeverage: 100,
            notionalCap: '600000.5',
            notionalFloor: '50000',
            maintMarginRatio: '0.0065',
            cum: '125.0',
          },
        ],
      },
    ];

    expect(map(json, 'BTCUSDT')).toEqual(TIERS);
  });

  it.each<[string, unknown, string]>([
    [
      'a hole between brackets',
      { A: [bracket(0, 10), bracket(20, 30)] },
      'A.1.minNotional: expected 10, the end of the previous bracket, received 20',
    ],
    [
      'a first bracket that does not begin at 0',
      { A: [bracket(5, 10)] },
      'A.0.minNotional: expected 0',
    ],
    [
      'a rate that is no number',
      { A: [bracket(0, 10, { maintenanceMarginRate: 'x' })] },
      'A.0.maintenanceMarginRate: expected a decimal of at most 18 places, received "x"',
    ],
    [
      'an absent leverage',
      { A: [bracket(0, 10, { maxLeverage: undefined })] },
      'A.0.maxLeverage: expected a decimal of at most 18 places, received nothing',
    ],
    [
      'an unknown symbol',
      { 'A/USDT:USDT': [bracket(0, 10)] },
      'expected one symbol A, received none among 1; did you mean A/USDT:USDT?',
    ],
    ['a contract without brackets', { B: [bracket(0, 1)], A: [] }, 'tiers.json: A has no bracket'],
  ])('refuses %s', (_what, json, message) => {
    expect(() => map(json, 'A')).toThrow(message);
    expect(() => map(json, 'A')).toThrow(
      expect.objectContaining({ code: 'E_DATA_RECORD' }) as Error,
    );
  });

  it.each([[undefined], [null], [[]], [{}], [{ A: 1 }], [{ A: [{ tiers: [] }] }]])(
    'returns undefined for %j',
    (json) => {
      expect(map(json, 'A')).toBeUndefined();
    },
  );

  it('law: any JSON gives tiers, undefined, or a DataError', () => {
    const brackets = fc.array(
      fc.record({
        minNotional: fc.jsonValue(),
        maxNotional: fc.jsonValue(),
        maintenanceMarginRate: fc.jsonValue(),
      }),
    );
    const document = fc.oneof(fc.jsonValue(), fc.record({ A: brackets }));
    fc.assert(
      fc.property(document, (json) => {
        try {
          map(json, 'A');
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
    );
  });
});
