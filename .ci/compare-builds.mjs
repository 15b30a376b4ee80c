/**
 * Plays the same random replays with two builds, each in a process of its own, and compares what came of them: orders, fills, equity, the
 * bytes of the result, every decision of the engine and everything a strategy heard. A change that only makes something faster changes none.
 *
 *     node .ci/compare-builds.mjs DIST_A DIST_B [--runs 1000] [--seed 1]
 *
 * A build is the `dist` of a checkout with its packages beside it, or a copy of one inside this checkout. Replays, strategies and data are
 * drawn by this checkout's `test/support`, so both builds must have what that imports.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const MOST_SHOWN = 10;
const root = fileURLToPath(new URL('..', import.meta.url));
const loader = pathToFileURL(join(root, '.ci', 'bench-loader.mjs')).href;

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const builds = positionals.map((folder) => resolve(folder));
if (builds.length !== 2) fail(`expected two builds, received ${builds.length}`);
for (const build of builds)
  if (!existsSync(join(build, 'index.js'))) fail(`expected a build in ${build}, received nothing`);
const [runs, seed] = [readWhole('runs', 1), readWhole('seed', 0)];

function readWhole(name, least) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  return fail(`expected --${name} to be a whole number >= ${least}, received ${values[name]}`);
}

function fail(message) {
  console.error(`compare-builds: ${message}`);
  process.exit(2);
}

/** The lines of a build, one after the other as they are played. */
async function* play(build) {
  const child = spawn(
    process.execPath,
    ['--import', loader, join(root, 'test', 'perf', 'replay-draws.ts'), String(seed), String(runs)],
    {
      cwd: root,
      env: { ...process.env, EVENKEEL_BUILD: pathToFileURL(`${build}/`).href },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((settle) => child.once('close', settle));
  yield* createInterface({ input: child.stdout });
  const code = await ended;
  if (code !== 0) fail(`${build} ended with ${code}`);
}

const [one, other] = builds.map(play);
let [played, withFills, failed, different] = [0, 0, 0, 0];
for await (const line of one) {
  const { value: beside } = await other.next();
  if (beside === undefined) fail(`${builds[1]} ended after ${played} of ${runs} runs`);
  const [first, second] = [JSON.parse(line), JSON.parse(beside)];
  if (first.fills > 0) withFills += 1;
  if (first.failure !== undefined) failed += 1;
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
  const failures = [first, second].map(({ failure }) => failure).filter(Boolean);
  const why = failures.length > 0 ? `: ${failures.join(' | ')}` : '';
  return `run ${run} (${first.strategy}) differs in ${parts.join(', ')}${why}`;
}
