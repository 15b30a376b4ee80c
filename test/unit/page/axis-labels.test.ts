import { describe, expect, it } from 'vitest';

import { axisLabels } from '../../../src/page/browser/axis-labels.js';

/** Labels of six ticks from a number on. */
function numbers(start: number, step: number): readonly string[] {
  return axisLabels(
    Array.from({ length: 6 }, (_, index) => start + index * step),
    'number',
  );
}

describe('axisLabels', () => {
  it('shortens large numbers if neighbors stay distinct', () => {
    expect(numbers(0, 200_000)).toEqual(['0', '200k', '400k', '600k', '800k', '1M']);
    expect(numbers(6_000, 2_000)).toEqual(['6k', '8k', '10k', '12k', '14k', '16k']);
    expect(numbers(4_000, 1_000).at(-1)).toBe('9,000');
    expect(numbers(1.5e9, 5e8)).toEqual(['1.5G', '2G', '2.5G', '3G', '3.5G', '4G']);
  });

  it('writes large numbers in full if short forms would be equal', () => {
    expect(numbers(10_000_000, 500).slice(0, 3)).toEqual([
      ...['10,000,000', '10,000,500', '10,001,000'],
    ]);
    expect(numbers(19_040, 0.25)).toEqual([
      ...['19,040', '19,040.25', '19,040.5', '19,040.75', '19,041', '19,041.25'],
    ]);
    expect(numbers(9_990, 5)).toEqual(['9,990', '9,995', '10,000', '10,005', '10,010', '10,015']);
  });

  it.each([
    [1e7, 1e-4],
    [1e7, 2_500],
    [0.012, 2.5e-6],
    [1, 1e-8],
    [-3e6, 20],
    [-2e-7, 1e-7],
    [9.08e-11, 1e-13],
    [123_456.78, 0.01],
  ])('gives distinct labels to ticks from %d in steps of %d', (start, step) => {
    expect(new Set(numbers(start, step)).size).toBe(6);
  });

  it('labels each decade of a logarithmic axis by its own size, and keeps lines without a label empty', () => {
    expect(axisLabels([0.1, 1, null, 10, 100, null, 10_000, 1e6], 'number')).toEqual([
      ...['0.1', '1', '', '10', '100', '', '10k', '1M'],
    ]);
  });

  it('writes negative numbers with a minus sign, and noise near zero as 0', () => {
    expect(axisLabels([-20_000, -10_000, -1e-13, 10_000], 'number')).toEqual([
      ...['−20k', '−10k', '0', '10k'],
    ]);
    expect(axisLabels([-0.004, -0.002, 0], 'percent')).toEqual(['−0.4 %', '−0.2 %', '0 %']);
    expect(axisLabels([-0.5, -0.25, 0], 'percent')).toEqual(['−50 %', '−25 %', '0 %']);
  });

  it('writes a single tick with up to four digits', () => {
    expect(axisLabels([19_041.5], 'number')).toEqual(['19.04k']);
    expect(axisLabels([0.1234], 'number')).toEqual(['0.1234']);
    expect(axisLabels([0], 'number')).toEqual(['0']);
  });
});
