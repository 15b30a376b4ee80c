import { stat, utimes } from 'node:fs/promises';

/** Makes a file of the archive look as if it was changed before its metadata, as it is after a write: damage of a disk leaves no trace. */
export async function touchMetadata(arrow: string): Promise<void> {
  const metadata = arrow.replace(/\.arrow$/, '.json');
  const { atime, mtime } = await stat(metadata);
  // Times of a file system are as coarse as its clock.
  do await utimes(metadata, atime, mtime);
  while ((await stat(metadata)).ctimeMs <= (await stat(arrow)).ctimeMs);
}
