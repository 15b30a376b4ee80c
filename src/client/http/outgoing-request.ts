import type { EpochMs } from '../../domain/index.js';
import { encodeRequest, type AnyEndpoint, type RequestOf } from '../../venue/wire/index.js';
import type { Signer } from '../keys/signing.js';
import type { BaseUrl } from './base-url.js';

/** A checked request in the form that is sent, not yet signed. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  /** Path from `/sapi` or `/fapi` on, with the query. This text is signed. */
  readonly target: string;
  /** Empty for GET. */
  readonly body: string;
}

/** Name, value, name, value: the cheapest form to make and to send. */
const PLAIN_HEADERS: readonly string[] = [
  ...['accept', 'application/json'],
  // Some servers also need it on a GET (-1017).
  ...['content-type', 'application/json'],
];

/** Checks and writes a request. @throws {DomainError} `E_REQUEST` naming the field. */
export function writeRequest<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
): OutgoingRequest {
  const { method, path, query, body } = encodeRequest(endpoint, request);
  return { method, target: query === '' ? path : `${path}?${query}`, body };
}

/** Headers of the request, each name before its value; with a signature if a signer is given. */
export function headersOf(
  { method, target, body }: OutgoingRequest,
  signature?: { readonly signer: Signer; readonly timestamp: EpochMs },
): string[] {
  const headers = [...PLAIN_HEADERS];
  if (signature === undefined) return headers;
  const { signer, timestamp } = signature;
  const signed = signer.sign({ timestamp, method, path: target, body });
  for (const name of Object.keys(signed)) headers.push(name, signed[name] ?? '');
  return headers;
}

/** A request as it would be sent, with all authentication masked. */
export interface RequestPreview {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for GET. */
  readonly body: string | undefined;
}

/** Shows a request without its secrets: headers that the signer adds are masked, except the timestamp. */
export function previewRequest(
  request: OutgoingRequest,
  base: BaseUrl,
  headers: readonly string[],
  timestamp: EpochMs,
): RequestPreview {
  const shown = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    const isPlain = PLAIN_HEADERS.includes(name) || value === String(timestamp);
    shown.set(name, isPlain ? value : '[masked]');
  }
  return {
    method: request.method,
    url: base.origin + base.prefix + request.target,
    headers: Object.fromEntries(shown),
    body: request.method === 'GET' ? undefined : request.body,
  };
}
