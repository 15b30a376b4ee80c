/** A list for {@link readPages}. */
interface PagedList<T> {
  /** Reads one page that starts at an id, inclusive; undefined: at the venue's own start. */
  readonly readPage: (fromId: string | undefined) => Promise<readonly T[]>;
  readonly idOf: (row: T) => string;
  /** Tells two rows with one id apart. @defaultValue the id alone */
  readonly keyOf?: ((row: T) => string) | undefined;
  readonly fromId: string | undefined;
  readonly pageSize: number;
}

/** A page with fewer rows is the last one, whatever size was requested: servers limit larger pages to sizes of their own. */
const SURELY_SERVED = 100;

/**
 * Reads a list page by page, each row once.
 *
 * The start of a page is inclusive, so pages overlap by a row. The venue's direction is not documented: each page starts at the largest id seen; if
 * that brings nothing new and the page was full, at the smallest. Reading ends with a page that brings nothing new, or that is not full.
 *
 * If a venue answers with the newest rows from an id on, instead of the next ones, the rows between are lost: no parameter of the interface could
 * fetch them. To avoid this, read so often that less than a page is new.
 */
export async function* readPages<T>({
  readPage,
  idOf,
  keyOf = idOf,
  fromId,
  pageSize,
}: PagedList<T>): AsyncGenerator<T, void, undefined> {
  const fullPage = Math.min(pageSize, SURELY_SERVED);
  const seen = new Set<string>();
  const ids = new Set<string>();
  let rising = true;
  let start = fromId;
  for (;;) {
    const page = await readPage(start);
    let isNew = false;
    for (const row of page) {
      const key = keyOf(row);
      if (seen.has(key)) continue;
      seen.add(key);
      ids.add(idOf(row));
      isNew = true;
      yield row;
    }
    if (page.length < fullPage) return;
    if (!isNew) {
      if (!rising) return;
      rising = false;
    }
    start = extremeOf(ids, rising);
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
