import { readDocument } from '../document/read-document.js';
import { auditSchema, type Audit } from './audit-schema.js';

/**
 * Reads the document of an audit back. `file` is named in the errors.
 *
 * @throws {DataError} `E_RESULT_FORMAT` when the text is no JSON or no audit, naming the key.
 */
export function readAudit(json: string, file: string): Audit {
  return readDocument(auditSchema, json, { file, what: 'a document of audit --json' });
}
