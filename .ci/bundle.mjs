/**
 * Bundles the compiled modules, `dist-modules`, into `dist`: one file for each entry point, and chunks that entry points share, so that a process has one
 * copy of every class. A backtest then opens some sixty files instead of twelve hundred. Of the packages only those that consist of many files and that nobody
 * shares with us come along, with their licenses in `dist/licenses.txt`: a strategy has to find our copy of rxjs. A module's `import.meta.url` stays the place
 * that it has in `dist` without bundles: what lies relative to a source file is found relative to the same file of `dist`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'dist-modules');
const namesOf = (folder) =>
  readdirSync(folder, { recursive: true }).map((name) => name.replaceAll(sep, '/'));

const BUNDLED = ['commander', 'pure-rand', 'trading-signals', 'yaml', 'zod'];
const isOutside = (id) =>
  /^(?:node:|[a-z@])/.test(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`));

/** What the package's `exports`, a command line, a thread or `compare-builds.mjs` begins with. */
const COMMAND_LINE = ['cli/main.js', 'cli/run-cli.js'];
const entries = [
  ...['index.js', 'run/index.js', 'testing/index.js'],
  ...COMMAND_LINE,
  ...namesOf(modules).filter((name) => name.endsWith('.thread.js')),
];

const LICENSES = 'licenses.txt';
const OWN_URL = 'import.meta.url';
const placeOf = (id) =>
  `__place_of__(${JSON.stringify(relative(modules, id).replaceAll(sep, '/'))})`;

/** Where a module asks for its place, first to last: in its code, not in a text of it. */
function questionsIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  const isOwn = node.type === 'MemberExpression' && node.object.type === 'MetaProperty';
  if (isOwn && node.property.name === 'url') return [node];
  return Object.values(node).flatMap(questionsIn);
}

const ownPlaces = {
  name: 'own-places',
  transform(code, id) {
    if (!code.includes(OWN_URL) || id === LOAD) return undefined;
    let text = code;
    for (const { start, end } of questionsIn(this.parse(code)).reverse())
      text = text.slice(0, start) + placeOf(id) + text.slice(end);
    return text;
  },
  renderChunk(code, { fileName }) {
    return code.replaceAll(/__place_of__\("([^"]+)"\)/g, (_, name) => {
      const way = posix.relative(dirname(fileName), name);
      return `new URL(${JSON.stringify(way)}, ${OWN_URL}).href`;
    });
  },
};

const CHILD_PROCESS = "const childProcess = require('node:child_process');\n";

/**
 * What packages in CommonJS require of Node they ask the process for: `require` would have to be made for it, at each start. commander has child processes
 * for commands that are files of their own, of which there are none: they take longer to load than help takes to print.
 */
const ownBuiltins = {
  name: 'own-builtins',
  transform(code, id) {
    if (!BUNDLED.some((name) => id.includes(`/node_modules/${name}/`))) return undefined;
    if (id.endsWith('/commander/lib/command.js') && !code.includes(CHILD_PROCESS))
      throw new Error(`${id}: expected ${CHILD_PROCESS}`);
    return code
      .replace(CHILD_PROCESS, '')
      .replaceAll('childProcess.', "require('node:child_process').")
      .replaceAll(
        /\brequire\('((?:node:)?(?:buffer|child_process|events|fs|path|process))'\)/g,
        "globalThis.process.getBuiltinModule('$1')",
      );
  },
};

const RXJS = '\0rxjs';
const LOAD = '\0load';
const isOfRxjs = (id) => /^rxjs(?:\/|$)/.test(id);

/**
 * `rxjs` opens 223 files of which a short run uses 80. What is imported of it is taken from the file that has it, as `rxjs` itself does: whoever imports `rxjs`
 * has the same copy. The file is required and not imported, because Node takes twice as long to import a file in CommonJS: it looks for its exports first.
 */
const partsOfRxjs = {
  name: 'parts-of-rxjs',
  resolveId: (id) => {
    if (id !== LOAD && !isOfRxjs(id)) return undefined;
    return { id: id === LOAD ? LOAD : `\0${id}`, moduleSideEffects: false };
  },
  load: (id) => {
    if (id === LOAD)
      return "import { createRequire } from 'node:module'; export const load = createRequire(import.meta.url);";
    if (!isOfRxjs(id.slice(1))) return undefined;
    if (id !== RXJS) return requiring(id.slice(1));
    const index = readFileSync(join(root, 'node_modules/rxjs/dist/esm/index.js'), 'utf8');
    // Types have nothing to import.
    return index
      .replace("export * from './internal/types';", '')
      .replaceAll("from './internal/", "from 'rxjs/internal/");
  },
};

/** A module with the exports of a file in CommonJS. */
function requiring(file) {
  const names = Object.keys(require(file));
  return `import { load } from '${LOAD}';
const { ${names.join(', ')} } = load('${file}');
export { ${names.join(', ')} };`;
}

const LAZY = '\0lazy:';

/**
 * The entry point of a module that some file imports while it runs is loaded whole by every file that imports anything of it. For that of `report`, whose schemas
 * take longer to make than a short backtest to sum up, such an import is of a file of its own with the same exports: all others load what they name. With
 * all modules so, there are twice as many files, which takes the time that it saves.
 */
const lazyReport = {
  name: 'lazy-report',
  resolveId: (source, importer, { kind }) =>
    kind === 'dynamic-import' && source.endsWith('/report/index.js')
      ? LAZY + join(dirname(importer), source)
      : undefined,
  load: (id) =>
    id.startsWith(LAZY) ? `export * from ${JSON.stringify(id.slice(LAZY.length))};` : undefined,
};

/**
 * What only a thread uses lies in one file with what it begins with. Another file that names some of it and uses none would import that file for its effects
 * alone, and so begin the thread in its own process: such an import goes. One that uses something is refused.
 */
const ownThreads = {
  name: 'own-threads',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    for (const { fileName, moduleIds } of chunks) {
      const thread = moduleIds.find((id) => id.endsWith('.thread.js'));
      const own = thread && relative(modules, thread).replaceAll(sep, '/');
      const others = chunks.filter((each) => each.fileName !== own);
      if (own) for (const other of others) leaveThread(other, fileName, own);
    }
  },
};

function leaveThread(chunk, file, thread) {
  if (!chunk.imports.includes(file)) return;
  const way = posix.relative(dirname(chunk.fileName), file);
  const from = `"${way.startsWith('.') ? way : `./${way}`}"`;
  chunk.code = chunk.code.replace(`import ${from};\n`, '');
  if (chunk.code.includes(from)) {
    throw new Error(
      `${chunk.fileName} uses something in the file of ${thread}: expected nothing to`,
    );
  }
}

/**
 * Puts what the command line loads before its command into two files, as most of the time of help is the opening of files: what it shares with other entry points,
 * and what is its own.
 */
function groupStart(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loadedWith = (entry) => {
    const files = new Set([entry]);
    for (const file of files)
      for (const other of chunks.get(file).imports) if (chunks.has(other)) files.add(other);
    files.delete(entry);
    return [...files].flatMap((file) => chunks.get(file).moduleIds);
  };
  const others = entries.filter((entry) => !COMMAND_LINE.includes(entry));
  const shared = new Set(others.flatMap(loadedWith));
  const start = new Set(loadedWith(COMMAND_LINE[0]));
  return [
    { name: 'base', priority: 2, test: (id) => start.has(id) && shared.has(id) },
    { name: 'start', priority: 1, test: (id) => start.has(id) },
  ];
}

/** Writes the bundles. Returns their names below `dist`. */
export async function bundle() {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name.slice(0, -3), join(modules, name)])),
    platform: 'node',
    external: (id) => id !== LOAD && !isOfRxjs(id) && isOutside(id),
    plugins: [ownPlaces, ownBuiltins, partsOfRxjs, lazyReport, ownThreads],
  });
  const options = {
    dir: join(root, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // The name of an error is that of its class.
    keepNames: true,
  };
  const groups = groupStart((await build.generate(options)).output);
  const { output } = await build.write({ ...options, codeSplitting: { groups } });
  await build.close();
  writeFileSync(join(root, 'dist', LICENSES), BUNDLED.map(licenseOf).join('\n'));
  return [...output.map(({ fileName }) => fileName), LICENSES];
}

function licenseOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name}: expected a license file in its package`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
