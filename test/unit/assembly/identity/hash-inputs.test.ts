import { describe, expect, it } from 'vitest';

import { createBotId } from '../../../../src/assembly/identity/hash-inputs.js';

describe('createBotId', () => {
  it('returns an id that depends only on the name', () => {
    const ids = ['one', 'two', 'two', 'one'].map(createBotId);

    // The first 8 digits of SHA-256, by `printf one | sha256sum`.
    expect(ids).toEqual(['7692c3ad', '3fc4ccfe', '3fc4ccfe', '7692c3ad']);
  });
});
