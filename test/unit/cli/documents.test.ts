import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigJsonSchema } from '../../../src/config/schemas/json-schema.js';
import { createExchangeJsonSchema } from '../../../src/config/schemas/exchange-schema.js';
import { createProgram } from '../../../src/cli/run-cli.js';
import { aCliContext } from '../../support/cli/cli-context.js';
import { renderConfigKeys } from '../../support/cli/render-config-keys.js';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Document {
  readonly name: string;
  readonly text: string;
}

function documentsIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

const DOCUMENTS: readonly Document[] = [
  'README.md',
  'CONTRIBUTING.md',
  'backtest/README.md',
  ...documentsIn('docs'),
  ...readdirSync(join(ROOT, 'strategies')).flatMap((name) => documentsIn(`strategies/${name}`)),
].map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));

/** Templates of a new strategy's files, and the example configurations. */
const TEMPLATES = ['src/cli/scaffold', 'config'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
);

const KEYS = new Set(
  [createConfigJsonSchema(), createExchangeJsonSchema()].flatMap((schema) =>
    [...renderConfigKeys(schema).matchAll(/^- `([^`]+)`/gm)].map(([, key = '']) => key),
  ),
);

/** Code of a document: indented or fenced blocks, and code within lines. */
function codeOf({ text }: Document): readonly string[] {
  const fenced = [...text.matchAll(/^```[a-z]*\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const rest = text.replaceAll(/^```[a-z]*\n[^]*?^```/gm, '');
  const indented = rest.split('\n').filter((line) => /^ {4,}\S/.test(line));
  const inline = [...rest.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...fenced, ...indented, ...inline];
}

/** Problems that `find` finds in the documents, with the name of the document. */
function wrong(find: (document: Document) => readonly string[]): readonly string[] {
  return DOCUMENTS.flatMap((document) =>
    [...new Set(find(document))].map((what) => `${document.name}: ${what}`),
  );
}

describe('the documents', () => {
  it('name commands and flags that the program has', async () => {
    const program = await createProgram(aCliContext().context);

    expect(
      wrong((document) =>
        codeOf(document).flatMap((code) =>
          [...code.matchAll(/dist\/cli\/main\.js (.*)/g)].flatMap(([, line = '']) => {
            const words = line.replace(/\s[#|>&].*$/, '').split(/\s+/);
            let command = program;
            for (const word of words) {
              const next = command.commands.find((each) => each.name() === word);
              if (next === undefined) break;
              command = next;
            }
            if (command === program && !/^(-|<command>|VERB)/.test(words[0] ?? '')) return [line];
            const flags = words.filter((word) => /^--[a-z]/.test(word));
            const known = [...program.options, ...command.options].map(({ long }) => long);
            return flags
              .map((flag) => flag.replace(/=.*/, ''))
              .filter((flag) => flag !== '--help' && !known.includes(flag))
              .map((flag) => `${command.name()} ${flag}`);
          }),
        ),
      ),
    ).toEqual([]);
  });

  it('call the program by its path, since others could publish a package of its name', () => {
    expect(
      wrong(({ text }) => text.match(/npx (?:-y )?evenkeel|^(?:\$ )?evenkeel .*/gm) ?? []),
    ).toEqual([]);
    expect(TEMPLATES.filter((template) => template.includes('npx evenkeel'))).toEqual([]);
  });

  it('name scripts that the package has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };

    expect(
      wrong(({ text }) =>
        [...text.matchAll(/npm run ([a-z:]+)/g)]
          .map(([, script = '']) => script)
          .filter((script) => !Object.hasOwn(scripts, script)),
      ),
    ).toEqual([]);
  });

  it('have a row for every module in the README', () => {
    const [readme] = DOCUMENTS;
    const rows = [...(readme?.text ?? '').matchAll(/^\| `([a-z-]+)` +\|/gm)].map(
      ([, name]) => name,
    );

    expect(rows.toSorted()).toEqual(
      readdirSync(join(ROOT, 'src'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('link to files and headings that exist', () => {
    expect(
      wrong(({ name, text }) =>
        [...text.matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, target = '']) => target)
          .filter((target) => !/^[a-z]+:/.test(target) && !isThere(name, target)),
      ),
    ).toEqual([]);
  });

  it('lead from the README to an order in ten files, which contain the functions they name', () => {
    const [readme] = DOCUMENTS;
    const page = DOCUMENTS.find(({ name }) => name === 'docs/how-it-works.md');
    const steps = (page?.text ?? '')
      .split('\n\n')
      .find((part) => part.startsWith('1. '))
      ?.split(/\n(?=\d+\. )/);
    const files = (steps ?? []).map((step) => /^\d+\. \[[^\]]+\]\(\.\.\/([^)]+)\)/.exec(step)?.[1]);

    expect(readme?.text).toContain('(docs/how-it-works.md)');
    expect(files.length).toBe(10);
    expect(files.slice(0, 2)).toEqual(['README.md', undefined]);
    for (const [index, file = 'docs/how-it-works.md'] of files.entries()) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      for (const [, name = ''] of (steps?.[index] ?? '').matchAll(/`(\w+)`/g))
        expect(source, `${file} has ${name}`).toMatch(new RegExp(`\\b${name}\\(`));
    }
  });

  it('name files that exist', () => {
    expect(
      wrong((document) =>
        codeOf(document).filter(
          (code) =>
            /^(?:src|test|docs|config|strategies|backtest|\.ci)\/[\w./-]+$/.test(code) &&
            // Files that the reader is going to create.
            !/my-idea|ema-stop/.test(code) &&
            !existsSync(join(ROOT, code)),
        ),
      ),
    ).toEqual([]);
  });

  it('name source files that exist', () => {
    const files = new Set(
      ['src', 'test', '.ci', 'strategies'].flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          basename(file),
        ),
      ),
    );

    expect(
      wrong((document) =>
        codeOf(document).filter(
          (code) =>
            /^[\w.-]+\.(?:ts|mjs)$/.test(code) && !files.has(code) && code !== 'vitest.config.ts',
        ),
      ),
    ).toEqual([]);
  });

  it('refer only to existing commands', async () => {
    const program = await createProgram(aCliContext().context);
    const commands = program.commands.map((command) => command.name());

    expect(
      wrong(({ text }) =>
        [...text.matchAll(/\b(?:run|runs|then|and then) `([a-z]+(?:-[a-z]+)*)`/g)]
          .map(([, command = '']) => command)
          .filter((command) => !commands.includes(command)),
      ),
    ).toEqual([]);
  });

  it('name keys that the schemas have', () => {
    expect(
      wrong((document) =>
        codeOf(document).filter(
          (code) =>
            /^(?:simulation|risk|live|venue|strategy|market|limits)\.[A-Za-z.]+$/.test(code) &&
            !KEYS.has(code),
        ),
      ),
    ).toEqual([]);
  });
});

function isThere(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const path = file === '' ? join(ROOT, from) : join(ROOT, dirname(from), file);
  if (!existsSync(path)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
  return headings.includes(heading);
}
