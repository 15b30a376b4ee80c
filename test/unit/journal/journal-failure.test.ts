import { describe, expect, it } from 'vitest';
import { journalFailure } from '../../../src/journal/sqlite.js';

const failure = (code: string, message = 'disk I/O error'): Error =>
  Object.assign(new Error(message), { code });

describe('journalFailure', () => {
  it.each([
    ['SQLITE_IOERR_READ', 'write', 'E_JOURNAL_READ', 'cannot read'],
    ['SQLITE_IOERR_SHORT_READ', 'write', 'E_JOURNAL_READ', 'cannot read'],
    ['SQLITE_IOERR_WRITE', 'write', 'E_JOURNAL_WRITE', 'cannot write'],
    ['SQLITE_IOERR_FSYNC', 'write', 'E_JOURNAL_WRITE', 'cannot write'],
    ['SQLITE_IOERR', 'read', 'E_JOURNAL_READ', 'cannot read'],
    ['SQLITE_CORRUPT', 'read', 'E_JOURNAL_CORRUPT', 'is damaged'],
    ['SQLITE_FULL', 'write', 'E_JOURNAL_FULL', 'disk is full'],
  ] as const)('turns %s during a %s into %s', (code, doing, expected, words) => {
    const error = journalFailure('/bot.journal', failure(code), doing);

    expect(error).toMatchObject({ code: expected });
    expect(error.message).toMatch(/^\/bot\.journal: /);
    expect(error.message).toContain(words);
  });
});
