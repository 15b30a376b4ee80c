import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The compiled guard: `npm test` compiles before it tests. */
const guard = new URL('../../../dist-modules/cli/live/hang-guard.js', import.meta.url);

/** Runs a process that starts a guard with this limit and then the script. In the script, `stop` ends the guard. */
function runGuarded(limitMs: number, script: string): SpawnSyncReturns<string> {
  const source = `import { startHangGuard } from ${JSON.stringify(guard.href)};
const stop = startHangGuard({ limitMs: ${String(limitMs)}, say: console.error });
${script}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    timeout: 40_000,
  });
}

describe('the hang guard', () => {
  it('kills a process that loops forever, and reports why', () => {
    const run = runGuarded(500, 'setTimeout(() => { for (;;); }, 0);');

    expect(run.signal).toBe('SIGKILL');
    expect(run.stderr).toMatch(/^event loop blocked for 0\.5 s: .*\(E_PROCESS_STUCK\)\n$/);
  });

  it('lets a process end that is not blocked', () => {
    const run = runGuarded(30_000, "setTimeout(() => console.log('worked'), 50);");

    expect(run).toMatchObject({ status: 0, stdout: 'worked\n', stderr: '' });
  });

  it('can be stopped, and then ignores a loop', () => {
    const run = runGuarded(
      200,
      `stop();
await new Promise((resolve) => setTimeout(resolve, 100));
for (const end = performance.now() + 1_000; performance.now() < end;);
console.log('worked');`,
    );

    expect(run).toMatchObject({ status: 0, stdout: 'worked\n', stderr: '' });
  });

  it('does not end the process if its thread cannot be started', () => {
    const run = runGuarded(
      30_000,
      `startHangGuard({ limitMs: 1_000, say: console.error, entry: new URL('file:///no/such/thread.js') });
setTimeout(() => console.log('worked'), 500);`,
    );

    expect(run).toMatchObject({ status: 0, stdout: 'worked\n' });
    expect(run.stderr).toMatch(/^no thread watches for a blocked event loop: .+\n$/);
  });
});
