import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import {
  DISAGREEMENTS,
  resolutionOf,
  RESOLUTIONS,
  type DisagreementKind,
} from '../../../../src/live/recovery/disagreements.js';

const DOCUMENT = readFileSync(
  fileURLToPath(new URL('../../../../docs/live.md', import.meta.url)),
  'utf8',
);

/** Cells of the table with this first column head, row by row. */
function tableOf(head: string): readonly (readonly string[])[] {
  const lines = DOCUMENT.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('docs/live.md', () => {
  it('lists each disagreement with its resolution, and no other', () => {
    const code = Object.entries(DISAGREEMENTS).map(([kind, fact]) => [
      `\`${kind}\``,
      fact.means,
      `\`${fact.first}\``,
      'then' in fact ? `\`${fact.then}\`` : '',
    ]);

    expect(code.length).toBeGreaterThan(15);
    expect(tableOf('disagreement')).toEqual(code);
  });

  it('describes each resolution', () => {
    const code = Object.entries(RESOLUTIONS).map(([name, does]) => [`\`${name}\``, does]);

    expect(tableOf('resolution')).toEqual(code);
  });
});

describe('resolutionOf', () => {
  const kinds = Object.keys(DISAGREEMENTS) as DisagreementKind[];

  it('never sends an order of the journal again', () => {
    const searched = ['submit-without-answer', 'command-never-journalled-as-sent'] as const;

    for (const kind of searched)
      for (const isRepeated of [false, true])
        expect(resolutionOf({ kind }, { policy: 'claim', isRepeated })).toBe('search');
  });

  it.each(['claim', 'ignore', 'refuse'] as const)(
    'asks for no further reading after a repeated disagreement, with the policy %s',
    (policy) => {
      for (const kind of kinds) {
        const [first, again] = [false, true].map((isRepeated) =>
          resolutionOf({ kind }, { policy, isRepeated }),
        );

        expect(Object.keys(RESOLUTIONS)).toContain(first);
        // If a reading settles nothing, the bot decides and does not read again.
        expect(again).not.toBe('read-trades');
      }
    },
  );

  it('ignores only external orders, and never a larger position', () => {
    const ignored = kinds.filter(
      (kind) => resolutionOf({ kind }, { policy: 'ignore', isRepeated: true }) === 'ignore',
    );

    expect(ignored).toEqual(['order-unknown-foreign']);
    expect(resolutionOf({ kind: 'position-larger' }, { policy: 'ignore', isRepeated: true })).toBe(
      'refuse',
    );
    expect(resolutionOf({ kind: 'position-larger' }, { policy: 'claim', isRepeated: true })).toBe(
      'claim',
    );
  });
});
