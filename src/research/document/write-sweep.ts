import type { Sweep } from './sweep-schema.js';
import { writeLines } from './write-lines.js';

/** Writes the document of a sweep as JSON text, one line per trial, with a line feed at the end. The same sweep gives the same bytes. */
export function writeSweep({ trials, ...head }: Sweep): string {
  return writeLines({ ...head, trials }, ['trials']);
}
