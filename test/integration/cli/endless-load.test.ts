import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';

/** A compiled module: `npm test` compiles before it tests. */
const compiled = (file: string): string =>
  JSON.stringify(new URL(`../../../dist-modules/cli/interrupt/${file}`, import.meta.url).href);

it.skipIf(process.platform === 'win32')(
  'a strategy file that loops while it is loaded is told of',
  async () => {
    const program = `import { interruptPatience } from ${compiled('interrupt-patience.js')};
      import { watchInterrupts } from ${compiled('watch-interrupts.js')};
      const patience = interruptPatience();
      watchInterrupts(() => undefined, patience, 200);
      patience.addLoading(1);
      for (;;);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    onTestFinished(() => void child.kill('SIGKILL'));

    const said = await new Promise((resolve) => {
      child.once('exit', (code) => {
        resolve(`ended with ${String(code)}`);
      });
      child.stderr.once('data', (text: Buffer) => {
        resolve(text.toString());
      });
    });

    expect(said).toBe(
      'a strategy file has been loading for 0.2 s: probably an endless loop at its top level, outside of the class; Ctrl-C ends the command\n',
    );
  },
);

it.each([
  ['loads', SMA_SOURCE, undefined],
  ['throws', `throw new Error('no');\n${SMA_SOURCE}`, 'E_PLUGIN_THROWS'],
])('a strategy file counts while it is loaded, also one that %s', async (_, plugin, code) => {
  const cwd = await botFolder({ plugin });
  const told: string[] = [];

  const failure = await loadBot(
    'bot.yaml',
    {
      ...{ cwd, env: { XDG_CACHE_HOME: cwd } },
      watchInterrupts: () => told.push('watched'),
      addLoading: (change) => told.push(String(change)),
    },
    {},
  ).then(
    () => undefined,
    (error: unknown) => error,
  );

  expect((failure as { code?: string } | undefined)?.code).toBe(code);
  expect(told).toEqual(['watched', '1', '-1']);
});
