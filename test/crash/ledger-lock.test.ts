import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROGRAM = fileURLToPath(new URL('../support/research/lock-process.ts', import.meta.url));
const LOADER = new URL('../../.ci/bench-loader.mjs', import.meta.url).href;
const ROUNDS = 200;
/** Numbers that no process has. */
const GONE = [2 ** 22 + 7, 2 ** 22 + 8] as const;

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function aProcess(): Promise<ChildProcess> {
  const child = fork(PROGRAM, [], { execArgv: ['--import', LOADER] });
  children.push(child);
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess, what: string): Promise<string> {
  const answer = once(child, 'message');
  child.send(what);
  return (await answer)[0] as string;
}

describe('the lock of a ledger that a dead process left behind', () => {
  it.each([
    ['', []],
    [', and another one that died while it took it over', [`.${String(GONE[0])}`]],
  ])(
    'is taken over by exactly one of three processes%s',
    { timeout: 60_000 },
    async (_, claims: readonly string[]) => {
      const folder = await temporaryFolder();
      const processes = await Promise.all([aProcess(), aProcess(), aProcess()]);
      const rounds: number[] = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const ledger = path.join(folder, `${String(round)}.trials.jsonl`);
        for (const [place, suffix] of ['', ...claims].entries())
          await writeFile(
            `${ledger}.lock${suffix}`,
            JSON.stringify({ pid: GONE[place], host: hostname() }),
          );
        const said = await Promise.all(processes.map((child) => ask(child, ledger)));
        rounds.push(said.filter((answer) => answer === 'taken').length);
        expect(said.filter((answer) => !['taken', 'E_TRIALS_LOCKED'].includes(answer))).toEqual([]);
        await Promise.all(processes.map((child) => ask(child, 'release')));
      }

      expect(rounds).toEqual(rounds.map(() => 1));
      expect(await readdir(folder)).toEqual([]);
    },
  );
});
