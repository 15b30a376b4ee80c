import { isIP } from 'node:net';
import type * as Bull from 'bullmq';
import type { ConnectionOptions } from 'node:tls';
import type { Redis } from 'ioredis';
import { DataError, UsageError } from '../domain/index.js';
import type { QueueAddress } from './address.js';
import type { QueueTime } from './queue-time.js';

/** Prefix of all keys of the project on the server. */
export const PREFIX = 'evenkeel';
/** Longest time to try a server at the start. */
const CONNECT_MS = 5_000;
/** Longest pause between two attempts to reach a server that is away. */
const MOST_PAUSE_MS = 1_000;

/** A connection to the server of a queue, and the packages for it. */
export interface QueueServer {
  readonly address: QueueAddress;
  readonly redis: Redis;
  readonly bull: typeof Bull;
  /** Ends the connection. Requests without an answer are rejected. */
  close(): void;
}

interface Drivers {
  readonly bull: typeof Bull;
  readonly createClient: (options: object) => Redis;
}

/** Matches Node's error codes for a certificate of another host, without a trusted signature, or out of date. */
const UNTRUSTED = /CERT|ISSUER|VERIFY/;

/** Node compares the certificate with the host. The server receives a host name (SNI), but no IP address. */
function tlsOf({ host, authorities }: QueueAddress): ConnectionOptions {
  return {
    // Set explicitly: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would send the password to any server.
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorities !== undefined && { ca: authorities }),
  };
}

/** Loads the optional packages on first use. */
async function loadDrivers(): Promise<Drivers> {
  try {
    const { Redis: Client } = await import('ioredis');
    return { bull: await import('bullmq'), createClient: (options) => new Client(options) };
  } catch (cause: unknown) {
    throw new UsageError(
      'E_QUEUE_DRIVER',
      'a queue needs the packages bullmq and ioredis, which cannot be loaded; install them with: npm install bullmq ioredis',
      { cause },
    );
  }
}

/**
 * Connects to a queue. If the server is away later, requests wait until it is back; `say` reports both.
 *
 * @throws {UsageError} `E_QUEUE_DRIVER`; {DataError} `E_QUEUE_CERTIFICATE` if the certificate is not trusted, `E_QUEUE_SERVER` if the server cannot
 * be reached or may evict keys.
 */
export async function openQueueServer(
  address: QueueAddress,
  { time, say }: { readonly time: QueueTime; readonly say: (line: string) => void },
): Promise<QueueServer> {
  const { bull, createClient } = await loadDrivers();
  const { host, port, database, username, password, isEncrypted, shown } = address;
  const redis = createClient({
    host,
    port,
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: tlsOf(address) }),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(50 * 2 ** times, MOST_PAUSE_MS),
  });
  const info = await connect(redis, shown, time).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });
  warnIfForgetful(info, shown, say);
  tellAbsences(redis, shown, say);
  return {
    address,
    redis,
    bull,
    close: () => {
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}

/** Returns what the server says of itself. @throws {DataError} `E_QUEUE_CERTIFICATE`, `E_QUEUE_SERVER`. */
async function connect(redis: Redis, shown: string, time: QueueTime): Promise<string> {
  let failure = 'no answer';
  const limit = new AbortController();
  let distrust: string | undefined;
  redis.on('error', (error: Error & { readonly code?: string }) => {
    failure = error.message === '' ? (error.code ?? '') : error.message;
    if (!UNTRUSTED.test(error.code ?? '')) return;
    distrust = failure;
    limit.abort();
  });
  const info = await Promise.race([
    redis.connect().then(
      () => redis.info(),
      () => undefined,
    ),
    time.sleep(CONNECT_MS, limit.signal).then(() => undefined),
  ]).catch(() => undefined);
  limit.abort();
  if (distrust !== undefined)
    throw new DataError(
      'E_QUEUE_CERTIFICATE',
      `the queue ${shown}: its certificate is not trusted: ${distrust}; give the certificate of its signer with --queue-ca FILE`,
    );
  if (info === undefined)
    throw new DataError('E_QUEUE_SERVER', `the queue ${shown}: cannot be reached: ${failure}`);
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  if (policy !== 'noeviction')
    throw new DataError(
      'E_QUEUE_SERVER',
      `the queue ${shown}: expected maxmemory-policy noeviction, received ${policy}, which would delete results`,
    );
  return info;
}

/** Says that the server forgets everything in a restart, if it does. */
function warnIfForgetful(info: string, shown: string, say: (line: string) => void): void {
  if (/^aof_enabled:0/m.test(info))
    say(
      `the queue ${shown} loses its data in a restart: set appendonly yes, otherwise searches must add their chunks again`,
    );
}

/** Says when the server is away, and when it is back. */
function tellAbsences(redis: Redis, shown: string, say: (line: string) => void): void {
  let isAway = false;
  redis.on('close', () => {
    if (!isAway) say(`the queue ${shown} is disconnected; waiting for it`);
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) say(`the queue ${shown} is connected again`);
    isAway = false;
  });
}
