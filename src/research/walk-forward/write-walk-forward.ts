import { writeLines } from '../document/write-lines.js';
import type { WalkForward } from './walk-forward-schema.js';

/**
 * Writes the document of a walk-forward as JSON text, one line per fold and per point, with a line feed at the end. The same document gives the same bytes.
 */
export function writeWalkForward(walk: WalkForward): string {
  return writeLines({ ...walk }, ['folds', 'curve']);
}
