import { stat, utimes } from 'node:fs/promises';

/**
 * Whether a file was last changed before its metadata. Each write changes the metadata last, so a later change of the file comes from
 * another program or is damage.
 */
export async function isWrittenBefore(
  file: { readonly ctimeMs: number },
  metadata: string,
): Promise<boolean> {
  const later = await stat(metadata).catch(() => undefined);
  return later !== undefined && file.ctimeMs < later.ctimeMs;
}

/** Makes {@link isWrittenBefore} true for a file of which every byte was proved. If this fails, the file is proved again the next time. */
export async function markAsWrittenBefore(metadata: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(metadata);
    // Sets the times to their present values: this alone makes the metadata newer.
    await utimes(metadata, atime, mtime);
  } catch {
    // A read-only archive is no error for a reader.
  }
}
