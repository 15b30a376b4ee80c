import { describe, expect, it } from 'vitest';
import type { DataSource, Dump } from '../../../../src/archive/index.js';
import {
  BINANCE_CM,
  BINANCE_SPOT,
  BINANCE_UM,
} from '../../../../src/cli/data/fetch/binance-dumps.js';
import { dataSourceContract } from '../../../../src/testing/index.js';
import { brokenOf, passes } from './broken-of.js';

const { monthly, daily } = BINANCE_SPOT;
const changed = (dump: Dump | undefined, change: Partial<Dump>): Dump | undefined =>
  dump && { ...dump, ...change };

describe('the contract of a data source', () => {
  for (const source of [BINANCE_SPOT, BINANCE_UM, BINANCE_CM])
    passes(source.name, dataSourceContract(source));

  let asked = 0;
  it.each<readonly [string, Partial<DataSource>, RegExp]>([
    ['a name that is no word', { name: 'My source' }, /a name of small letters/],
    ['an address without a protocol', { url: 'files.example.com' }, /an address that starts/],
    ['no candles', { kinds: ['mark'] }, /candles among the kinds/],
    ['an unknown interval', { intervals: ['7min' as never] }, /7min/],
    ['symbols of another kind', { example: 'btc' }, /a pattern that matches btc/],
    ['a pattern that remembers', { symbols: /^[A-Z]+$/g }, /every time/],
    ['a pattern that takes paths', { symbols: /^.+$/ }, /matches only symbols/],
    [
      'months of thirty days',
      { monthly: (series, from) => ({ ...monthly(series, from), to: from + 30 * 86_400_000 }) },
      /to hold 2023-12-01\S* to 2024-01-01/,
    ],
    [
      'days that overlap',
      { daily: (series, from) => changed(daily(series, from), { to: from + 90_000_000 }) },
      /to hold/,
    ],
    [
      'one path for all intervals',
      { monthly: (series, from) => monthly({ ...series, kind: 'candles', interval: '1h' }, from) },
      /twice/,
    ],
    [
      'a path outside',
      { monthly: (series, from) => ({ ...monthly(series, from), path: '../secret' }) },
      /a path under the address/,
    ],
    [
      'an answer that changes',
      {
        monthly: (series, from) => ({
          ...monthly(series, from),
          path: `p/${String((asked += 1))}`,
        }),
      },
      /as at first/,
    ],
  ])('catches %s', async (_, change, message) => {
    expect(await brokenOf(dataSourceContract({ ...BINANCE_SPOT, ...change }))).toMatch(message);
  });
});
