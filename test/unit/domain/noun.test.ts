import { describe, expect, it } from 'vitest';

import { nounOf } from '../../../src/domain/index.js';

describe('nounOf', () => {
  it('is of one or of several', () => {
    expect([0, 1, 2].map((count) => `${String(count)} ${nounOf(count, 'fill')}`)).toEqual([
      '0 fills',
      '1 fill',
      '2 fills',
    ]);
    expect(nounOf(1, 'intent was', 'intents were')).toBe('intent was');
    expect(nounOf(2, 'intent was', 'intents were')).toBe('intents were');
  });
});
