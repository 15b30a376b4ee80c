import type { PageNote } from '../page-data.js';

/** Sentences under their labels. */
export function Notes({ notes }: { readonly notes: readonly PageNote[] }) {
  return (
    <dl class="notes">
      {notes.map(({ label, lines, tone }) => (
        <div class={tone ?? ''}>
          <dt>{label}</dt>
          {lines.map((line) => (
            <dd>{line}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
