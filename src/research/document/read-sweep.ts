import { readDocument } from './read-document.js';
import { sweepSchema, type Sweep } from './sweep-schema.js';

/**
 * Reads the document of a sweep back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no sweep, naming the key.
 */
export function readSweep(json: string, file: string): Sweep {
  return readDocument(sweepSchema, json, { file, what: 'a document of sweep --json' });
}
