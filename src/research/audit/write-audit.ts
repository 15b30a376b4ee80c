import { writeLines } from '../document/write-lines.js';
import type { Audit } from './audit-schema.js';

/** Writes the document of an audit as JSON text with a line feed at the end. The same document gives the same bytes. */
export function writeAudit(document: Audit): string {
  return writeLines({ ...document }, []);
}
