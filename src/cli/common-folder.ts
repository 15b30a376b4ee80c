import path from 'node:path';

/** The deepest folder that has all of these files below it. */
export function commonFolder(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => path.dirname(file));
  let folder = first;
  const isBelow = (other: string): boolean =>
    other === folder || other.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
  while (!others.every(isBelow)) folder = path.dirname(folder);
  return folder;
}
