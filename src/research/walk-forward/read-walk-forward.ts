import { readDocument } from '../document/read-document.js';
import { walkForwardSchema, type WalkForward } from './walk-forward-schema.js';

/**
 * Reads the document of a walk back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no walk, naming the key.
 */
export function readWalkForward(json: string, file: string): WalkForward {
  return readDocument(walkForwardSchema, json, { file, what: 'a document of walk-forward --json' });
}
