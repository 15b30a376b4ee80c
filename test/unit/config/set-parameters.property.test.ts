import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { setParameters } from '../../../src/config/set-parameters.js';
import { failureOf } from '../../support/failure.js';

const set = (
  text: string,
  parameters: Readonly<Record<string, string | number | boolean>>,
): string => setParameters('bot.yaml', text, parameters);

describe('setParameters', () => {
  it('replaces values, and leaves all other bytes unchanged', () => {
    const text =
      '# mine\r\nname: a\r\nstrategy:\r\n    path: x.ts # where\r\n    parameters:\r\n        fast: 10   # candles\r\n        slow: 30\r\nrisk: {}\r\n';

    expect(set(text, { fast: 12, slow: 0.25 })).toBe(
      text.replace('10 ', '12 ').replace('30', '0.25'),
    );
  });

  it.each([
    [
      'a flow map',
      'strategy: { path: x, parameters: { fast: 10, slow: 30 } }\n',
      'strategy: { path: x, parameters: { fast: 5, slow: 30, mode: calm } }\n',
    ],
    [
      'a block',
      'strategy:\n  parameters:\n    fast: 10 # candles\n  path: x\nname: a\n',
      'strategy:\n  parameters:\n    fast: 5 # candles\n    mode: calm\n  path: x\nname: a\n',
    ],
    [
      'a block at the end',
      'strategy:\n  parameters:\n    fast: 10',
      'strategy:\n  parameters:\n    fast: 5\n    mode: calm',
    ],
    [
      'none',
      'strategy:\n  path: x # here\nname: a\n',
      'strategy:\n  path: x # here\n  parameters:\n    fast: 5\n    mode: calm\nname: a\n',
    ],
    [
      'an empty one',
      'strategy:\n  parameters: # none yet\n  path: x\n',
      'strategy:\n  parameters: # none yet\n    fast: 5\n    mode: calm\n  path: x\n',
    ],
    [
      'braces',
      'strategy:\n  parameters: {} # none\n',
      'strategy:\n  parameters: { fast: 5, mode: calm } # none\n',
    ],
  ])('adds missing parameters, given %s', (_, text, expected) => {
    expect(set(text, { fast: 5, mode: 'calm' })).toBe(expected);
  });

  it('quotes words that YAML would read as another value', () => {
    expect(set('strategy:\n  parameters:\n    mode: a\n', { mode: 'true' })).toContain(
      'mode: "true"',
    );
    expect(set('strategy:\n  parameters:\n    mode: a\n', { mode: 'a, b: c' })).toContain(
      'mode: "a, b: c"',
    );
  });

  it.each([
    'name: a\n',
    'strategy: { path: x }\n',
    'a: &five 5\nstrategy:\n  parameters:\n    fast: *five\n',
  ])('refuses a text in which it cannot replace the value: %j', (text) => {
    expect(failureOf(() => set(text, { fast: 5 }))).toMatchObject({ code: 'E_CONFIG_VALUE' });
  });

  const values = fc.dictionary(
    fc.stringMatching(/^[a-z][A-Za-z]{0,6}$/),
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.string(),
    ),
    { minKeys: 1, maxKeys: 4 },
  );
  const layouts = fc.constantFrom('block', 'flow');

  test.prop([values, values, layouts])(
    'sets the given parameters, keeps the others, and changes nothing when repeated',
    (before, wanted, layout) => {
      const lines = Object.entries(before).map(
        ([name, value]) => `${name}: ${JSON.stringify(value)}`,
      );
      const parameters =
        layout === 'flow'
          ? `{ ${lines.join(', ')} }`
          : `\n${lines.map((line) => `    ${line} # why\n`).join('')}`;
      const text = `strategy:\n  path: x\n  parameters: ${parameters.trimEnd()}\nname: a\n`;

      const edited = set(text, wanted);

      expect(parse(edited)).toEqual({
        strategy: { path: 'x', parameters: { ...parse(text).strategy.parameters, ...wanted } },
        name: 'a',
      });
      expect(set(edited, wanted)).toBe(edited);
    },
  );
});
