import { isIP } from 'node:net';
import { UsageError } from '../domain/index.js';

/** Address and login of a queue server. The password never appears in messages. */
export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  /** Number of the database. */
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly isEncrypted: boolean;
  /** Certificates (PEM) of the authorities that may have signed the server's certificate. @defaultValue those that Node trusts */
  readonly authorities?: string | undefined;
  /** The address as messages show it: without username and password. */
  readonly shown: string;
}

const DEFAULT_PORT = 6_379;
const PROTOCOLS: readonly string[] = ['redis:', 'rediss:'];

/**
 * Reads the URL of a queue, such as `rediss://:PASSWORD@queue.example:6380/0`; `rediss` is with TLS.
 *
 * @param origin - names the place of the URL in messages. A message never repeats the URL itself, because it may hold a password.
 * @throws {UsageError} `E_QUEUE_ADDRESS` if the text is no such URL.
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
    username: url.username === '' ? undefined : decoded(url.username, origin),
    password: url.password === '' ? undefined : decoded(url.password, origin),
    isEncrypted: url.protocol === 'rediss:',
    shown: `${url.protocol}//${url.hostname}:${String(port)}`,
  };
}

function decoded(part: string, origin: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(
      'E_QUEUE_ADDRESS',
      `${origin}: expected %25 in place of each % of a username or password that begins no code such as %40`,
    );
  }
}

/**
 * Refuses a queue that is not on this machine and has no password: everybody who can write to a queue decides what its workers run.
 *
 * @throws {UsageError} `E_QUEUE_OPEN`.
 */
export function requireClosed(address: QueueAddress, isForced: boolean): void {
  if (isForced || address.password !== undefined || isLoopback(address.host)) return;
  throw new UsageError(
    'E_QUEUE_OPEN',
    `${address.shown} is on another machine and has no password: everyone who can reach a queue decides which code its workers run. Set a password (requirepass) and put it into the URL in EVENKEEL_QUEUE or --queue-file; --force-open-queue allows an open queue`,
  );
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost';
}
