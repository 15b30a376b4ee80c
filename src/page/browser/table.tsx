import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { minusText } from './words.js';

const PAGE = 50;

/** The data of a picture as a table. It is built when the reader opens it. */
export function Beside({
  caption,
  head,
  rows,
  of,
}: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: () => readonly (readonly string[])[];
  /** Number of all rows, if not all are listed. */
  readonly of?: number | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="beside" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table: {caption}</summary>
      {isOpen && <Pages head={head} rows={rows()} of={of} />}
    </details>
  );
}

/** A text, with the exact value if the text is rounded for reading. */
export type Cell = string | { readonly text: string; readonly exact: string };

/** A cell. Its text may be that of the command line, whose figures have a hyphen. */
export function CellOf({ cell }: { readonly cell: Cell }) {
  if (typeof cell === 'string') return <td>{minusText(cell)}</td>;
  return <td title={cell.exact}>{cell.text}</td>;
}

export function Pages({
  head,
  rows,
  of,
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly of?: number | undefined;
}) {
  const [page, setPage] = useState(0);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  return (
    <>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {head.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr>
                {row.map((cell) => (
                  <CellOf cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {of !== undefined && of > rows.length && (
        <p class="note">
          {rows.length} of {of} points: of each stretch its first, lowest, highest and last.
        </p>
      )}
      <Pager page={page} pages={Math.ceil(rows.length / PAGE)} onPage={setPage} />
    </>
  );
}

/** The column by which a table is sorted. */
interface Sort {
  readonly column: number;
  readonly isDown: boolean;
}

/** The head of a table that is sorted by a click on a name. A second click turns the order round. */
export function SortableHead({
  names,
  sort,
  onSort,
}: {
  readonly names: readonly string[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}) {
  return (
    <thead>
      <tr>
        {names.map((name, column) => {
          const isSorted = sort.column === column;
          return (
            <th
              scope="col"
              aria-sort={isSorted ? (sort.isDown ? 'descending' : 'ascending') : 'none'}
            >
              <button onClick={() => onSort({ column, isDown: isSorted && !sort.isDown })}>
                {name}
                {isSorted ? (sort.isDown ? ' ▼' : ' ▲') : ''}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export function Pager({
  page,
  pages,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}) {
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label="pages of the table">
      <button disabled={page === 0} onClick={() => onPage(0)}>
        First
      </button>
      <button disabled={page === 0} onClick={() => onPage(page - 1)}>
        Back
      </button>
      <span>
        page {page + 1} of {pages}
      </span>
      <button disabled={page >= pages - 1} onClick={() => onPage(page + 1)}>
        On
      </button>
      <button disabled={page >= pages - 1} onClick={() => onPage(pages - 1)}>
        Last
      </button>
    </nav>
  );
}

export function Section({
  title,
  id,
  children,
}: {
  readonly title: string;
  readonly id: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
