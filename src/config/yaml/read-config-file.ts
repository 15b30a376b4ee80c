import { readFile, stat } from 'node:fs/promises';
import { ConfigError, type ErrorCode, reasonOf } from '../../domain/index.js';

/** A bot's file has a page or two. A file of this size is probably another file. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a configuration file as text.
 *
 * @param file - absolute path; `name` is its name in messages.
 * @throws {ConfigError} `E_CONFIG_FILE` when it is missing, unreadable, a directory or too large; `E_CONFIG_YAML` when it is not UTF-8.
 */
export async function readConfigFile(file: string, name: string): Promise<string> {
  const fail = (code: ErrorCode, expected: string, received: string, cause?: unknown): never => {
    throw new ConfigError(code, { location: { file: name }, expected, received }, { cause });
  };
  let bytes: Buffer;
  try {
    const status = await stat(file);
    if (status.isDirectory()) return fail('E_CONFIG_FILE', 'a YAML file', 'a directory');
    if (status.size > MAX_BYTES) {
      const received = `${String(status.size)} bytes`;
      return fail('E_CONFIG_FILE', `a YAML file of at most ${String(MAX_BYTES)} bytes`, received);
    }
    bytes = await readFile(file);
  } catch (error: unknown) {
    if (error instanceof ConfigError) throw error;
    return fail('E_CONFIG_FILE', 'a readable YAML file', describeFailure(error), error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error: unknown) {
    return fail('E_CONFIG_YAML', 'UTF-8 text', 'bytes that are none', error);
  }
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'a file that may not be read';
  return `none: ${reasonOf(error)}`;
}
