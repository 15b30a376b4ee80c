import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BotSetup } from '../../../../src/bots/bot-setup.js';
import { runLive } from '../../../../src/cli/live/run-live.js';
import { openJournal, readJournal } from '../../../../src/journal/index.js';
import { botFolder } from '../../../support/cli/bot-folder.js';
import { BOT_YAML } from '../../../support/cli/bot-yaml.js';
import { aCliContext } from '../../../support/cli/cli-context.js';
import { FakeBot } from '../../../support/live/fake-bot.js';

const VENUE = 'venue: { spotUrl: "http://127.0.0.1:8480", keyEnv: KEY, secretEnv: SECRET }\n';
const env = { KEY: 'key-of-a-test-0123456789', SECRET: 'secret-of-a-test-0123456789' };
const DRY_RUN = 'sma-crossover-btc.dry-run.journal';

/** Journal files of the bots of a dry run. */
async function runDry(cwd: string): Promise<readonly string[]> {
  const journals: string[] = [];
  const create = (setups: readonly BotSetup[]): Promise<readonly FakeBot[]> =>
    Promise.resolve(
      setups.map(({ config, mode, journal }) => {
        journals.push(path.relative(cwd, journal));
        const bot = new FakeBot({ name: config.name, mode });
        bot.end({ kind: 'stopped' });
        return bot;
      }),
    );
  const flags = { dryRun: true, logLevel: 'info', view: true } as const;
  const { context } = aCliContext({ cwd, env });
  await runLive({ mode: 'live', files: ['bot.yaml'], flags }, context, create);
  return journals;
}

describe('live --dry-run', () => {
  it('starts from a new copy of the journal each time, and leaves the journal unchanged', async () => {
    const cwd = await botFolder({ yaml: BOT_YAML + VENUE, candles: 'none' });
    const real = path.join(cwd, 'sma-crossover-btc.journal');
    (await openJournal({ file: real })).close();
    const before = await readFile(real);
    await writeFile(path.join(cwd, DRY_RUN), 'what the last dry run left');

    expect(await runDry(cwd)).toEqual([DRY_RUN]);

    expect(await readFile(real)).toEqual(before);
    (await readJournal(path.join(cwd, DRY_RUN))).close();
  });

  it('does not start while another dry run holds its journal, and leaves this journal unchanged', async () => {
    const cwd = await botFolder({ yaml: BOT_YAML + VENUE, candles: 'none' });
    (await openJournal({ file: path.join(cwd, 'sma-crossover-btc.journal') })).close();
    const running = await openJournal({ file: path.join(cwd, DRY_RUN) });
    const { ino } = await stat(path.join(cwd, DRY_RUN));

    await expect(runDry(cwd)).rejects.toMatchObject({ code: 'E_JOURNAL_LOCKED' });

    expect((await stat(path.join(cwd, DRY_RUN))).ino).toBe(ino);
    running.close();
    expect(await runDry(cwd)).toEqual([DRY_RUN]);
  });

  it('starts without a journal for a new bot', async () => {
    const cwd = await botFolder({ yaml: BOT_YAML + VENUE, candles: 'none' });
    await writeFile(path.join(cwd, DRY_RUN), 'what the last dry run left');

    await runDry(cwd);

    await expect(stat(path.join(cwd, DRY_RUN))).rejects.toThrow('ENOENT');
  });
});
