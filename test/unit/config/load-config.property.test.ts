import { test as law, fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { ConfigError } from '../../../src/domain/index.js';
import { botConfig } from '../../support/arbitraries/bot-config.js';
import { BOT_YAML, loadYaml } from '../../support/cli/bot-yaml.js';
import { formatBot } from '../../support/cli/format-bot.js';

/** Every path of keys and positions in the sample file. */
const PATHS: readonly (readonly (string | number)[])[] = pathsOf(parseDocument(BOT_YAML).toJS());

function pathsOf(value: unknown): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...pathsOf(child).map((path) => [step, ...path])];
  });
}

const YAML_CHARACTERS = Array.from('{}[]:,&*#?|->!%@"\' \n\tab1');

/** Any characters, and characters that have a meaning in YAML. */
const ANY_TEXT = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...YAML_CHARACTERS), maxLength: 50 }),
);

describe('the file of a bot', () => {
  law.prop([botConfig])('is the same after it is written and read', async (config) => {
    const loaded = await loadYaml(formatBot(config));

    expect(loaded.config).toEqual(config);
  });

  law.prop([fc.constantFrom(...PATHS), fc.jsonValue()])(
    'with any value at any key loads, or is refused with errors that name file and line',
    async (path, value) => {
      const document = parseDocument(BOT_YAML);
      document.setIn(path, document.createNode(value));
      const yaml = document.toString();

      const errors = await errorsOf(yaml);

      for (const error of errors) {
        expect(error).toBeInstanceOf(ConfigError);
        const { location } = (error as ConfigError).problem;
        expect(location.file).toBe('bot.yaml');
        expect(location.line).toBeGreaterThanOrEqual(1);
        expect(location.line).toBeLessThanOrEqual(yaml.split('\n').length);
      }
    },
  );

  it('with any text is refused with errors that name the file', async () => {
    let invalid = 0;
    await fc.assert(
      fc.asyncProperty(ANY_TEXT, async (text) => {
        const errors = await errorsOf(text);

        expect(errors.length).toBeGreaterThan(0);
        for (const error of errors) {
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as ConfigError).problem.location.file).toBe('bot.yaml');
          invalid += (error as ConfigError).code === 'E_CONFIG_YAML' ? 1 : 0;
        }
      }),
    );
    expect(invalid).toBeGreaterThan(0);
  });
});

async function errorsOf(yaml: string): Promise<readonly unknown[]> {
  try {
    await loadYaml(yaml);
    return [];
  } catch (error: unknown) {
    return error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  }
}
