import { writeLines } from '../document/write-lines.js';
import type { Fuzz } from './fuzz-schema.js';

/** Writes the document of a fuzz as JSON text with a line feed at the end. The same document gives the same bytes. */
export function writeFuzz(document: Fuzz): string {
  return writeLines({ ...document }, []);
}
