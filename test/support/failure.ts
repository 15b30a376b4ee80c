/** The error that `work` throws, to be looked at. */
export function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`expected an Error, received ${String(error)}`, { cause: error });
  }
  throw new Error('expected an error, but nothing was thrown');
}
