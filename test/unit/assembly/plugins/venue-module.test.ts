import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadVenueModule } from '../../../../src/assembly/index.js';
import * as run from '../../../../src/run/index.js';
import type { OpenVenue } from '../../../../src/venue/index.js';
import { inFolder } from '../../../support/cli/bot-yaml.js';

/** Its answer says how often it was called. */
const VENUE =
  'let calls = 0;\nexport function openVenue({ options }) { calls += 1; return { options, calls }; }\n';

/** Writes files into a folder and loads one of them, by default the first. */
async function load(
  files: Readonly<Record<string, string>>,
  { file = Object.keys(files)[0] ?? '', export: name = 'openVenue' } = {},
): Promise<OpenVenue> {
  return inFolder(async (folder) => {
    for (const [place, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
      await writeFile(path.join(folder, place), text);
    }
    return loadVenueModule(
      path.join(folder, file),
      { export: name },
      {
        locate: (key) => ({ file: 'bot.yaml', line: 7, column: 3, key: `venue.${key}` }),
        describeFile: (absolute) => path.relative(folder, absolute),
        run,
      },
    );
  });
}

describe('loadVenueModule', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ['the function that is named', { 'venue.mjs': VENUE }, 'openVenue'],
    ['another name', { 'venue.mjs': VENUE.replace('openVenue', 'here') }, 'here'],
    [
      'a default export',
      { 'venue.mjs': VENUE.replace('function openVenue', 'default function') },
      'default',
    ],
    [
      'TypeScript that imports another file',
      {
        'venue.ts': `import { show } from './show.js';\nexport const openVenue = ({ options }: { options: object }) => show(options);\n`,
        'show.ts':
          'let calls = 0;\nexport const show = (options: object) => ({ options, calls: (calls += 1) });\n',
      },
      'openVenue',
    ],
  ])('loads %s, and does not call it', async (_what, files, name) => {
    const open = await load(files, { export: name });

    const options = { account: 'test' };
    expect(await open({ key: undefined, secret: undefined, options })).toEqual({
      options,
      calls: 1,
    });
  });

  it('gives the module the running copy of evenkeel/run', async () => {
    const open = await load({
      'venue.mjs': `import { DomainError } from 'evenkeel/run';\nexport const openVenue = () => new DomainError('E_INSTRUMENT', 'no');\n`,
    });

    expect(await open({ key: undefined, secret: undefined, options: {} })).toBeInstanceOf(
      run.DomainError,
    );
  });

  it.each<readonly [string, Readonly<Record<string, string>>, object, string]>([
    [
      'a missing file',
      {},
      { file: 'none.ts' },
      'bot.yaml:7:3 venue.path: expected a plugin file (.ts, .mts, .js, .mjs), received none.ts, which does not exist (E_PLUGIN_FILE)',
    ],
    [
      'a folder',
      { 'venues/a.ts': '' },
      { file: 'venues' },
      'bot.yaml:7:3 venue.path: expected a plugin file (.ts, .mts, .js, .mjs), received venues, which is not a file (E_PLUGIN_FILE)',
    ],
    [
      'another kind of file',
      { 'venue.json': '{}' },
      {},
      'bot.yaml:7:3 venue.path: expected a plugin file (.ts, .mts, .js, .mjs), received venue.json (E_PLUGIN_FILE)',
    ],
    [
      'a module without the export',
      { 'venue.mjs': 'export const other = 1;\n' },
      {},
      'bot.yaml:7:3 venue.export: expected a module that exports a function openVenue, which opens a venue, received no such export (E_PLUGIN_EXPORT)',
    ],
    [
      'a module without a default export',
      { 'venue.mjs': VENUE },
      { export: 'default' },
      'bot.yaml:7:3 venue.export: expected a module that exports a function default, which opens a venue, received no such export (E_PLUGIN_EXPORT)',
    ],
    [
      'an export that is no function',
      { 'venue.mjs': 'export const openVenue = { marketData: {}, execution: {}, account: {} };\n' },
      {},
      'bot.yaml:7:3 venue.export: expected a module that exports a function openVenue, which opens a venue, received an export that is of type object (E_PLUGIN_EXPORT)',
    ],
    [
      'a name that every object has',
      { 'venue.mjs': VENUE },
      { export: 'toString' },
      'bot.yaml:7:3 venue.export: expected a module that exports a function toString, which opens a venue, received no such export (E_PLUGIN_EXPORT)',
    ],
    [
      'a syntax error',
      { 'venue.ts': 'const a = 1;\n  class {\n' },
      {},
      'venue.ts:2:9: expected valid TypeScript or JavaScript, received A class name is required (E_PLUGIN_SYNTAX)',
    ],
    [
      'an import that is not there',
      { 'venue.ts': `import { part } from './part.js';\nexport const openVenue = part;\n` },
      {},
      'venue.ts:1:22: expected a module that can be found, received "./part.js" (E_PLUGIN_IMPORT)',
    ],
    [
      'an exception at import',
      { 'venue.ts': `\nthrow new RangeError('no luck');\n` },
      {},
      'venue.ts:2:7: expected a plugin that loads, received RangeError: no luck (E_PLUGIN_THROWS)',
    ],
    [
      'no error that is thrown at import',
      { 'venue.mjs': `throw 'no luck';\n` },
      {},
      'expected a plugin that loads',
    ],
  ])('fails with a ConfigError for %s', async (_what, files, options, message) => {
    await expect(load(files, options)).rejects.toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });
});
