import type { AuditPage, PageAudit } from '../page-data.js';
import { Notes } from './notes.js';
import { Pages, Section } from './table.js';

/** Page of a single audit. */
export function AuditView({ page }: { readonly page: AuditPage }) {
  const [name, ...details] = page.title;
  return (
    <>
      <header>
        <h1>{name}</h1>
        {details.map((line) => (
          <p class="details">{line}</p>
        ))}
      </header>
      <AuditSection audit={page.audit} />
    </>
  );
}

/** Section with the outcome of an audit. */
export function AuditSection({ audit }: { readonly audit: PageAudit }) {
  return (
    <Section title="Audit" id="audit">
      <Notes notes={audit.proofs} />
      {audit.tables.map(({ name, said, head, rows, foot }) => (
        <>
          <h3>{name}</h3>
          {said !== '' && <p>{said}</p>}
          {rows.length > 0 && <Pages head={head} rows={rows} />}
          {foot !== '' && <p class="note">{foot}</p>}
        </>
      ))}
    </Section>
  );
}
