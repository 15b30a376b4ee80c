import { describe, expect, it } from 'vitest';
import { OWN_COMMAND, ownCommandAt } from '../../../src/cli/own-command.js';

describe('ownCommandAt', () => {
  it('returns the program of the clone, or the command of the installed package', () => {
    expect(ownCommandAt('file:///home/me/evenkeel/dist/cli/main.js')).toBe('node dist/cli/main.js');
    expect(ownCommandAt('file:///home/me/bots/node_modules/evenkeel/dist/cli/main.js')).toBe(
      'npx evenkeel',
    );
    expect(OWN_COMMAND).toBe('node dist/cli/main.js');
  });
});
