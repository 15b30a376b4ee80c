import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../../src/cli/run-cli.js';
import { createConfigJsonSchema } from '../../../src/config/schemas/json-schema.js';
import { aCliContext } from '../../support/cli/cli-context.js';
import { withConfigKeys } from '../../support/cli/render-config-keys.js';
import { renderOptions } from '../../support/cli/render-options.js';
import { runCommand } from '../../support/cli/command-runner.js';

const docs = new URL('../../../docs/', import.meta.url);
const documentation = readFileSync(new URL('cli.md', docs), 'utf8');

/** Blocks of a bot's file whose keys pages name in running text. */
const BLOCKS = /^(?:live|risk|simulation|venue|warmUp)(?:\.[A-Za-z.]+$|(?:\.[A-Za-z.]+)?: )/;

/** Paths of all keys in a piece of YAML. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
}

describe('docs/options.md', () => {
  it('lists every option of every command, as its help shows it', async () => {
    const page = readFileSync(new URL('options.md', docs), 'utf8');
    const program = await createProgram(aCliContext().context);
    const generated = page.replace(
      /(<!-- options:.*-->\n\n)[^]*?(\n*<!-- end of options -->)/,
      (_all, begin: string) => `${begin}${renderOptions(program)}\n\n<!-- end of options -->`,
    );

    await expect(generated).toMatchFileSnapshot('../../../docs/options.md');
  });
});

describe('the help of a command', () => {
  it('has no line that is longer than 100 letters', async () => {
    const { context, written } = aCliContext();
    const helpOf = (command: Command): void => {
      command.outputHelp();
      for (const inner of command.commands) helpOf(inner);
    };
    helpOf(await createProgram(context));

    const lines = written.stdout.split('\n');
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  it('lists every key of the config schema with its default', async () => {
    const generated = withConfigKeys(documentation, createConfigJsonSchema());

    await expect(generated).toMatchFileSnapshot('../../../docs/cli.md');
  });

  it('names every command of the program', async () => {
    const { stdout } = await runCommand('/', ['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) .*$/gm)].map(
      ([, command]) => command ?? '',
    );

    expect(commands).toContain('walk-forward');
    for (const command of commands) expect(documentation).toContain(`\n- \`${command}`);
  });

  it('contains the keys that other pages name', () => {
    const keys = [...documentation.matchAll(/^- `([A-Za-z.[\]]+)` \(/gm)].map(
      ([, key = '']) => key,
    );
    const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
    const named = pages.flatMap((name) =>
      [...readFileSync(new URL(name, docs), 'utf8').matchAll(/`([^`\n]+)`/g)]
        .map(([, span = '']) => span)
        .filter((span) => BLOCKS.test(span))
        .flatMap((span) => (span.includes(': ') ? pathsOf(parse(span)) : [span]))
        .map((path) => ({ name, path })),
    );

    const isKnown = (path: string): boolean =>
      keys.some((key) => key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ path }) => !isKnown(path))).toEqual([]);
  });
});
