import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readSecret, Secret } from '../../client/index.js';
import { reasonOf, UsageError } from '../../domain/index.js';
import {
  openQueueServer,
  parseAddress,
  requireClosed,
  Seal,
  SearchBoard,
  type QueueAddress,
  type QueueServer,
} from '../../queue/index.js';
import type { CliContext } from '../cli-context.js';
import { queueClock } from './queue-clock.js';
import type { AccessFlags, QueueFlags } from './queue-options.js';

/** Environment variables with the URL of the queue, and with the secret of coordinator and workers. */
const ADDRESS = 'EVENKEEL_QUEUE';
const SECRET = 'EVENKEEL_QUEUE_SECRET';

/**
 * Reads the address of the queue; undefined if the options name none. A password never comes from the command line, because other users can read
 * that.
 *
 * @throws {UsageError} `E_QUEUE_ADDRESS`, `E_QUEUE_PASSWORD`, `E_QUEUE_OPEN`; {ConfigError} `E_SECRET_MISSING`, `E_SECRET_MODE`.
 */
export async function readAddress(
  { queue, queueFile, queueCa, forceOpenQueue }: AccessFlags,
  context: CliContext,
): Promise<QueueAddress | undefined> {
  if (queue !== undefined && queueFile !== undefined)
    throw new UsageError('E_USAGE', 'expected --queue or --queue-file, received both');
  if (queue === undefined && queueFile === undefined) {
    const lonely = Object.entries({ 'force-open-queue': forceOpenQueue, 'queue-ca': queueCa });
    for (const [name, value] of lonely)
      if (value !== undefined)
        throw new UsageError('E_USAGE', `--${name} needs --queue or --queue-file`);
    return undefined;
  }
  const address =
    queue === undefined || queue === 'env'
      ? await readHidden(queueFile, context)
      : readShown(queue);
  requireClosed(address, forceOpenQueue === true);
  if (queueCa === undefined) return address;
  if (!address.isEncrypted)
    throw new UsageError(
      'E_USAGE',
      `--queue-ca is for a queue with TLS: expected rediss://..., received ${address.shown}`,
    );
  return { ...address, authorities: await readAuthorities(queueCa, context) };
}

/** @throws as {@link readAddress}; {UsageError} `E_USAGE` if the options name no queue. */
export async function requireAddress(
  flags: AccessFlags,
  context: CliContext,
): Promise<QueueAddress> {
  const address = await readAddress(flags, context);
  if (address !== undefined) return address;
  throw new UsageError(
    'E_USAGE',
    'expected a queue: --queue URL, --queue env or --queue-file FILE',
  );
}

function readShown(url: string): QueueAddress {
  const address = parseAddress(url, '--queue');
  if (address.password === undefined && address.username === undefined) return address;
  throw new UsageError(
    'E_QUEUE_PASSWORD',
    '--queue: every user of the machine can see a password on the command line, and the shell keeps it. Put the URL into EVENKEEL_QUEUE and use --queue env, or into your own file (chmod 600) and use --queue-file FILE. Change the password if it was real',
  );
}

async function readHidden(file: string | undefined, context: CliContext): Promise<QueueAddress> {
  const { env, cwd } = context;
  const source = file === undefined ? { env: ADDRESS } : { file: path.resolve(cwd, file) };
  const text = (await readSecret(source, env)).reveal();
  const address = parseAddress(text, file ?? ADDRESS);
  if (address.password !== undefined)
    context.hideSecrets?.([new Secret(text), new Secret(address.password)]);
  return address;
}

async function readAuthorities(file: string, { cwd }: Pick<CliContext, 'cwd'>): Promise<string> {
  try {
    const text = await readFile(path.resolve(cwd, file), 'utf8');
    // Node would accept a file without a certificate, and then trust no server.
    new X509Certificate(text);
    return text;
  } catch (cause: unknown) {
    throw new UsageError(
      'E_USAGE',
      `--queue-ca ${file}: expected a certificate in PEM, received none: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

/** Reads the secret that signs messages; undefined if none is given. @throws {ConfigError} `E_SECRET_MISSING`, `E_SECRET_MODE`. */
export async function readSeal(
  { secretFile }: Pick<QueueFlags, 'secretFile'>,
  { env, cwd, hideSecrets }: CliContext,
): Promise<Seal | undefined> {
  if (secretFile === undefined && (env[SECRET] ?? '') === '') return undefined;
  const source =
    secretFile === undefined ? { env: SECRET } : { file: path.resolve(cwd, secretFile) };
  const secret = await readSecret(source, env);
  hideSecrets?.([secret]);
  return new Seal(secret.reveal());
}

/** Reads hashes of plugins, one per line; text behind a hash is a comment. @throws {UsageError} `E_QUEUE_TRUST` for any other line. */
export async function readAllowed(
  file: string,
  { cwd }: Pick<CliContext, 'cwd'>,
): Promise<ReadonlySet<string>> {
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new UsageError('E_QUEUE_TRUST', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  });
  const hashes = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const hash = /^\s*([0-9a-f]{64})(?:\s|$)/.exec(line)?.[1];
    if (hash === undefined)
      throw new UsageError(
        'E_QUEUE_TRUST',
        `${file}:${String(index + 1)}: expected the hash of a plugin, 64 hexadecimal digits`,
      );
    hashes.add(hash);
  }
  return hashes;
}

/** An open queue with its board. */
export interface OpenQueue {
  readonly server: QueueServer;
  readonly board: SearchBoard;
}

/** @throws as {@link openQueueServer}. */
export async function openQueue(
  address: QueueAddress,
  { stderr }: Pick<CliContext, 'stderr'>,
): Promise<OpenQueue> {
  const say = (line: string): void => {
    stderr.write(`${line}\n`);
  };
  const server = await openQueueServer(address, { time: queueClock, say });
  return { server, board: new SearchBoard(server) };
}
