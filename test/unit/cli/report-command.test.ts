import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runReport } from '../../../src/cli/report/run-report.js';
import { buildResult, writeResult } from '../../../src/report/index.js';
import { aCliContext } from '../../support/cli/cli-context.js';
import { aRunRecord } from '../../support/run-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RUN = 'the result of one run';
const SEARCH = 'the document of a sweep or walk-forward';

describe('report', () => {
  it.each([
    [['run.json', 'run.json'], { config: 'bot.yaml' }, `--config: expected ${RUN}`],
    [['run.json', 'run.json'], { significance: 's.json' }, `--significance: expected ${SEARCH}`],
    [['run.json'], { significance: 's.json' }, `--significance: expected ${SEARCH}`],
    [['sweep.json'], { journal: 'run.db' }, `--journal: expected ${RUN}`],
    [['sweep.json'], { set: ['a=1'] }, `--set: expected ${RUN}`],
    [['audit.json'], { audit: 'audit.json' }, `--audit: expected ${RUN}`],
  ])('refuses of %j the option %j, which its page would not use', async (files, flags, said) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'run.json'), '{}');
    await writeFile(join(cwd, 'sweep.json'), '{"version":1,"sweep":{}}');
    await writeFile(join(cwd, 'audit.json'), '{"version":1,"audit":{}}');
    const { context } = aCliContext({ cwd });

    await expect(runReport(files, { ...flags, out: 'page.html' }, context)).rejects.toMatchObject({
      code: 'E_USAGE',
      message: `${said} beside it, received ${files.join(', ')}`,
    });
  });

  it('names compared results of the same file name by their paths', async () => {
    const cwd = await temporaryFolder();
    const files = ['old/run.json', 'new/run.json'];
    for (const file of files) {
      await mkdir(join(cwd, dirname(file)));
      await writeFile(join(cwd, file), writeResult(buildResult(aRunRecord())));
    }
    const { context } = aCliContext({ cwd });

    await runReport(files, { out: 'page.html' }, context);

    const page = await readFile(join(cwd, 'page.html'), 'utf8');
    expect(page).toContain('<title>old/run.json against new/run.json</title>');
  });

  it('counts compared results in the title if they are many', async () => {
    const cwd = await temporaryFolder();
    const files = ['a.json', 'b.json', 'c.json', 'd.json'];
    for (const file of files)
      await writeFile(join(cwd, file), writeResult(buildResult(aRunRecord())));
    const { context } = aCliContext({ cwd });

    await runReport(files, { out: 'page.html' }, context);

    const page = await readFile(join(cwd, 'page.html'), 'utf8');
    expect(page).toContain('<title>a.json against 3 others</title>');
  });

  it.each([
    ['{"version":1,"crossValidation":{}}', 'walk-forward --cpcv'],
    ['{\n  "version": 1,\n  "monteCarlo": {}}', 'monte-carlo'],
    ['{"version":1,"fuzz":{}}', 'fuzz'],
    [
      '{"version":1,"strategy":"X","data":"1"}',
      'significance, which --significance adds to the page of its search',
    ],
  ])('says of %j that it has no page', async (text, said) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'run.json'), '{}');
    await writeFile(join(cwd, 'other.json'), text);
    const { context } = aCliContext({ cwd });

    for (const files of [['other.json'], ['run.json', 'other.json'], ['other.json', 'run.json']])
      await expect(runReport(files, { out: 'page.html' }, context)).rejects.toMatchObject({
        code: 'E_USAGE',
        message: `other.json: expected the document of backtest, sweep, walk-forward or audit, received that of ${said}`,
      });
  });
});
