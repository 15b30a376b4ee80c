import { writeLines } from '../document/write-lines.js';
import type { CrossValidation } from './cross-validation-schema.js';

/**
 * Writes the document of a cross-validation as JSON text, one line per path and per split, with a line feed at the end. The same document gives the same
 * bytes.
 */
export function writeCrossValidation(document: CrossValidation): string {
  return writeLines({ ...document }, ['paths', 'splits']);
}
