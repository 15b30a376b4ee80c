import { constants, open } from 'node:fs/promises';

import { ConfigError, reasonOf } from '../../domain/index.js';
import { Secret } from './secret.js';

/** Credentials of an account: the key identifies it, the secret signs. */
export interface Credentials {
  readonly key: Secret;
  readonly secret: Secret;
}

/** Source of a key or a secret. A configuration never contains the values themselves. */
export type SecretSource =
  | { readonly env: string }
  /** Absolute path of a file that only its owner can read. */
  | { readonly file: string };

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_FILE_BYTES = 4_096;
const READABLE_BY_OTHERS = 0o077;
/** Printable, without white space: valid in a header. */
const SECRET_TEXT = /^[\x21-\x7e]+$/;

/**
 * Reads key and secret.
 *
 * @throws {ConfigError} as {@link readSecret}.
 */
export async function readCredentials(
  sources: { readonly key: SecretSource; readonly secret: SecretSource },
  environment: Environment,
): Promise<Credentials> {
  const [key, secret] = await Promise.all([
    readSecret(sources.key, environment),
    readSecret(sources.secret, environment),
  ]);
  return { key, secret };
}

/**
 * Reads one secret from an environment variable or a file.
 *
 * @throws {ConfigError} `E_SECRET_MISSING` if there is none; `E_SECRET_MODE` if others may read the file; `E_SECRET_TEXT` if it holds anything but
 * one line of printable characters. No message shows any part of it.
 */
export async function readSecret(source: SecretSource, environment: Environment): Promise<Secret> {
  const text = 'env' in source ? environment[source.env] : await readOwnFile(source.file);
  const location =
    'env' in source ? { file: 'environment', key: source.env } : { file: source.file };
  const value = text?.trim() ?? '';
  if (value === '') {
    throw new ConfigError('E_SECRET_MISSING', { location, expected: 'a key', received: 'nothing' });
  }
  if (!SECRET_TEXT.test(value)) {
    throw new ConfigError('E_SECRET_TEXT', {
      location,
      expected: 'one line of printable characters without spaces',
      received: `${String(value.length)} characters, some not allowed`,
    });
  }
  return new Secret(value);
}

async function readOwnFile(file: string): Promise<string> {
  const location = { file };
  // Opening a pipe would wait until another process writes into it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (cause: unknown) => {
      const received = `none: ${reasonOf(cause)}`;
      const problem = { location, expected: 'a readable file', received };
      throw new ConfigError('E_SECRET_MISSING', problem, { cause });
    },
  );
  try {
    const found = await handle.stat();
    if (!found.isFile()) {
      const received = found.isDirectory() ? 'a folder' : 'a pipe or device';
      throw new ConfigError('E_SECRET_MISSING', { location, expected: 'a file', received });
    }
    const { mode, size } = found;
    if ((mode & READABLE_BY_OTHERS) !== 0) {
      throw new ConfigError('E_SECRET_MODE', {
        location,
        expected: 'mode 0600',
        received: `0${(mode & 0o777).toString(8)}`,
        suggestion: `run: chmod 600 ${file}`,
      });
    }
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError('E_SECRET_TEXT', {
        location,
        expected: `at most ${String(MAX_FILE_BYTES)} bytes`,
        received: `${String(size)} bytes`,
      });
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
