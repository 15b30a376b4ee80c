import type { AuditWords } from '../../research/index.js';
import { formatTable } from '../data/text-table.js';

/** Lays an audit out on one page: each proof with its verdict and its comparison, the tables, then notes and findings. */
export function renderAudit({ title, proofs, tables, notes, findings }: AuditWords): string {
  return [
    ...title,
    '',
    ...proofs.map(({ name, verdict, said }) => `${name.padEnd(12)}${verdict.padEnd(10)}${said}`),
    ...tables.flatMap(renderTable),
    ...(findings.length + notes.length > 0 ? [''] : []),
    ...notes.map((note) => `note        ${note}`),
    ...findings.map((finding) => `finding     ${finding}`),
    '',
    findings.length === 0 ? 'nothing found' : `findings: ${String(findings.length)}`,
    '',
  ].join('\n');
}

function renderTable({ name, said, columns, rows, foot }: AuditWords['tables'][number]): string[] {
  return [
    '',
    ...(said === '' ? [] : [`${name.padEnd(12)}${said}`]),
    ...(rows.length === 0 ? [] : [formatTable(columns, rows).trimEnd()]),
    ...(foot === '' ? [] : [foot]),
  ];
}
