import { z } from 'zod';
import { fieldsOf, WIRE_FIELDS } from '../json/fields.js';
import { JsonNumber, type JsonOutput } from '../json/json.js';

type Writer<T> = (value: T) => JsonOutput;

/** A number in JSON has none. */
const LEADING_ZEROS = /^0+(?=\d)/;

/** Writes the fields of a checked request, in their order. Absent fields are left out. */
export type RequestWriter = (
  values: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, JsonOutput>>;

/** Prepares once how each field of a request is written: quoted if the interface says string, otherwise as a bare number, digit by digit. */
export function requestWriter(schema: z.ZodObject): RequestWriter {
  const fields = fieldsOf(schema).map(([key, field]) => ({ key, write: writerOf(field) }));
  return (values) => {
    const written: Record<string, JsonOutput> = {};
    for (const { key, write } of fields) {
      const value = values[key];
      if (value !== undefined) written[key] = write(value);
    }
    return written;
  };
}

function writerOf(schema: z.core.$ZodType): Writer<unknown> {
  if (schema instanceof z.ZodObject) {
    const write = requestWriter(schema);
    return (value) => write(value as Readonly<Record<string, unknown>>);
  }
  const writeScalar: Writer<unknown> =
    WIRE_FIELDS.get(schema)?.['x-wire-type'] === 'string'
      ? String
      : (value) => new JsonNumber(String(value).replace(LEADING_ZEROS, ''));
  if (!(schema instanceof z.ZodArray)) return writeScalar;
  const writeEntry = writerOf(schema.element);
  return (value) => (Array.isArray(value) ? value.map(writeEntry) : writeScalar(value));
}
