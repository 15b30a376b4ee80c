/** What {@link readPages} reads. */
export interface PagedList<T> {
  /** Reads one page that starts at an id, inclusive; at the venue's own start where it is undefined. */
  readonly readPage: (fromId: string | undefined) => Promise<readonly T[]>;
  readonly idOf: (row: T) => string;
  readonly fromId: string | undefined;
  readonly pageSize: number;
}

/** A page of less than this is the last one, whatever was asked for: servers cut larger pages at sizes of their own. */
const SURELY_SERVED = 100;

/**
 * Reads a list page by page, each id once.
 *
 * Where a page starts is inclusive, so pages overlap by a row. Which way the venue counts is not documented: pages are asked for from the
 * largest id seen; when that brings nothing new and the page was full, from the smallest. It ends at a page that brings nothing new, or
 * that is not full.
 *
 * A venue that answers with the newest rows from an id on, instead of the next ones, hides what lies between; no parameter of the
 * interface could fetch it. Reading often enough that less than a page is new avoids it.
 */
export async function* readPages<T>({
  readPage,
  idOf,
  fromId,
  pageSize,
}: PagedList<T>): AsyncGenerator<T, void, undefined> {
  const fullPage = Math.min(pageSize, SURELY_SERVED);
  const seen = new Set<string>();
  let rising = true;
  let start = fromId;
  for (;;) {
    const page = await readPage(start);
    let isNew = false;
    for (const row of page) {
      const id = idOf(row);
      if (seen.has(id)) continue;
      seen.add(id);
      isNew = true;
      yield row;
    }
    if (page.length < fullPage) return;
    if (!isNew) {
      if (!rising) return;
      rising = false;
    }
    start = extremeOf(seen, rising);
  }
}

/** The largest or smallest id; ids are numbers of any length. */
function extremeOf(ids: Iterable<string>, largest: boolean): string | undefined {
  let extreme: string | undefined;
  for (const id of ids) {
    if (extreme === undefined || isLess(extreme, id) === largest) extreme = id;
  }
  return extreme;
}

function isLess(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
