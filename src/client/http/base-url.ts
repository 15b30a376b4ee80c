import { ConfigError, type Brand, type ConfigLocation } from '../../domain/index.js';

interface Address {
  /** Scheme, host and port, for example `https://api.example.com`. */
  readonly origin: string;
  /** Empty, or for example `/spot/open`; no slash at its end. */
  readonly prefix: string;
}

/**
 * Address of a host that may be called: only {@link parseBaseUrl} makes one. `prefix` is a gateway's path before the interface's path; it is sent,
 * but not signed.
 */
export type BaseUrl = Brand<Address, 'BaseUrl'>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the address of a host: https, or http to this machine.
 *
 * @throws {ConfigError} `E_URL` if it is no such address, or contains a user name, a query or the interface's own path; `E_URL_INSECURE` for plain
 * http to another machine: keys and orders would be readable on the network.
 */
export function parseBaseUrl(text: string, location: ConfigLocation): BaseUrl {
  const problem = (expected: string, received = `"${shownUrl(text)}"`): ConfigError =>
    new ConfigError('E_URL', { location, expected, received });
  if (!URL.canParse(text)) throw problem('an address such as https://api.example.com');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw problem('an address without user and password', 'an address with user or password');
  }
  if (url.search !== '' || url.hash !== '') throw problem('an address without query and fragment');
  if (/\/[sf]api(?:\/|$)/.test(url.pathname)) {
    throw problem('an address without the path /sapi/v1 or /fapi/v1, which is added to it');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new ConfigError('E_URL_INSECURE', {
      location,
      expected: 'https, or http to this machine (127.0.0.1, localhost)',
      received: `"${shownUrl(text)}"`,
    });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw problem('an address that starts with https://');
  }
  const address: Address = { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
  return address as BaseUrl;
}

/** The address as errors may show it: without the part before an @ and after a question mark. */
function shownUrl(text: string): string {
  return text
    .replace(/\/\/[^/]*@/, '//…@')
    .replace(/[?#].*$/s, '?…')
    .slice(0, 100);
}
