import { writeLines } from '../document/write-lines.js';
import type { MonteCarlo } from './monte-carlo-schema.js';

/** Writes the document of a Monte Carlo as JSON text with a line feed at the end. The same document gives the same bytes. */
export function writeMonteCarlo(document: MonteCarlo): string {
  return writeLines({ ...document }, []);
}
