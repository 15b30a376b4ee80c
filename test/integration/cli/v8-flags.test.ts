import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The compiled module: `npm test` compiles before it tests. */
const flags = new URL('../../../dist-modules/cli/v8-flags.js', import.meta.url).href;

describe('the flags of V8', () => {
  it('are all known to the running Node, without a warning on stderr', () => {
    const program = `import * as flags from ${JSON.stringify(flags)};
      for (const say of Object.values(flags)) say();
      process.stdout.write(String(Object.keys(flags).length));`;

    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );

    expect(stderr).toBe('');
    expect(Number(stdout)).toBeGreaterThan(3);
  });
});
