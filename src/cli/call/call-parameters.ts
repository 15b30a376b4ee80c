import { suggestWord, UsageError } from '../../domain/index.js';
import {
  coerceRequest,
  ENDPOINT_LIST,
  ENDPOINTS,
  isEndpointId,
  parseJson,
  type AnyEndpoint,
} from '../../venue/wire/index.js';

/** Finds an endpoint by its id. @throws {UsageError} `E_USAGE` if there is none; the message names the id that the user probably meant. */
export function findEndpoint(id: string | undefined): AnyEndpoint {
  if (id === undefined) {
    throw new UsageError('E_USAGE', 'no endpoint is named; --list shows them');
  }
  if (isEndpointId(id)) return ENDPOINTS[id];
  const ids = ENDPOINT_LIST.map((endpoint) => endpoint.id);
  const meant = suggestWord(id, ids);
  const advice = meant === undefined ? '--list shows them' : `did you mean ${meant}?`;
  throw new UsageError(
    'E_USAGE',
    `expected the id of an endpoint, received "${id.slice(0, 60)}"; ${advice}`,
  );
}

/**
 * Reads `key=value` words into the request of an endpoint. The table of endpoints gives the types; lists and objects are JSON.
 *
 * @throws {UsageError} `E_USAGE` for a word without `=`, an unknown key, a key that comes twice, or a list that is not JSON.
 */
export function readParameters(
  endpoint: AnyEndpoint,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const known = Object.keys(endpoint.request.shape);
  const sent = new Map<string, unknown>();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1) {
      throw new UsageError(
        'E_USAGE',
        `${endpoint.id}: expected key=value, received "${word.slice(0, 60)}"`,
      );
    }
    const key = word.slice(0, equals);
    if (!known.includes(key)) throw unknownKey(endpoint, key, known);
    if (sent.has(key)) throw new UsageError('E_USAGE', `${endpoint.id}: ${key} is given twice`);
    sent.set(key, readValue(endpoint, key, word.slice(equals + 1)));
  }
  return coerceRequest(endpoint.request, Object.fromEntries(sent));
}

function readValue(endpoint: AnyEndpoint, key: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch (cause: unknown) {
    throw new UsageError(
      'E_USAGE',
      `${endpoint.id}: ${key}: expected JSON, received "${text.slice(0, 60)}"`,
      { cause },
    );
  }
}

function unknownKey(endpoint: AnyEndpoint, key: string, known: readonly string[]): UsageError {
  const meant = suggestWord(key, known);
  const all = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  const advice = meant === undefined ? all : `did you mean ${meant}?`;
  return new UsageError(
    'E_USAGE',
    `${endpoint.id}: unknown parameter "${key.slice(0, 60)}"; ${advice}`,
  );
}
