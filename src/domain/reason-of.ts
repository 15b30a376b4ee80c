/** What the operating system says of files and processes, in plain words. */
const PLAIN: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'permission denied',
  EAGAIN: 'the system has no room for it now',
  EBUSY: 'another program uses it',
  EDQUOT: 'the disk quota of the user is used up',
  EEXIST: 'it already exists',
  EFBIG: 'it is larger than the disk allows',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'no such file or folder',
  ENOMEM: 'the memory of the machine is used up',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
};

/**
 * Why something failed, for the end of a message that names the file: plain words for an error of the operating system, else the error's own
 * message.
 */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Node writes them as "ENOENT: no such file or directory, open '/a/b'", or for a socket as "connect EACCES /a/b".
  const [, code = '', call = ''] = /^(?:\w+ )?(E[A-Z]+)\b(?:[^,]*, (\w+))?/.exec(message) ?? [];
  // A watch says ENOSPC if the machine allows no more watches.
  return call === 'watch' ? message : (PLAIN[code] ?? message);
}
