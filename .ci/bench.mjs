/**
 * Runs the benchmarks, `test/perf/*.bench.ts`, each in a process of its own, one after the other.
 *
 *     npm run bench -- [NAME...] [--json [FILE]] [--base FILE]
 *
 * A name chooses the files whose names contain it. `--json` writes machine and figures to a file, or to stdout. The lines for people
 * then go to stderr. `--base` compares with such a file of an earlier run. ROUNDS=N sets how often each case is measured, CASE=TEXT chooses cases.
 * If a benchmark fails, the others are still measured, and the exit code is 1.
 *
 * The files have the types of `src`, but they load the compiled code, so that compiled code is measured.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compareFigures, describeMachine } from './bench-report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'perf');
const loader = pathToFileURL(join(root, '.ci', 'bench-loader.mjs')).href;

function readArguments(words) {
  const names = [];
  const options = { json: undefined, base: undefined };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const value = words[at + 1]?.startsWith('--') === false ? words[at + 1] : undefined;
    if (word === '--json') options.json = value ?? '-';
    else if (word === '--base') options.base = value ?? fail('expected a file behind --base');
    else if (word.startsWith('-')) fail(`expected --json or --base, received ${word}`);
    else names.push(word);
    if (value !== undefined && word.startsWith('--')) at += 1;
  }
  return { names, ...options };
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

const { names, json, base } = readArguments(process.argv.slice(2));
if (json !== undefined && json !== '-' && !existsSync(dirname(resolve(json))))
  fail(`expected a file in a folder that exists behind --json, received ${json}`);
const before = base === undefined ? undefined : readDocument(base);
const benches = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => names.length === 0 || names.some((part) => name.includes(part)))
  .sort();
if (benches.length === 0) fail(`no benchmark in test/perf is named ${names.join(' or ')}`);

/** Lines for people go to stderr if stdout is for programs. */
const say = json === '-' ? console.error : console.log;
const machine = {
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  load: Math.round(loadavg()[0] * 100) / 100,
};
say(describeMachine(machine));

const scratch = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
const figures = [];
const ran = [];
try {
  for (const file of benches) {
    const start = Date.now();
    const { status, found } = run(file);
    ran.push({ file, status, seconds: (Date.now() - start) / 1_000 });
    figures.push(...found);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
say('\n# took');
for (const { file, status, seconds } of ran)
  say(
    `${file.padEnd(44)} ${seconds.toFixed(0).padStart(5)} s${status === 0 ? '' : `, FAILED with ${status}`}`,
  );
say(
  `${'all'.padEnd(44)} ${ran
    .reduce((sum, { seconds }) => sum + seconds, 0)
    .toFixed(0)
    .padStart(5)} s`,
);
if (ran.some(({ status }) => status !== 0)) process.exitCode = 1;

const document = { version: 1, machine, figures };
if (before !== undefined) for (const line of compareFigures(before, document)) say(line);
if (json === '-') process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
else if (json !== undefined) writeFileSync(json, `${JSON.stringify(document, null, 2)}\n`);

function run(file) {
  const bench = file.replace(/\.bench\.ts$/, '');
  say(`\n# ${bench}`);
  const output = join(scratch, `${bench}.jsonl`);
  const { status, signal } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', loader, join(folder, file)],
    {
      cwd: root,
      env: { ...process.env, BENCH_FIGURES: output },
      stdio: ['inherit', json === '-' ? process.stderr.fd : 'inherit', 'inherit'],
    },
  );
  const lines = existsSync(output) ? readFileSync(output, 'utf8').trim().split('\n') : [];
  return { status: status ?? signal, found: lines.map((line) => ({ bench, ...JSON.parse(line) })) };
}

function readDocument(file) {
  const document = JSON.parse(readFileSync(file, 'utf8'));
  return document.version === 1 ? document : fail(`${file}: expected figures of version 1`);
}
