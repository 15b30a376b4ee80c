import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createConfigJsonSchema } from '../../../src/config/json-schema.js';
import { withConfigKeys } from '../../support/cli/render-config-keys.js';
import { runCommand } from '../../support/cli/command-runner.js';

const documentation = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');

describe('docs/cli.md', () => {
  it('lists every key of the config, with its default, as the schema has it', async () => {
    const generated = withConfigKeys(documentation, createConfigJsonSchema());

    await expect(generated).toMatchFileSnapshot('../../../docs/cli.md');
  });

  it('names every command of the program', async () => {
    const { stdout } = await runCommand('/', ['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) .*$/gm)].map(
      ([, command]) => command ?? '',
    );

    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) expect(documentation).toContain(`\n- \`${command}`);
  });
});
