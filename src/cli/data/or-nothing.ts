import { DataError, type ErrorCode } from '../../domain/index.js';

const NOTHING_STORED: readonly ErrorCode[] = [
  ...(['E_DATA_ARCHIVE', 'E_DATA_MISSING', 'E_DATA_EMPTY', 'E_DATA_RANGE'] as const),
];

/**
 * Returns the result of a read of an archive; undefined if nothing is stored, or if the error has one of the codes `others`. @throws other errors
 * of the archive.
 */
export async function orNothing<T>(
  read: Promise<T>,
  others: readonly ErrorCode[] = [],
): Promise<T | undefined> {
  try {
    return await read;
  } catch (error: unknown) {
    const isNothing =
      error instanceof DataError && [...NOTHING_STORED, ...others].includes(error.code);
    if (isNothing) return undefined;
    throw error;
  }
}
