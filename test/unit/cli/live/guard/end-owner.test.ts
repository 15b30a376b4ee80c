import { describe, expect, it } from 'vitest';
import { endOwner } from '../../../../../src/cli/live/guard/end-owner.js';
import { DomainError } from '../../../../../src/domain/index.js';

const DAMAGED = new DomainError('E_CHECKPOINT', 'expected the journal of the bot');

/** Ends the process of bots `a`, which guards nothing that is known, and `b`. `needed`: what the journals say. */
async function ended(
  needed: Readonly<Record<string, boolean | Error>>,
  { isGuarding = false, isBack = false } = {},
): Promise<readonly string[]> {
  const done: string[] = [];
  let isRead = false;
  await endOwner(
    [
      { name: 'a', isGuarding: false },
      { name: 'b', isGuarding },
    ],
    {
      owner: { kill: () => void done.push('kill') },
      isNeeded: (name) => {
        isRead = true;
        done.push(`read ${name}`);
        const is = needed[name] ?? false;
        return is instanceof Error ? Promise.reject(is) : Promise.resolve(is);
      },
      isSilent: () => !(isBack && isRead),
      say: (line) => void done.push(line.split(':')[0] ?? ''),
      onFailure: (name, error) => void done.push(`${name}: ${String(error === DAMAGED)}`),
    },
  );
  return done;
}

describe('endOwner', () => {
  it('ends a process whose bot needs a guard, by its journal', async () => {
    const line = 'no sign of life of b for 3 s';
    expect(await ended({ b: true })).toEqual(['read a', 'read b', line, 'kill']);
    expect(await ended({})).toEqual(['read a', 'read b']);
  });

  it('reads no journal if a bot is known to guard something', async () => {
    expect(await ended({}, { isGuarding: true })).toEqual(['no sign of life of b for 3 s', 'kill']);
  });

  it('does not end a process that has come back while a journal was read', async () => {
    expect(await ended({ a: true }, { isBack: true })).toEqual(['read a']);
  });

  it('looks at the other bots if the journal of one cannot be read', async () => {
    expect(await ended({ a: DAMAGED, b: true })).toEqual([
      'read a',
      'a: true',
      'read b',
      'no sign of life of b for 3 s',
      'kill',
    ]);
  });
});
