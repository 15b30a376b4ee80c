import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readCredentials, readSecret } from '../../../src/client/index.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-secret-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function aFile(text: string, mode = 0o600): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

describe('readCredentials', () => {
  it('reads the key from the environment and the secret from a file', async () => {
    const file = await aFile('s3cr3t\n');

    const credentials = await readCredentials(
      { key: { env: 'EVENKEEL_KEY' }, secret: { file } },
      { EVENKEEL_KEY: 'k3y' },
    );

    expect([credentials.key.reveal(), credentials.secret.reveal()]).toEqual(['k3y', 's3cr3t']);
  });
});

describe('readSecret', () => {
  it('names the missing environment variable', async () => {
    await expect(readSecret({ env: 'EVENKEEL_KEY' }, {})).rejects.toThrow(
      'environment EVENKEEL_KEY: expected a key, received nothing (E_SECRET_MISSING)',
    );
  });

  it('names the missing file', async () => {
    const file = join(folder, 'none');

    await expect(readSecret({ file }, {})).rejects.toThrow(
      `${file}: expected a readable file, received none: no such file or folder (E_SECRET_MISSING)`,
    );
  });

  it.skipIf(process.platform === 'win32')(
    'rejects a pipe without waiting, and a folder',
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', ['-m', '600', pipe]);

      await expect(readSecret({ file: pipe }, {})).rejects.toThrow(
        `${pipe}: expected a file, received a pipe or device (E_SECRET_MISSING)`,
      );
      await expect(readSecret({ file: folder }, {})).rejects.toThrow(
        `${folder}: expected a file, received a folder (E_SECRET_MISSING)`,
      );
    },
  );

  it.each([0o644, 0o640, 0o604, 0o660])('refuses a file of mode %o', async (mode) => {
    const file = await aFile('s3cr3t', mode);

    await expect(readSecret({ file }, {})).rejects.toMatchObject({
      code: 'E_SECRET_MODE',
      message:
        `${file}: expected mode 0600, received 0${mode.toString(8)}; ` +
        `run: chmod 600 ${file} (E_SECRET_MODE)`,
    });
  });

  it('accepts a file that its owner can only read', async () => {
    const file = await aFile('s3cr3t', 0o400);

    expect((await readSecret({ file }, {})).reveal()).toBe('s3cr3t');
  });

  it.each([
    ['two lines', 'one\ntwo', 'E_SECRET_TEXT'],
    ['a control character', 'a\u0001b', 'E_SECRET_TEXT'],
    ['letters a header cannot carry', 'schlüssel', 'E_SECRET_TEXT'],
    ['white space only', ' \n', 'E_SECRET_MISSING'],
    ['5,000 characters', 'x'.repeat(5_000), 'E_SECRET_TEXT'],
  ])('refuses %s without showing it', async (_name, text, code) => {
    const file = await aFile(text);

    const error: unknown = await readSecret({ file }, {}).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code });
    if (text.trim() !== '') expect(String(error)).not.toContain(text.trim());
  });
});
