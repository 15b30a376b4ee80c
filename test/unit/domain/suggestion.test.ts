import { describe, expect, it } from 'vitest';
import { editDistance, suggestWord } from '../../../src/domain/suggestion.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['fees', 'fees', 0],
    ['fees', 'fee', 1],
    ['fess', 'fees', 1],
    // Two swapped letters count as one mistake.
    ['nmae', 'name', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('between %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('suggestWord', () => {
  const known = ['maker', 'taker', 'paidIn', 'spreadBps'];

  it.each([
    ['makr', 'maker'],
    ['Taker', 'taker'],
    ['spread_bps', 'spreadBps'],
    ['x', undefined],
    ['completely', undefined],
  ])('for %j is %j', (word, suggestion) => {
    expect(suggestWord(word, known)).toBe(suggestion);
  });
});
