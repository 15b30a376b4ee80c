import { z } from 'zod';

/** Parts of the schemas of documents, each with its description. */

export const textSchema = (description: string): z.ZodString =>
  z.string().min(1).describe(description);

export const timeSchema = (description: string): z.ZodInt =>
  z.int().describe(`${description}; UTC milliseconds`);

export const countSchema = (description: string): z.ZodInt =>
  z.int().nonnegative().describe(description);

export const figureSchema = (description: string): z.ZodNullable<z.ZodNumber> =>
  z.number().nullable().describe(description);

export const amountSchema = (description: string): z.ZodString =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?$/, 'expected a plain decimal such as "-12.5"')
    .describe(description);
