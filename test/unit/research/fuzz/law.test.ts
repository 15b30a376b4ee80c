import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../../src/report/index.js';
import { breach, parseLaw } from '../../../../src/research/fuzz/law.js';

/** A record with only the number of orders and the drawdown. */
const record = (orders: number, maxDrawdown: number | null = null): RunRecord =>
  ({ orders: { length: orders }, closes: { maxDrawdown } }) as RunRecord;

describe('parseLaw', () => {
  it.each([
    ['drawdown < 0.2', 'drawdown', '<', 0.2],
    ['  Drawdown<20%', 'drawdown', '<', 0.2],
    ['orders  per day <= 50', 'orders per day', '<=', 50],
    ['return > -12.5 %', 'return', '>', -0.125],
    ['open at end = 0', 'open at end', '=', 0],
    ['halts!=1', 'halts', '!=', 1],
    ['equity >= 9000', 'equity', '>=', 9_000],
  ])('reads %j', (written, figure, operator, limit) => {
    expect(parseLaw(written)).toMatchObject({ figure, operator, limit });
  });

  it('writes a law with one blank between its parts', () => {
    expect(parseLaw(' orders   per day<50').text).toBe('orders per day < 50');
  });

  it('suggests the closest figure for an unknown name', () => {
    expect(() => parseLaw('drawdwn < 0.2')).toThrow('(did you mean drawdown?)');
  });
});

describe('breach', () => {
  it.each([
    ['orders < 5', [4], [5, 6]],
    ['orders <= 5', [4, 5], [6]],
    ['orders > 5', [6], [4, 5]],
    ['orders >= 5', [5, 6], [4]],
    ['orders = 5', [5], [4, 6]],
    ['orders != 5', [4, 6], [5]],
  ])('returns the figure that breaks %j', (text, kept, broken) => {
    const law = parseLaw(text);

    expect(kept.map((orders) => breach(law, record(orders)))).toEqual(kept.map(() => undefined));
    expect(broken.map((orders) => breach(law, record(orders)))).toEqual(broken);
  });

  it('returns undefined if a run has no such figure', () => {
    const law = parseLaw('drawdown < 0.2');

    expect(breach(law, record(0, 0.2))).toBe(0.2);
    expect(breach(law, record(0, null))).toBeUndefined();
  });
});
