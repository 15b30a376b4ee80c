import {
  AuthError,
  OutcomeUnknownError,
  RateLimitError,
  TransportError,
  visibleText,
  WireFormatError,
} from '../../domain/index.js';
import { LONGEST_REST_MS } from '../../venue/index.js';
import {
  httpStatusFact,
  parseAnswer,
  parseJson,
  readVenueError,
  type AnswerOf,
  type AnyEndpoint,
  type VenueErrorFact,
} from '../../venue/wire/index.js';
import { BannedError } from '../banned-error.js';
import type { HttpAnswer } from './http.js';
import { retryAfterMs } from './retry-after.js';

/** The venue's reply to one call: the answer, or a refusal, after which the venue has done nothing. */
export type Reply<E extends AnyEndpoint> =
  | { readonly kind: 'answer'; readonly answer: AnswerOf<E> }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly text: string;
      readonly transient: boolean;
    };

interface ReplyContext {
  /** UTC milliseconds, to evaluate a Retry-After that is a date. */
  readonly now: number;
  /** Removes secrets from the venue's text. */
  readonly redact: (text: string) => string;
}

/**
 * Reads an HTTP answer: first the code in the body, whatever the status, because live servers send errors as 200; then the status; then the answer.
 *
 * Repeatable calls fail with {@link TransportError}, {@link WireFormatError} and the like. For a command, anything that is neither a clear success
 * nor a clear refusal is {@link OutcomeUnknownError}: the venue may have carried it out.
 * @throws {AuthError} `E_AUTH` key, signature, permission or address refused; `E_BANNED` HTTP 418.
 * @throws {RateLimitError} `E_RATE_LIMITED`; the venue did nothing.
 * @throws {TransportError} `E_CLOCK_REJECTED` our timestamp lies outside the window, `E_VENUE_UNAVAILABLE`: the venue did nothing. `E_VENUE_FAILED`:
 * it failed midway.
 * @throws {WireFormatError} `E_WIRE_JSON`, `E_WIRE_FORMAT`.
 * @throws {OutcomeUnknownError} `E_OUTCOME_UNKNOWN`, commands only.
 */
export function readReply<E extends AnyEndpoint>(
  endpoint: E,
  answer: HttpAnswer,
  context: ReplyContext,
): Reply<E> {
  if (answer.status === 418) {
    const forMs = retryAfterMs(answer.headers['retry-after'], context.now);
    const text = `${endpoint.id}: the venue banned this address (HTTP 418)`;
    throw new BannedError(text, forMs === 0 ? undefined : forMs);
  }
  if (answer.status === 429) throw rateLimited(endpoint, answer, context);
  // Secrets are removed before any text is shortened: half a secret would not be recognized.
  const json = readJson(context.redact(answer.body));
  const error = json instanceof WireFormatError ? undefined : readVenueError(json);
  if (error !== undefined) {
    const words = visibleText(context.redact(error.message));
    const said = `${error.code} "${words}" (${error.fact.name})`;
    return refuse(endpoint, { ...error, said }, answer, context);
  }
  if (answer.status < 200 || answer.status > 299) {
    const code = `HTTP ${String(answer.status)}`;
    const said = `${code} without a code of its own`;
    return refuse(endpoint, { code, said, fact: httpStatusFact(answer.status) }, answer, context);
  }
  try {
    if (json instanceof WireFormatError) throw json;
    return { kind: 'answer', answer: parseAnswer(endpoint, json) };
  } catch (error: unknown) {
    throw unclear(
      endpoint,
      error instanceof WireFormatError ? shown(endpoint, error, context) : error,
    );
  }
}

/** Turns a failure after which a command may have been carried out into {@link OutcomeUnknownError}. Other calls keep their error. */
export function unclear(endpoint: AnyEndpoint, cause: unknown): unknown {
  if (endpoint.idempotent) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OutcomeUnknownError(
    'E_OUTCOME_UNKNOWN',
    `${endpoint.id}: no clear answer (${why}); the venue may have carried it out`,
    { cause },
  );
}

interface ErrorAnswer {
  readonly code: string;
  /** The error in words. */
  readonly said: string;
  readonly fact: VenueErrorFact;
}

function refuse<E extends AnyEndpoint>(
  endpoint: E,
  error: ErrorAnswer,
  answer: HttpAnswer,
  context: ReplyContext,
): Reply<E> {
  const { kind, transient } = error.fact;
  const text = `${endpoint.id}: the venue answered ${error.said}`;
  switch (kind) {
    case 'auth':
      throw new AuthError('E_AUTH', text);
    case 'rate-limit':
      throw rateLimited(endpoint, answer, context);
    case 'clock':
      throw new TransportError('E_CLOCK_REJECTED', text);
    case 'unavailable':
      throw new TransportError('E_VENUE_UNAVAILABLE', text);
    case 'unknown-outcome':
      throw unclear(endpoint, new TransportError('E_VENUE_FAILED', text));
    case 'empty':
      return endpoint.listName === undefined
        ? { kind: 'refused', code: error.code, text, transient }
        : { kind: 'answer', answer: parseAnswer(endpoint, []) };
    case 'invalid-request':
    case 'rejected':
    case 'not-found':
      return { kind: 'refused', code: error.code, text, transient };
  }
}

function rateLimited(
  endpoint: AnyEndpoint,
  answer: HttpAnswer,
  { now }: ReplyContext,
): RateLimitError {
  const waitMs = retryAfterMs(answer.headers['retry-after'], now);
  const asked = waitMs === 0 ? '' : `, and asks to wait ${String(waitMs)} ms`;
  const text = `${endpoint.id}: the venue refused one call too many${asked}`;
  const restMs = Math.min(Math.max(waitMs, endpoint.rateLimit.windowMs), LONGEST_REST_MS);
  return new RateLimitError('E_RATE_LIMITED', text, restMs);
}

function readJson(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error: unknown) {
    if (error instanceof WireFormatError) return error;
    throw error;
  }
}

/** The error without its cause, which quotes the answer. */
function shown(
  endpoint: AnyEndpoint,
  error: WireFormatError,
  { redact }: ReplyContext,
): WireFormatError {
  const place = error.message.startsWith(endpoint.id) ? '' : `${endpoint.id}: `;
  return new WireFormatError(error.code, visibleText(redact(`${place}${error.message}`)));
}
