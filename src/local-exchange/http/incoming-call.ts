/** One request as it came, byte for byte. */
export interface IncomingCall {
  readonly method: string;
  /** Path and query exactly as on the request line. */
  readonly target: string;
  /** A header by its lower-case name. Several headers of one name are joined by commas. */
  readonly header: (name: string) => string | undefined;
  /** Network address of the sender. */
  readonly address: string;
  /** Empty for a GET. */
  readonly body: Uint8Array;
}

/** Splits a request target into the parts before and after its question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
