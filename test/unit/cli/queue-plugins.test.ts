import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ENGINE_VERSION } from '../../../src/assembly/index.js';
import { nodeMajor } from '../../../src/cli/queue/describe-inputs.js';
import { proveInputs } from '../../../src/cli/queue/prove-inputs.js';
import type { SearchDescription } from '../../../src/queue/index.js';
import { aCliContext } from '../../support/cli/cli-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('a search removes plugins that no search has used for 30 days, and marks its own as used', async () => {
  const plugins = await temporaryFolder();
  const [own, other] = ['a'.repeat(64), 'b'.repeat(64)] as const;
  for (const name of [own, other, 'of the user']) {
    const folder = path.join(plugins, name, 'plugin');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'a.ts'), '');
    const old = new Date(Date.now() - (name === own ? 29 : 31) * 86_400_000);
    for (const place of [path.join(folder, 'a.ts'), folder, path.dirname(folder)])
      await utimes(place, old, old);
  }
  const search = {
    engine: ENGINE_VERSION,
    node: nodeMajor(),
    plugin: { hash: own, entry: 'a.ts', files: { 'a.ts': '' } },
  } as Partial<SearchDescription> as SearchDescription;
  const ground = {
    name: 'search',
    folders: { plugins, archive: plugins },
    context: aCliContext().context,
  };

  // The hash is not that of the plugin.
  await expect(proveInputs(search, ground)).rejects.toThrow("the plugin's hash");

  expect((await readdir(plugins)).sort()).toEqual([own, 'cleaned', 'of the user']);
  const { mtimeMs } = await stat(path.join(plugins, own, 'plugin', 'a.ts'));
  expect(mtimeMs).toBeGreaterThan(Date.now() - 86_400_000);
});
