import { z } from 'zod';
import type { Scalar } from './scalars.js';

/**
 * Source of the rule that a request's field must be sent. `interface`: the interface marks it. `family`: the interface is silent, and the
 * family's documents and clients require it. `optional`: a caller may leave it out.
 */
export type FieldMark = 'interface' | 'family' | 'optional';

/** Facts about a field beyond its schema. These members appear in the OpenAPI document under the same names. */
export interface WireFieldFacts {
  readonly description?: string;
  /** The type as the interface names it: long, integer, float, number, string, boolean, list, array, object, time. */
  readonly 'x-wire-type'?: string;
  /** Requests only. */
  readonly 'x-required'?: FieldMark;
  /** The interface does not list the field; other deployments send it, or take it. */
  readonly 'x-profile'?: 'family';
  readonly type?: string | readonly string[];
  readonly examples?: readonly (string | number)[];
  readonly default?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** Facts per field schema. */
export const WIRE_FIELDS: z.core.$ZodRegistry<WireFieldFacts> = z.registry<WireFieldFacts>();

/** A limit on what one request may ask for. */
export interface FieldBound {
  readonly field: string;
  /** Used when the field is left out. */
  readonly default?: number;
  /** Largest value of a number. */
  readonly maximum?: number;
  /** Most entries of a list. */
  readonly maxItems?: number;
  /** Most characters of a text. */
  readonly maxLength?: number;
}

/** Fields of a record in their order. */
export function fieldsOf(record: z.ZodObject): readonly (readonly [string, z.core.$ZodType])[] {
  const shape: z.core.$ZodShape = record.shape;
  return Object.entries(shape);
}

/** Reads the bounds of a request from the facts of its fields. */
export function requestBounds(request: z.ZodObject): readonly FieldBound[] {
  return fieldsOf(request).flatMap(([name, schema]) => {
    const facts = WIRE_FIELDS.get(schema);
    if (facts === undefined) return [];
    const { default: standard, maximum, maxItems, maxLength } = facts;
    const bound: FieldBound = {
      field: name,
      ...(standard === undefined ? {} : { default: standard }),
      ...(maximum === undefined ? {} : { maximum }),
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(maxLength === undefined ? {} : { maxLength }),
    };
    return Object.keys(bound).length > 1 ? [bound] : [];
  });
}

/** Schema of an answer's field. */
type AnswerField<T> = z.ZodPipe<z.ZodUnknown, z.ZodTransform<T>>;

function answerField<T>(scalar: Scalar<T>): AnswerField<T> {
  return z.unknown().transform((value, context): T => {
    const read = scalar.read(value);
    if (read !== undefined) return read;
    context.issues.push({ code: 'custom', message: scalar.expected, input: value });
    return z.NEVER;
  });
}

function answerFacts<T>(scalar: Scalar<T>, wireType: string, description: string): WireFieldFacts {
  return {
    description,
    'x-wire-type': wireType,
    type: scalar.types,
    ...(scalar.values === undefined ? {} : { examples: scalar.values }),
  };
}

/** A field of an answer that must be there. */
export function field<T>(scalar: Scalar<T>, wireType: string, description: string): AnswerField<T> {
  return answerField(scalar).register(WIRE_FIELDS, answerFacts(scalar, wireType, description));
}

/** Schema of an answer's field that may be missing. */
type OptionalAnswerField<T> = z.ZodOptional<AnswerField<T | undefined>>;

function lenient<T>(scalar: Scalar<T>, facts: WireFieldFacts): OptionalAnswerField<T> {
  const schema = z.unknown().transform((value, context): T | undefined => {
    if (value === undefined || value === null || value === '') return undefined;
    if (scalar.zeroIsAbsent === true && (value === 0 || value === '0')) return undefined;
    const read = scalar.read(value);
    if (read !== undefined) return read;
    context.issues.push({ code: 'custom', message: scalar.expected, input: value });
    return z.NEVER;
  });
  return schema.optional().register(WIRE_FIELDS, { ...facts, type: [...scalar.types, 'null'] });
}

/** A field the interface lists and a deployment may leave out: missing, null and empty text mean that there is no value. */
export function optionalField<T>(
  scalar: Scalar<T>,
  wireType: string,
  description: string,
): OptionalAnswerField<T> {
  return lenient(scalar, answerFacts(scalar, wireType, description));
}

/** A field the interface does not list and other deployments of the family send. */
export function familyField<T>(
  scalar: Scalar<T>,
  wireType: string,
  description: string,
): OptionalAnswerField<T> {
  const facts = answerFacts(scalar, wireType, description);
  return lenient(scalar, { ...facts, 'x-profile': 'family' });
}

/** A field of an answer the interface does not show at all, without which the answer means nothing. */
export function familyRequired<T>(
  scalar: Scalar<T>,
  wireType: string,
  description: string,
): AnswerField<T> {
  const facts = answerFacts(scalar, wireType, description);
  return answerField(scalar).register(WIRE_FIELDS, { ...facts, 'x-profile': 'family' });
}

/** Adds facts to a structured field (a list, an object) of an answer. */
export function described<T extends z.ZodType>(
  schema: T,
  wireType: string,
  description: string,
): T {
  WIRE_FIELDS.add(schema, { description, 'x-wire-type': wireType });
  return schema;
}

/** Adds facts to a structured field the interface does not list. */
export function familyDescribed<T extends z.ZodType>(
  schema: T,
  wireType: string,
  description: string,
): T {
  WIRE_FIELDS.add(schema, { description, 'x-wire-type': wireType, 'x-profile': 'family' });
  return schema;
}
