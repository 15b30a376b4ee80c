import { describe, expect, it } from 'vitest';
import { prettyLine } from '../../../../src/cli/live/pretty-line.js';

const CSI = '\u009b';

describe('prettyLine', () => {
  it.each([
    { kind: 'reply', msg: `${CSI}2J` },
    { kind: 'reply', msg: '', reason: `${CSI}2J` },
    { kind: 'log', msg: '', fields: { note: `${CSI}2J` } },
    { kind: 'log', msg: '', [`${CSI}2J`]: 1 },
  ])('lets no text of %j control the terminal', (entry) => {
    const line = prettyLine(JSON.stringify({ level: 'info', bot: 'a', ...entry }), {
      color: false,
    });

    expect(line).not.toContain(CSI);
    expect(line).toContain(String.raw`\u009b2J`);
  });

  it('escapes the control characters of a line that is not JSON', () => {
    expect(prettyLine(`oops ${CSI}2J\u001b[2J\n`, { color: false })).toBe(
      String.raw`oops \u009b2J\u001b[2J`,
    );
  });
});
