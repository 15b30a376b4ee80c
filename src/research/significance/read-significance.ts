import { readDocument } from '../document/read-document.js';
import { significanceSchema, type Significance } from './significance-schema.js';

/**
 * Reads the document of a judgment back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no judgment, naming the key.
 */
export function readSignificance(json: string, file: string): Significance {
  return readDocument(significanceSchema, json, {
    file,
    what: 'a document of significance --json',
  });
}
