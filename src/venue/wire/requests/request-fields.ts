import { z } from 'zod';
import { WIRE_FIELDS, type FieldMark, type WireFieldFacts } from '../json/fields.js';
import { LONGEST_TEXT } from '../json/scalars.js';

/** Default of every `limit`. Source: interface, parameter bounds. */
const DEFAULT_LIMIT = 100;
/** Most orders in one batch. Source: interface, parameter bounds. */
const MAX_BATCH = 10;
/** Longest client order id of futures: the interface says shorter than 32 characters. */
const MAX_CLIENT_ORDER_ID = 31;

/** The venue's name of a pair or contract. */
export const SYMBOL_TEXT = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a name of 1 to 64 letters, digits, ".", "_" and "-"',
  );
/** A decimal ≥ 0 as text, without exponent: its digits reach the wire unchanged. */
export const AMOUNT_TEXT = z
  .string()
  .regex(/^\d{1,40}(?:\.\d{1,18})?$/, 'a decimal >= 0 with at most 18 decimals');
/** An id as text. */
export const ID_TEXT = z.string().regex(/^\d{1,20}$/, 'an id of at most 20 digits');
export const CLIENT_ID_TEXT = z.string().min(1).max(LONGEST_TEXT);
export const SIDE_TEXT = z.enum(['BUY', 'SELL']);
export const TYPE_TEXT = z.enum(['LIMIT', 'MARKET']);
export const ACTION_TEXT = z.enum(['OPEN', 'CLOSE']);

/** JSON types a server takes for each type the interface names: numbers may come as text and the reverse. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'number'],
  number: ['number', 'string'],
  float: ['number', 'string'],
  integer: ['integer', 'string'],
  long: ['integer', 'string'],
};

function facts(wireType: string, description: string, mark: FieldMark): WireFieldFacts {
  const type = TAKEN[wireType];
  return {
    description,
    'x-wire-type': wireType,
    'x-required': mark,
    ...(type === undefined ? {} : { type }),
  };
}

/** Gives a schema its facts without touching a schema that other fields share. */
function mark<T extends z.ZodType>(schema: T, known: WireFieldFacts): T {
  const own = schema.clone();
  WIRE_FIELDS.add(own, known);
  return own;
}

/** A field the interface marks as required. */
export function required<T extends z.ZodType>(schema: T, wireType: string, description: string): T {
  return mark(schema, facts(wireType, description, 'interface'));
}

/** A field that the interface does not mark as required, but that the call needs. */
export function needed<T extends z.ZodType>(schema: T, wireType: string, description: string): T {
  return mark(schema, facts(wireType, description, 'family'));
}

/** A field that may be left out. */
export function optional<T extends z.ZodType>(
  schema: T,
  wireType: string,
  description: string,
): z.ZodOptional<T> {
  return mark(schema.optional(), facts(wireType, description, 'optional'));
}

/** A field the interface does not list and newer deployments of the family take. */
function familyOptional<T extends z.ZodType>(
  schema: T,
  wireType: string,
  description: string,
): z.ZodOptional<T> {
  const known = facts(wireType, description, 'optional');
  return mark(schema.optional(), { ...known, 'x-profile': 'family' });
}

/**
 * Span of open times of klines, in UTC milliseconds. Not in the interface: newer documents of the family list it, older servers ignore
 * it (medium confidence), so a caller checks what came back.
 */
export const KLINE_SPAN = {
  startTime: familyOptional(z.int().min(0), 'long', 'First open time, UTC milliseconds'),
  endTime: familyOptional(z.int().min(0), 'long', 'Last open time, UTC milliseconds'),
} as const;

/** The field `limit`: 100 when left out. It is always sent. */
export function limit(
  wireType: 'integer' | 'string',
  maximum: number,
  marked: 'interface' | 'optional',
  description = 'Most entries of the answer',
): z.ZodDefault<z.ZodInt> {
  return mark(z.int().min(1).max(maximum).default(DEFAULT_LIMIT), {
    ...facts(wireType, description, marked),
    type: ['integer', 'string'],
    default: DEFAULT_LIMIT,
    maximum,
  });
}

/** The client order id of futures. */
export function futuresClientOrderId(): z.ZodOptional<z.ZodString> {
  return mark(z.string().min(1).max(MAX_CLIENT_ORDER_ID).optional(), {
    ...facts('string', 'Our own id, shorter than 32 characters', 'optional'),
    maxLength: MAX_CLIENT_ORDER_ID,
  });
}

/** A list of at most 10 entries. */
export function batch<T extends z.ZodType>(entry: T, description: string): z.ZodArray<T> {
  return mark(z.array(entry).min(1).max(MAX_BATCH), {
    ...facts('array', description, 'interface'),
    maxItems: MAX_BATCH,
  });
}

/** Adds the rule that LIMIT orders carry a price, where `typeField` names the field with the type. */
export function limitNeedsPrice<T extends z.ZodObject>(schema: T, typeField: string): T {
  return schema.check((context) => {
    const order: Readonly<Record<string, unknown>> = context.value;
    if (order[typeField] !== 'LIMIT' || order['price'] !== undefined) return;
    context.issues.push({
      code: 'custom',
      message: 'a price, because the type is LIMIT',
      path: ['price'],
      input: order['price'],
    });
  });
}

/** Names and ids that several requests have. */
export const contractName = needed(SYMBOL_TEXT, 'string', 'Contract name, for example E-BTC-USDT');
export const spotSymbol = required(SYMBOL_TEXT, 'string', 'Pair name, for example BTCUSDT');
export const newClientOrderId = optional(CLIENT_ID_TEXT, 'string', 'Our own id');
