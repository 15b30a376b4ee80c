import { z } from 'zod';
import { formatFixed } from '../../../domain/index.js';
import { isRecord, ownMember } from '../json/body.js';
import { fieldsOf } from '../json/fields.js';
import { DECIMAL } from '../json/scalars.js';

/**
 * Gives the fields of a request the types of the table: `"100"` becomes 100 where a number belongs, 9300.5 becomes `"9300.5"` where a
 * decimal belongs. Keeps only known fields; null and empty text count as absent. Other values stay as they are, for the check to refuse.
 */
export function coerceRequest(
  schema: z.ZodObject,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = fieldsOf(schema).flatMap(([key, field]): [string, unknown][] => {
    const value = ownMember(sent, key);
    return value === undefined || value === null || value === ''
      ? []
      : [[key, coerce(field, value)]];
  });
  return Object.fromEntries(entries);
}

function coerce(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return coerce(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((entry) => coerce(schema.element, entry));
  }
  if (schema instanceof z.ZodObject) return isRecord(value) ? coerceRequest(schema, value) : value;
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) return asNumber(value);
  return asText(value);
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function asText(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (Number.isSafeInteger(value)) return String(value);
  const amount = DECIMAL.read(value);
  return amount === undefined ? value : formatFixed(amount);
}
