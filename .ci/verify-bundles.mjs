/**
 * Bundles a month of every example and of a journal with this Node, and verifies the bundles with another Node, by a copy of the program in another folder:
 * `verify-bundles.mjs NODE [DRIVER]`. NODE is the binary of the other Node, and DRIVER the folder of a better-sqlite3 that was installed with it. All results must be
 * equal there, and a bundle with any changed byte must be refused by name. Without a driver, the journal is left out there, and the output says so.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const [other, driver] = process.argv.slice(2);
if (other === undefined) throw new Error('expected the binary of another Node');
/** Places of a changed byte in each bundle, as a share of its length: in its first line, and in its body. */
const FLIPS = [0.001, 0.37, 0.999];
const DAYS = 30;
const JOURNAL = 'journal.bundle';

const exec = promisify(execFile);
async function run(node, program, cwd, words) {
  const command = [join(program, 'dist', 'cli', 'main.js'), ...words];
  const { code = 0, stdout, stderr } = await exec(node, command, { cwd }).catch((error) => error);
  return { code, said: `${stdout}${stderr}` };
}
const must = async (...words) => {
  const { code, said } = await run(process.execPath, root, root, words);
  if (code !== 0) throw new Error(`evenkeel ${words.join(' ')}: exit ${code}: ${said}`);
};

const made = mkdtempSync(join(tmpdir(), 'evenkeel-bundles-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'evenkeel-verified-'));
const program = mkdtempSync(join(tmpdir(), 'evenkeel-program-'));
const failures = [];
let equal = 0;

function copyProgram() {
  for (const name of ['dist', 'package.json'])
    cpSync(join(root, name), join(program, name), { recursive: true });
  const packages = join(program, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(
        name === 'better-sqlite3' && driver ? resolve(driver) : join(root, 'node_modules', name),
        join(packages, name),
      );
}

async function bundleExample(name) {
  const config = join('config', `${name}.backtest.yaml`);
  const { simulation } = parse(readFileSync(join(root, config), 'utf8'));
  const to = new Date(Date.parse(simulation.from) + DAYS * 86_400_000).toISOString();
  const span = ['--config', config, '--to', to];
  const result = join(made, `${name}.json`);
  const journal = join(made, `${name}.journal`);
  await must('backtest', config, '--to', to, '--json', result);
  await must('bundle', result, ...span, '--out', join(elsewhere, `${name}.bundle`));
  if (name !== 'sma-crossover') return;
  await must('backtest', config, '--to', to, '--journal', journal);
  await must('bundle', journal, ...span, '--out', join(elsewhere, JOURNAL));
}

async function verify(file) {
  const { code, said } = await run(other, program, elsewhere, ['verify', file]);
  if (code === 0 && said.startsWith(`${file}: equal, `)) {
    equal += 1;
    return said.trim();
  }
  if (file === JOURNAL && !driver && said.includes('E_JOURNAL_DRIVER'))
    return `${file}: left out, because the driver of SQLite is that of another Node`;
  failures.push(`${file}: exit ${code}: ${said.trim()}`);
  return `${file}: not equal`;
}

async function verifyFlipped(file, share) {
  const bytes = readFileSync(join(elsewhere, file));
  const at = Math.floor(bytes.length * share);
  bytes[at] ^= 4;
  const name = `flipped-${at}-${file}`;
  writeFileSync(join(elsewhere, name), bytes);
  const { code, said } = await run(other, program, elsewhere, ['verify', name]);
  rmSync(join(elsewhere, name));
  if (code !== 1 || !said.startsWith(name) || !/E_BUNDLE_(?:DAMAGED|FORMAT)/.test(said))
    failures.push(`${file} with another byte ${at}: exit ${code}: ${said.trim()}`);
}

/** Works on one item per processor at a time. */
async function each(items, work) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

try {
  copyProgram();
  const examples = readdirSync(join(root, 'config'))
    .filter((name) => name.endsWith('.backtest.yaml'))
    .map((name) => name.replace('.backtest.yaml', ''));
  await each(examples, bundleExample);
  const bundles = readdirSync(elsewhere);
  if (bundles.length !== examples.length + 1) failures.push(`${bundles.length} bundles were made`);
  let flipped = 0;
  await each(bundles, async (file) => {
    console.log(await verify(file));
    for (const share of FLIPS) await verifyFlipped(file, share);
    flipped += FLIPS.length;
  });
  const { stdout: version } = await exec(other, ['--version']);
  console.log(
    `${equal} of ${bundles.length} bundles of ${process.version} are equal on ${version.trim()}, ${flipped} with another byte were tried; ${failures.length} failures`,
  );
} finally {
  for (const folder of [made, elsewhere, program]) rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
