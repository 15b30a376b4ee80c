import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { GUARD_PROCESS } from '../../../src/cli/live/guard/spawn-guard.js';
import { createProgram } from '../../../src/cli/run-cli.js';
import { aCliContext } from '../../support/cli/cli-context.js';
import { runCommand } from '../../support/cli/command-runner.js';

const hasBash = existsSync('/bin/bash');

/** The words that bash offers for the last word of a line. */
async function completeInBash(words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runCommand('/', ['completion', 'bash']);
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = spawnSync('/bin/bash', ['--norc'], {
    input: `${script}\nCOMP_WORDS=(${quoted})\nCOMP_CWORD=${String(words.length - 1)}\n_evenkeel\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(!hasBash)('completion bash', () => {
  it.each([
    [['evenkeel', 'ba'], ['backtest']],
    [['evenkeel', 'new', 's'], ['strategy']],
    [
      ['evenkeel', 'backtest', 'bot.yaml', '--bo'],
      ['--bounds', '--bounds-runs'],
    ],
    [
      ['evenkeel', 'backtest', '--curve', ''],
      ['daily', 'candle'],
    ],
    // `--kind` has other values in other commands, and `--log` of `backtest` has none.
    [
      ['evenkeel', 'data', 'fetch', '--kind', ''],
      ['candles', 'mark', 'funding'],
    ],
    [['evenkeel', 'backtest', '--log', 'pre'], []],
    [['evenkeel', 'completion', 'z'], ['zsh']],
    [
      ['evenkeel', 'data', 'sy'],
      ['sync', 'synth'],
    ],
    // `data` is the name of a folder here, not a command of `backtest`.
    [
      ['evenkeel', 'backtest', 'data', '--bo'],
      ['--bounds', '--bounds-runs'],
    ],
    [['evenkeel', 'nothing', 'bac'], ['backtest']],
  ])('completes %j to %j', async (words, offered) => {
    expect(await completeInBash(words)).toEqual(offered);
  });
});

const typedBelow = ({ commands }: Command): readonly Command[] =>
  commands.filter((below) => below.name() !== GUARD_PROCESS);

/** A command and all that a user types below it, each with its chain of names, without the program's. */
function commandsOf(
  command: Command,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly command: Command }[] {
  return [
    { path, command },
    ...typedBelow(command).flatMap((below) => commandsOf(below, [...path, below.name()])),
  ];
}

describe('completion zsh and fish', () => {
  it('name every command with its options', async () => {
    const zsh = (await runCommand('/', ['completion', 'zsh'])).stdout;
    const fish = (await runCommand('/', ['completion', 'fish'])).stdout.split('\n');
    const commands = commandsOf(await createProgram(aCliContext().context));

    expect(commands.length).toBeGreaterThan(50);
    for (const { path, command } of commands) {
      const offered = new RegExp(`^    "${path.join(' ')}"\\) candidates="(.*)" ;;$`, 'm').exec(
        zsh,
      );
      const words = offered?.[1]?.split(' ');
      const lines = fish.filter((line) =>
        path.every((name) => line.includes(`__fish_seen_subcommand_from ${name}`)),
      );
      for (const name of typedBelow(command).map((below) => below.name())) {
        expect(words).toContain(name);
        expect(lines.some((line) => line.includes(` -f -a ${name} -d `))).toBe(true);
      }
      for (const { long } of command.options) {
        expect(words).toContain(long);
        expect(lines.some((line) => line.includes(` -l ${long?.slice(2) ?? ''} `))).toBe(true);
      }
    }
  });

  it('name listed values', async () => {
    const zsh = (await runCommand('/', ['completion', 'zsh'])).stdout;
    const fish = (await runCommand('/', ['completion', 'fish'])).stdout;

    expect(zsh).toMatch(/^#compdef evenkeel\n/);
    expect(zsh).toContain('"data synth") candidates="--instrument');
    expect(zsh).toContain('"backtest --curve") candidates="daily candle" ;;');
    expect(fish).toContain(
      "complete -c evenkeel -n '__fish_seen_subcommand_from backtest' -l curve -r -f -a 'daily candle' -d",
    );
    expect(fish).toContain('-f -a backtest -d');
    expect(fish).toContain("-n '__fish_seen_subcommand_from completion' -f -a fish");
  });
});
