import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBot, type RunBotOptions, type Venue } from '../../../src/run/index.js';
import { Crossing, DESCRIPTION } from '../../support/run/hourly-description.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A venue that throws at any use. */
const UNTOUCHED = new Proxy({} as Venue, {
  get: (_, port) => {
    throw new Error(`the venue was asked for ${String(port)}`);
  },
});
const SIMULATION = { ...DESCRIPTION.simulation, archive: '.' };

/** The error message for a bot with changed options, and the files that it leaves in its folder. */
async function refusal(
  changed: Partial<RunBotOptions>,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly said: string; readonly left: readonly string[] }> {
  const directory = await temporaryFolder();
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(directory, name), text);
  const failure: unknown = await runBot({
    mode: 'live',
    config: { ...DESCRIPTION, simulation: SIMULATION, live: { guard: 'off' } },
    strategy: Crossing,
    venue: UNTOUCHED,
    directory,
    ...changed,
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const left = (await readdir(directory)).filter((name) => files[name] === undefined);
  return { said: failure instanceof Error ? failure.message : 'nothing was refused', left };
}

const withLive = (live: object): Pick<RunBotOptions, 'config'> => ({
  config: { ...DESCRIPTION, simulation: SIMULATION, live },
});

describe('runBot', () => {
  const noGuard =
    'config live.guard: expected off: a guard process reads the file and venue module of a bot, but this bot runs in a program; to guard a bot, run it with "evenkeel live" and venue.path, received on (E_CONFIG_VALUE)';

  it.each<readonly [string, Partial<RunBotOptions>, string]>([
    ['a guard that it says it wants', withLive({ guard: 'on' }), noGuard],
    ['a guard, which is the default', withLive({}), noGuard],
    [
      'a journal of a live bot that is not kept',
      { journal: 'temporary' },
      `journal: expected 'kept' for a live bot, which needs it to find its orders after a crash, received 'temporary'`,
    ],
    [
      'the module of a venue',
      {
        venue: undefined,
        config: {
          ...DESCRIPTION,
          simulation: SIMULATION,
          venue: { path: './my-venue.ts' },
          live: { guard: 'off' },
        },
      },
      'config venue.path: expected nothing: a program opens its venue itself and passes it as venue, received the module of a venue (E_CONFIG_VALUE)',
    ],
    [
      'a venue that is handed over beside one that is named',
      {
        config: {
          ...DESCRIPTION,
          simulation: SIMULATION,
          venue: { path: './my-venue.ts' },
          live: { guard: 'off' },
        },
      },
      'config venue.path: expected nothing beside a venue passed as option, received "./my-venue.ts" (E_CONFIG_DUPLICATE)',
    ],
    [
      'no venue',
      { venue: undefined },
      'config venue: expected a mapping that says where to trade, received nothing (E_CONFIG_MISSING)',
    ],
    [
      'a class that is no strategy',
      { strategy: Date as never },
      'strategy: expected a class made with Strategy or CandleStrategy, received another function (E_CONFIG_TYPE)',
    ],
    [
      'a signal that was given before',
      { signal: AbortSignal.abort() },
      'the run was aborted by its caller (E_RUN_ABORTED)',
    ],
  ])('refuses %s before it writes a file or uses the venue', async (_what, changed, message) => {
    expect(await refusal(changed)).toEqual({ said: message, left: [] });
  });
});
