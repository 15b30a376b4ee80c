import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../../src/domain/index.js';

/** The reason for which a file cannot be read. */
function reasonToRead(path: string): string {
  try {
    readFileSync(path);
  } catch (error: unknown) {
    return reasonOf(error);
  }
  return 'none';
}

describe('reasonOf', () => {
  it.each([
    ['/no/such/file', 'no such file or folder'],
    ['/', 'it is a folder, not a file'],
    [`${import.meta.filename}/below`, 'a part of its path is a file, not a folder'],
    [`/${'n'.repeat(300)}`, 'its name is too long'],
  ])('says in plain words why %s cannot be read', (path, reason) => {
    expect(reasonToRead(path)).toBe(reason);
  });

  it('says that a disk is full, and keeps what else says ENOSPC', () => {
    expect(reasonOf(new Error('ENOSPC: no space left on device, write'))).toBe('the disk is full');
    const watches = "ENOSPC: System limit for number of file watchers reached, watch '/a'";
    expect(reasonOf(new Error(watches))).toBe(watches);
  });

  it('keeps other texts', () => {
    expect(reasonOf(new Error('expected a file'))).toBe('expected a file');
    expect(reasonOf('a text')).toBe('a text');
  });
});
