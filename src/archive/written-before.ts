import { stat, utimes } from 'node:fs/promises';

/**
 * Whether a file was last changed before its metadata. Each write changes the metadata last, so that a later change of the file is
 * somebody else's, or a damage.
 */
export async function isWrittenBefore(
  file: { readonly ctimeMs: number },
  metadata: string,
): Promise<boolean> {
  const later = await stat(metadata).catch(() => undefined);
  return later !== undefined && file.ctimeMs < later.ctimeMs;
}

/** Makes it so, of a file every byte of which was proved. Where nothing can be written it is proved again the next time. */
export async function markAsWrittenBefore(metadata: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(metadata);
    // Its times stay what they are; that they were set is a change.
    await utimes(metadata, atime, mtime);
  } catch {
    // The archive is only read: it is not for a reader to complain.
  }
}
