import { isRecord, unwrapText } from './json/body.js';
import { venueErrorFact, type VenueErrorCode, type VenueErrorFact } from './error-codes.js';
import { JsonNumber, type JsonOutput } from './json/json.js';
import type { AnswerProfile } from './profile.js';

/** An error in an answer of the venue or of its gateway. */
interface VenueError {
  /** As text: deployments send numbers and texts. The status of a gateway's error page is `HTTP 404`. */
  readonly code: string;
  /** The venue's words, in whatever language, at most 200 characters. For people, never for decisions. */
  readonly message: string;
  readonly fact: VenueErrorFact;
}

const MESSAGE_LENGTH = 200;

/** What the HTTP status of an error without a code of the venue means. After a 408 or a 5xx, a command may have worked. */
export function httpStatusFact(status: number): VenueErrorFact {
  const isClear = status >= 400 && status < 500 && status !== 408;
  const name = 'error page of a gateway';
  if (!isClear) return { name, actor: 'venue', transient: true, kind: 'unknown-outcome' };
  if (status === 401 || status === 403) {
    return { name, actor: 'owner', transient: false, kind: 'auth' };
  }
  const kind = status === 429 ? 'rate-limit' : 'invalid-request';
  return { name, actor: 'caller', transient: kind === 'rate-limit', kind };
}

/**
 * Finds an error in an answer, whatever its HTTP status: live servers send errors as 200. Undefined when the body is no error.
 *
 * Shapes: `{"code":-1121,"msg":"…"}`, the same with a text code, `data` and `succ`, and a gateway's
 * `{"timestamp":…,"status":404,"error":"Not Found","path":"…"}`.
 * Source: live answers of the family, confidence high. The interface shows no error body.
 */
export function readVenueError(json: unknown): VenueError | undefined {
  const body = unwrapText(json);
  if (!isRecord(body)) return undefined;
  const code = body['code'];
  if ((typeof code === 'number' || typeof code === 'string') && String(code) !== '0') {
    const text = String(code).slice(0, 40);
    return { code: text, message: messageOf(body['msg']), fact: venueErrorFact(text) };
  }
  const status = body['status'];
  if (typeof status === 'number' && typeof body['error'] === 'string' && 'path' in body) {
    const message = messageOf(body['message'] ?? body['error']);
    return { code: `HTTP ${String(status)}`, message, fact: httpStatusFact(status) };
  }
  return undefined;
}

function messageOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MESSAGE_LENGTH) : '';
}

/**
 * Writes an error as the venue does: `{"code":-1121,"msg":"…"}`, and in the family's form
 * `{"code":"-1121","msg":"…","data":null,"succ":false}`.
 */
export function encodeVenueError(
  error: { readonly code: VenueErrorCode; readonly message: string },
  profile: AnswerProfile,
): JsonOutput {
  if (profile === 'family') {
    return { code: error.code, msg: error.message, data: null, succ: false };
  }
  return { code: new JsonNumber(error.code), msg: error.message };
}
