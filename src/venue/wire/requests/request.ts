import { z } from 'zod';
import { DomainError } from '../../../domain/index.js';
import { describeValue, isRecord, ownMember } from '../json/body.js';
import { coerceRequest } from './coerce-request.js';
import type { AnyEndpoint, CheckedRequestOf, RequestOf } from '../endpoint.js';
import type { VenueErrorCode } from '../error-codes.js';
import { formatPath, mostTelling } from '../json/issues.js';
import { formatJson, type JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';

/** A request as bytes. The signature covers exactly these. */
export interface EncodedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Without `?`; empty where there is none. */
  readonly query: string;
  /** JSON text of a POST (`{}` where it has no fields), empty for a GET. */
  readonly body: string;
}

/**
 * Checks a request and writes its bytes: fields in the order of the table, defaults filled in, numbers digit by digit and without quotes
 * where the interface says number, quoted where it says string. Same request, same bytes.
 *
 * @throws {DomainError} `E_REQUEST` for an unknown key, a missing field or a value out of bounds; nothing is adjusted.
 */
export function encodeRequest<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
): EncodedRequest {
  const schema: E['request'] = endpoint.request;
  const result = z.safeParse(schema, request);
  if (!result.success) {
    const { path, expected } = mostTelling(result.error.issues);
    const received = describeValue(path.reduce<unknown>(ownMember, request));
    const place = path.length === 0 ? 'the request' : formatPath(path);
    throw new DomainError(
      'E_REQUEST',
      `${endpoint.id}: ${place}: expected ${expected}, received ${received} (E_REQUEST)`,
    );
  }
  const fields = endpoint.writeRequest(result.data);
  const { method, path } = endpoint;
  if (method === 'POST') return { method, path, query: '', body: formatJson(fields) };
  const query = Object.entries(fields).map(([key, value]) => `${key}=${queryText(value)}`);
  return { method, path, query: query.join('&'), body: '' };
}

function queryText(value: JsonOutput): string {
  return encodeURIComponent(typeof value === 'string' ? value : formatJson(value));
}

/** Why a server refuses a request, with the venue's code. */
interface RequestProblem {
  readonly code: VenueErrorCode;
  readonly field: string;
  readonly message: string;
}

type RequestOutcome<E extends AnyEndpoint> =
  | { readonly kind: 'valid'; readonly request: CheckedRequestOf<E> }
  | { readonly kind: 'invalid'; readonly problem: RequestProblem };

/**
 * Checks what a client sent, for a server: texts and numbers stand for each other, unknown fields are ignored, a `limit` above its maximum
 * is clamped as live servers do (high confidence for depth). A remaining error comes back with the code that a venue would send.
 *
 * In profile `family`, the fields that are optional in the family may be missing.
 *
 * `sent` holds the query parameters (GET) or what {@link parseJson} made of the body (POST).
 */
export function parseRequest<E extends AnyEndpoint>(
  endpoint: E,
  sent: unknown,
  profile: AnswerProfile = 'interface',
): RequestOutcome<E> {
  const schema: E['request'] = endpoint.request;
  if (!isRecord(sent)) {
    const message = `expected an object, received ${describeValue(sent)}`;
    return { kind: 'invalid', problem: { code: '-1102', field: '', message } };
  }
  const defaults = profile === 'family' ? endpoint.familyDefaults : {};
  const known = clampLimits(endpoint, { ...defaults, ...coerceRequest(endpoint.request, sent) });
  const result = z.safeParse(schema, known);
  if (result.success) return { kind: 'valid', request: result.data };
  const { path, expected } = mostTelling(result.error.issues);
  const field = formatPath(path);
  const value = path.reduce<unknown>(ownMember, known);
  const message = `parameter ${field}: expected ${expected}, received ${describeValue(value)}`;
  return { kind: 'invalid', problem: { code: codeOf(path, value), field, message } };
}

function clampLimits(
  endpoint: AnyEndpoint,
  request: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const maximum = endpoint.bounds.find(({ field }) => field === 'limit')?.maximum;
  const sent = request['limit'];
  if (maximum === undefined || typeof sent !== 'number' || sent <= maximum) return request;
  return { ...request, limit: maximum };
}

const CODES_BY_FIELD: Readonly<Record<string, VenueErrorCode>> = {
  side: '-1117',
  type: '-1116',
  batchType: '-1116',
  symbol: '-1121',
  contractName: '-1121',
};

function codeOf(path: readonly PropertyKey[], value: unknown): VenueErrorCode {
  if (value === undefined) return '-1102';
  if (Array.isArray(value) && value.length > 0) return '-1015';
  return CODES_BY_FIELD[String(path.at(-1))] ?? '-1102';
}
