import { describe, expect, it } from 'vitest';
import { commonFolder } from '../../../src/cli/common-folder.js';

describe('commonFolder', () => {
  it.each([
    [['/bots/one/a.ts'], '/bots/one'],
    [['/bots/one/a.ts', '/bots/one/lib/b.ts'], '/bots/one'],
    [['/bots/one/lib/b.ts', '/bots/one/a.ts'], '/bots/one'],
    [['/bots/one/a.ts', '/bots/one-more/b.ts'], '/bots'],
    [['/bots/a.ts', '/shared/b.ts'], '/'],
    [['/a.ts', '/shared/b.ts'], '/'],
  ])('finds the folder of %j: %s', (files, folder) => {
    expect(commonFolder(files)).toBe(folder);
  });
});
