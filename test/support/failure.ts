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

/** The error that `work` ends with, to be looked at. */
export async function rejectionOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`expected an Error, received ${String(error)}`, { cause: error });
  }
  throw new Error('expected an error, but nothing was thrown');
}
