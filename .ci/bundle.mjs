/**
 * Bundles the compiled modules, `dist-modules`, into `dist`: one file for each entry point, and chunks that entry points share, so that a process has one
 * copy of every class. A backtest then opens some sixty files instead of twelve hundred. Of the packages, only those in {@link BUNDLED} are included, with
 * their licenses in `dist/licenses.txt`: they have many files, and no strategy shares them with us. rxjs stays outside, because a strategy must find our copy. A
 * module's `import.meta.url` stays its place in an unbundled `dist`, so that a file relative to a source file is found relative to the same file of `dist`.
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

/** Entry points: the package's `exports`, the command line, each thread, and the file that `compare-builds.mjs` loads. */
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

/** Uses of `import.meta.url` in code, first to last. Occurrences in strings do not count. */
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
 * Packages in CommonJS get modules of Node from the process, because `require` would have to be made at each start. commander loads child processes
 * only for commands in files of their own. We have none, and loading them takes longer than printing help.
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
 * `rxjs` opens 223 files, of which a short run uses 80. Each name is loaded from the file that defines it, the same file that `rxjs` loads, so importers of `rxjs`
 * have the same copy. The file is required, not imported, because Node needs twice as long to import a CommonJS file: it first looks for its exports.
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
    // Types have no import at run time.
    return index
      .replace("export * from './internal/types';", '')
      .replaceAll("from './internal/", "from 'rxjs/internal/");
  },
};

/** A module with the exports of a CommonJS file. */
function requiring(file) {
  const names = Object.keys(require(file));
  return `import { load } from '${LOAD}';
const { ${names.join(', ')} } = load('${file}');
export { ${names.join(', ')} };`;
}

const LAZY = '\0lazy:';

/**
 * If one file imports an entry point dynamically, every file that imports anything from it loads it whole. The schemas of `report` take longer to make than the
 * summary of a short backtest. So a dynamic import of `report` gets a file of its own with the same exports, and other files load only the names they use. For
 * all modules, this would double the number of files, which costs as much time as it saves.
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
 * The modules that only a thread uses lie in one file, together with its entry point. A file that names one of them without using it would import that file for
 * its effects alone, and so start the thread in its own process. Such an import is removed. An import that is used is an error.
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
 * Puts the modules that the command line loads before its command into two files, because help spends most of its time opening files: one with the modules
 * shared with other entry points, and one with its own.
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
    // The name of an error is the name of its class.
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
