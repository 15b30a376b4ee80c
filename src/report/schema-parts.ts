import { z } from 'zod';

/** Parts of the result schema, each with its description. */

export const someText = (description: string): z.ZodString =>
  z.string().min(1).describe(description);

export const time = (description: string): z.ZodInt =>
  z.int().describe(`${description}; UTC milliseconds`);

export const count = (description: string): z.ZodInt => z.int().nonnegative().describe(description);

export const ratio = (description: string): z.ZodNullable<z.ZodNumber> =>
  z.number().nullable().describe(description);

export const amount = (description: string): z.ZodString =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/, 'expected a plain decimal such as "-12.5"')
    .describe(description);
