import { isIP } from 'node:net';
import { UsageError } from '../domain/index.js';

/** Where a queue is. The password stays out of everything that is shown. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  /** Number of the database. */
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly isEncrypted: boolean;
  /** Certificates in PEM of those who may have signed that of the server. @defaultValue those that Node trusts */
  readonly authorities?: string | undefined;
  /** As messages name it. */
  readonly shown: string;
}

const DEFAULT_PORT = 6_379;
const PROTOCOLS: readonly string[] = ['redis:', 'rediss:'];

/**
 * Reads the URL of a queue, such as `rediss://:PASSWORD@queue.example:6380/0`; `rediss` is with TLS.
 *
 * @param origin - where it was given, for messages: they never repeat the URL, which may hold a password.
 * @throws {UsageError} `E_QUEUE_ADDRESS` for what is no such URL.
 */
export function parseAddress(text: string, origin: string): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const database = /^\/?(\d{0,4})$/.exec(url?.pathname ?? '')?.[1];
  if (
    url === undefined ||
    database === undefined ||
    !PROTOCOLS.includes(url.protocol) ||
    url.hostname === '' ||
    url.search !== ''
  )
    throw new UsageError(
      'E_QUEUE_ADDRESS',
      `${origin}: expected a URL such as redis://HOST:PORT, or rediss://HOST:PORT with TLS`,
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    host,
    port,
    database: Number(database),
    username: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    isEncrypted: url.protocol === 'rediss:',
    shown: `${url.protocol}//${url.hostname}:${String(port)}`,
  };
}

/**
 * Refuses a queue that anybody in a network could write to: who writes to it decides what workers run.
 *
 * @throws {UsageError} `E_QUEUE_OPEN`.
 */
export function requireClosed(address: QueueAddress, isForced: boolean): void {
  if (isForced || address.password !== undefined || isLoopback(address.host)) return;
  throw new UsageError(
    'E_QUEUE_OPEN',
    `${address.shown} is no address of this machine, and is given without a password: who reaches a queue decides what its workers run. Set a password (requirepass) and give the URL with it by EVENKEEL_QUEUE or --queue-file; --force-open-queue goes on all the same`,
  );
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost';
}
