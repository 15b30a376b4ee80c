import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterEach, describe, expect, it } from 'vitest';
import { readJournal } from '../../src/journal/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  alterBot,
  evenkeel,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';

const PATIENT = { timeout: 60_000, interval: 100 };
/** `EVENKEEL_RELOAD_KILLS=100`, at instants that `EVENKEEL_RELOAD_SEED` draws. */
const KILLS = Number(process.env['EVENKEEL_RELOAD_KILLS'] ?? 3);
const SEED = Number(process.env['EVENKEEL_RELOAD_SEED'] ?? 1);
/** The usual time of a reload, at most. */
const LONGEST_MS = 3_000;
const PLUGIN = 'sma.strategy.ts';

afterEach(killLiveProcesses);

/** Runs `reload`. Returns its exit code and output. */
async function reload(folder: string) {
  const said = evenkeel(['reload', 'bot.yaml'], folder);
  const code = await said.ended;
  return { code, text: `${said.written.stdout}${said.written.stderr}` };
}

describe('reload', () => {
  it(
    'continues with a changed strategy and all positions, or refuses with a reason and changes nothing',
    { timeout: 300_000 },
    async () => {
      const { folder, env } = await liveBot({ plugin: HOLDER_SOURCE });
      const live = await startLive(folder, env);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ guards: [{}] });
      const before = await statusOf(folder);

      // The bot does not continue with a strategy that cannot be constructed.
      await writeFile(
        path.join(folder, PLUGIN),
        HOLDER_SOURCE.replace('warmup = 1;', "warmup = (() => { throw new Error('no'); })();"),
      );
      const broken = await reload(folder);
      const unharmed = await statusOf(folder);
      await writeFile(
        path.join(folder, PLUGIN),
        HOLDER_SOURCE.replace("label: 'held'", "label: 'kept'"),
      );
      const replaced = await reload(folder);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({ guards: [{}], guardedBy: { process: 'bot' } });
      const after = await statusOf(folder);
      await alterBot(folder, { 'minOrderMoney: "5"': 'minOrderMoney: "6"' });
      const other = await reload(folder);
      live.child.kill('SIGTERM');

      expect(broken).toMatchObject({ code: 3, text: expect.stringContaining('no') as string });
      expect(unharmed?.guards).toEqual(before?.guards);
      expect(replaced).toMatchObject({ code: 0 });
      expect(after?.positions).toEqual(before?.positions);
      expect(after?.reload).toMatchObject({ state: 'done' });
      expect(other).toMatchObject({
        code: 3,
        text: expect.stringContaining('simulation also changed') as string,
      });
      expect(await live.ended).toBe(0);
      const reader = await readJournal(path.join(folder, JOURNAL));
      const epochs = reader.epochs();
      reader.close();
      expect(new Set(epochs.map(({ header }) => header.hashes.plugin)).size).toBe(2);
      const replay = evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env);
      await replay.ended;
      expect(await readFile(path.join(folder, PLUGIN), 'utf8')).toContain("label: 'kept'");
    },
  );

  it(
    `loses and duplicates nothing when the process is killed during it (${String(KILLS)} kills)`,
    { timeout: 60_000 + KILLS * 30_000 },
    async () => {
      const { folder, env } = await liveBot({ plugin: HOLDER_SOURCE });
      let live = await startLive(folder, env);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ guards: [{}] });
      const before = await statusOf(folder);
      const random = xoroshiro128plus(SEED);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await writeFile(
          path.join(folder, PLUGIN),
          HOLDER_SOURCE.replace("label: 'held'", `label: 'held${String(kill)}'`),
        );
        const said = evenkeel(['reload', 'bot.yaml'], folder);
        await new Promise((resolve) => setTimeout(resolve, uniformInt(random, 300, LONGEST_MS)));
        const killedAt = Date.now();
        live.child.kill('SIGKILL');
        await Promise.all([live.exited, said.ended]);
        // Either the guard process samples the stop, or only the next start does.
        if (kill % 2 === 0) await untilSampled(folder, killedAt);
        live = evenkeel(['live', 'bot.yaml', '--yes', '--accept-findings'], folder, env);
        await expect
          .poll(() => statusOf(folder), PATIENT)
          .toMatchObject({ guards: [{}], guardedBy: { process: 'bot' } });
        await untilSampled(folder, killedAt);
      }
      const after = await statusOf(folder);
      live.child.kill('SIGTERM');

      expect(await live.ended).toBe(0);
      expect(after?.positions).toEqual(before?.positions);
      const reader = await readJournal(path.join(folder, JOURNAL));
      const submitted = reader
        .epochs()
        .flatMap((epoch) => [...reader.entries(epoch)])
        .flatMap(({ commands, isIntact }) => {
          expect(isIntact).toBe(true);
          return commands.filter(({ kind }) => kind === 'submit');
        });
      reader.close();
      expect(submitted).toHaveLength(1);
    },
  );
});

/** Waits until any process has sampled the stop after an instant. */
async function untilSampled(folder: string, since: number): Promise<void> {
  await expect
    .poll(async () => (await statusOf(folder))?.sampled[0]?.at ?? 0, PATIENT)
    .toBeGreaterThan(since);
}
