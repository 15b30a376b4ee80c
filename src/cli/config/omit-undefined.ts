type Defined<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out the members that say nothing. */
export function omitUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>;
}
