import { describeAudit, type Audit, type AuditWords } from '../../research/index.js';
import type { AuditPage, PageAudit, PageNote, PageTone } from '../page-data.js';

const TONES = {
  passed: 'good',
  violated: 'bad',
  'not done': 'plain',
} as const satisfies Readonly<Record<AuditWords['proofs'][number]['verdict'], PageTone>>;

/** Makes the page of a single audit. */
export function buildAuditPage(audit: Audit): AuditPage {
  return { kind: 'audit', title: describeAudit(audit).title, audit: buildPageAudit(audit) };
}

/** Makes the audit part of a page, in the words of the command. */
export function buildPageAudit(audit: Audit): PageAudit {
  const { proofs, tables, notes } = describeAudit(audit);
  const noted: readonly PageNote[] = notes.length === 0 ? [] : [{ label: 'Notes', lines: notes }];
  return {
    proofs: [
      ...proofs.map(({ name, verdict, said, findings }) => ({
        label: name,
        lines: [`${verdict}: ${said}`, ...findings],
        tone: TONES[verdict],
      })),
      ...noted,
    ],
    tables: tables.map(({ columns, ...table }) => ({
      ...table,
      head: columns.map(({ head }) => head),
    })),
  };
}
