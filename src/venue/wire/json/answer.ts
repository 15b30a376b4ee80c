import { z } from 'zod';
import { WireFormatError } from '../../../domain/index.js';
import { describeValue, isRecord, ownMember, unwrapText } from './body.js';
import type { AnswerOf, AnyEndpoint } from '../endpoint.js';
import { formatPath, mostTelling } from './issues.js';
import { readVenueError } from '../venue-error.js';

/** Content of an answer without its wrappers, and the path at which it was found. */
interface OpenedAnswer {
  readonly content: unknown;
  readonly path: readonly PropertyKey[];
}

/**
 * Reads an answer: opens double encoding, the envelope `{code, msg, data, succ}` and the wrappers `list` and `symbols`, then checks every
 * field, unifies spellings and ignores what it does not know. Total: any value in, an answer or one kind of error out.
 *
 * Give it a value from {@link parseJson}. JSON.parse loses digits of long ids; such a value is refused if the loss is visible.
 * @throws {WireFormatError} `E_WIRE_FORMAT` naming endpoint, key path, expected and received; also for an error body, which
 * {@link readVenueError} should have taken first.
 */
export function parseAnswer<E extends AnyEndpoint>(endpoint: E, json: unknown): AnswerOf<E> {
  const answer: E['answer'] = endpoint.answer;
  const { content, path } = open(endpoint, unwrapText(json));
  if (!Array.isArray(content) || content.length <= PIECE_ENTRIES) {
    return checked(endpoint, answer, { content, path }) as AnswerOf<E>;
  }
  // Piece by piece: each wrong entry makes a long list of issues, and a venue may send a hundred thousand of them.
  const entries: unknown[] = [];
  for (let first = 0; first < content.length; first += PIECE_ENTRIES) {
    const piece = { content: content.slice(first, first + PIECE_ENTRIES) as unknown, path, first };
    entries.push(...(checked(endpoint, answer, piece) as readonly unknown[]));
  }
  return entries as AnswerOf<E>;
}

/** Entries of a list that are checked together. */
const PIECE_ENTRIES = 1_000;

/** Fields that name a row: an execution of a pair, of a contract, and an order. */
const ROW_IDS = ['id', 'tradeId', 'orderId'];

function checked(
  endpoint: AnyEndpoint,
  schema: z.ZodType,
  { content, path, first = 0 }: OpenedAnswer & { readonly first?: number },
): unknown {
  const result = z.safeParse(schema, content);
  if (result.success) return result.data;
  const issue = mostTelling(result.error.issues);
  const received = describeValue(issue.path.reduce(ownMember, content));
  const [entry, ...rest] = issue.path;
  const place = first > 0 && typeof entry === 'number' ? [first + entry, ...rest] : issue.path;
  const row = typeof entry === 'number' ? nameOfRow(ownMember(content, entry)) : '';
  throw formatError(endpoint, [...path, ...place], `${issue.expected}${row}`, received);
}

function open(endpoint: AnyEndpoint, body: unknown): OpenedAnswer {
  const error = readVenueError(body);
  if (error !== undefined) {
    throw formatError(endpoint, [], 'an answer', `the error ${error.code} "${error.message}"`);
  }
  const isEnveloped = isRecord(body) && Object.hasOwn(body, 'code') && Object.hasOwn(body, 'data');
  const opened: OpenedAnswer = isEnveloped
    ? { content: ownMember(body, 'data'), path: ['data'] }
    : { content: body, path: [] };
  if (!(endpoint.answer instanceof z.ZodArray)) return opened;
  // An empty list may come as an envelope around null.
  if (isEnveloped && opened.content === null) return { ...opened, content: [] };
  for (const name of ['list', 'symbols']) {
    const list = ownMember(opened.content, name);
    if (Array.isArray(list)) return { content: list, path: [...opened.path, name] };
  }
  return opened;
}

/** The id of a row of a list, by which the venue can find it; empty if it shows none. */
function nameOfRow(row: unknown): string {
  for (const name of ROW_IDS) {
    const id = ownMember(row, name);
    if (typeof id === 'string' || typeof id === 'number')
      return ` in the row with ${name} ${describeValue(id)}`;
  }
  return '';
}

function formatError(
  endpoint: AnyEndpoint,
  path: readonly PropertyKey[],
  expected: string,
  received: string,
): WireFormatError {
  const place = path.length === 0 ? 'the answer' : formatPath(path);
  return new WireFormatError(
    'E_WIRE_FORMAT',
    `${endpoint.id}: ${place}: expected ${expected}, received ${received} (E_WIRE_FORMAT)`,
  );
}
