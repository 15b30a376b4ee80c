/**
 * Runs the same drawn bots with two builds, each in a process of its own, and compares their results: the output of the command, orders,
 * fills, equity and every byte of the result, with and without a journal, and every row of the journal. A change that only makes the code
 * faster or simpler must change none of these.
 *
 *     node .ci/compare-builds.mjs DIST_A DIST_B [--runs 1000] [--seed 1] [--table FILE]
 *
 * A build is the `dist` of a checkout with its packages beside it, or a copy of one inside this checkout. Only its command line is
 * used, with files as input and output, so the names of its modules do not matter. This checkout draws the files. `--table` names a JSON file
 * with a list of [old text, new text], applied to the output of A: for a change that only renames.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const MOST_SHOWN = 10;
const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...names) => join(root, ...names);

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    table: { type: 'string' },
  },
  allowPositionals: true,
});
const builds = positionals.map((folder) => resolve(folder));
if (builds.length !== 2) fail(`expected two builds, received ${builds.length}`);
for (const build of builds)
  if (!existsSync(join(build, 'cli', 'run-cli.js')))
    fail(`expected a build in ${build}, received nothing`);
const [runs, seed] = [readWhole('runs', 1), readWhole('seed', 0)];
const renamed = values.table === undefined ? undefined : readFileSync(values.table, 'utf8');

function readWhole(name, least) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  return fail(`expected --${name} to be a whole number >= ${least}, received ${values[name]}`);
}

function fail(message) {
  console.error(`compare-builds: ${message}`);
  process.exit(2);
}

function drawBots(folder) {
  mkdirSync(folder);
  const loader = pathToFileURL(inRoot('.ci', 'bench-loader.mjs')).href;
  const words = [inRoot('test', 'perf', 'draw-bots.ts'), folder, String(seed), String(runs)];
  const { status } = spawnSync(process.execPath, ['--import', loader, ...words], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) fail(`drawing the bots ended with ${status}`);
}

/** Yields the lines of a build as its bots are played. */
async function* play(build, folder, texts) {
  const words = [inRoot('.ci', 'play-bots.mjs'), build, folder, String(runs)];
  const child = spawn(process.execPath, texts === undefined ? words : [...words, texts], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((settle) => child.once('close', settle));
  yield* createInterface({ input: child.stdout });
  const code = await ended;
  if (code !== 0) fail(`${build} ended with ${code}`);
}

const work = mkdtempSync(join(tmpdir(), 'compare-builds-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const folders = ['a', 'b'].map((name) => join(work, name));
drawBots(folders[0]);
cpSync(folders[0], folders[1], { recursive: true });

const one = play(builds[0], folders[0], renamed);
const other = play(builds[1], folders[1], renamed === undefined ? undefined : '[]');
let [played, withFills, failed, different] = [0, 0, 0, 0];
for await (const line of one) {
  const { value: beside } = await other.next();
  if (beside === undefined) fail(`${builds[1]} ended after ${played} of ${runs} runs`);
  const [first, second] = [JSON.parse(line), JSON.parse(beside)];
  if (first.fills > 0) withFills += 1;
  if (first.exit === 2) fail(`${builds[0]} refuses bot ${played}: ${first.said}`);
  if (first.exit !== 0) failed += 1;
  if (line !== beside) {
    different += 1;
    if (different <= MOST_SHOWN) console.log(describe(played, first, second));
  }
  played += 1;
}
await other.next();

console.log(
  `${played} runs of seed ${seed}: ${failed} failed (strategies that throw are drawn, too), ${withFills} of the others with fills (${((100 * withFills) / (played - failed)).toFixed(1)} %), ${different} different`,
);
if (played !== runs) fail(`expected ${runs} runs, received ${played}`);
if (different > 0) process.exitCode = 1;

function describe(run, first, second) {
  const names = new Set([...Object.keys(first.hashes), ...Object.keys(second.hashes)]);
  const parts = [...names].filter((name) => first.hashes[name] !== second.hashes[name]);
  const said = [first, second].map(({ exit, said: text }) => `${exit} ${text.slice(0, 200)}`);
  const why = parts.includes('said') ? `: ${said.join(' | ')}` : '';
  return `run ${run} differs in ${parts.join(', ')}${why}`;
}
