/**
 * Bundles the compiled modules, `dist-modules`, into `dist`: one file for each entry point, and chunks that entry points share, so that a process has one
 * copy of every class. A backtest then opens some sixty files instead of twelve hundred. Of the packages only those that consist of many files and that nobody
 * shares with us come along, with their licenses in `dist/licenses.txt`: a strategy has to find our copy of rxjs. A module's `import.meta.url` stays the place
 * that it has in `dist` without bundles: what lies relative to a source file is found relative to the same file of `dist`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'dist-modules');
const namesOf = (folder) =>
  readdirSync(folder, { recursive: true }).map((name) => name.replaceAll(sep, '/'));

const BUNDLED = ['commander', 'pure-rand', 'trading-signals', 'yaml', 'zod'];
const isOutside = (id) =>
  /^(?:node:|[a-z@])/.test(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`));

/** What the package's `exports`, a command line, a thread or `compare-builds.mjs` begins with. */
const entries = [
  ...['index.js', 'run/index.js', 'testing/index.js', 'cli/main.js', 'cli/run-cli.js'],
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
    if (!code.includes(OWN_URL)) return undefined;
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

const RXJS = '\0rxjs';
const isOfRxjs = (id) => /^rxjs(?:\/|$)/.test(id);

/**
 * `rxjs` opens 223 files of which a short run uses 80. What is imported of it is imported from the file that has it, as `rxjs` itself does: whoever
 * imports `rxjs` has the same copy.
 */
const partsOfRxjs = {
  name: 'parts-of-rxjs',
  resolveId(id) {
    if (id === 'rxjs') return { id: RXJS, moduleSideEffects: false };
    return isOfRxjs(id) ? { id, external: true, moduleSideEffects: false } : undefined;
  },
  load: (id) => {
    if (id !== RXJS) return undefined;
    const index = readFileSync(join(root, 'node_modules/rxjs/dist/esm/index.js'), 'utf8');
    // Types have nothing to import.
    return index
      .replace("export * from './internal/types';", '')
      .replaceAll("from './internal/", "from 'rxjs/internal/");
  },
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

/** Writes the bundles. Returns their names below `dist`. */
export async function bundle() {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name.slice(0, -3), join(modules, name)])),
    platform: 'node',
    external: (id) => !isOfRxjs(id) && isOutside(id),
    plugins: [ownPlaces, partsOfRxjs, ownThreads],
  });
  const { output } = await build.write({
    dir: join(root, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // The name of an error is that of its class.
    keepNames: true,
  });
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
