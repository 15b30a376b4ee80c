import { stat, utimes } from 'node:fs/promises';

/** Makes an archive file look older than its metadata, as after a write. Damage by the disk leaves no trace in these times. */
export async function touchMetadata(arrow: string): Promise<void> {
  const metadata = arrow.replace(/\.arrow$/, '.json');
  const { atime, mtime } = await stat(metadata);
  // Times of a file system are as coarse as its clock.
  do await utimes(metadata, atime, mtime);
  while ((await stat(metadata)).ctimeMs <= (await stat(arrow)).ctimeMs);
}
