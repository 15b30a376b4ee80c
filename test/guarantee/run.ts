/**
 * Ends bots, their guard processes and their exchange at drawn instants, cuts them off and stops them. Measures how long their stops are not watched,
 * by the clock and the record of another process. Options: `--cases N` (of all kinds in turn), `--kinds A,B`, `--seed S`, `--rigs N` at once,
 * `--shard I/N`, `--minutes M` (no case begins after that), `--append FILE`: one line of JSON per case. Cases of this seed and build in FILE are not
 * repeated, and count. Ends with 1 if an order was lost or doubled, or if a stop was not watched, or too late.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { carryOut } from './cases.js';
import { finish, replay } from './finish.js';
import { drawing, hashBuild, KINDS, planCases, readLines, type Case, type Line } from './plan.js';
import { report } from './report.js';
import { Rig } from './rig.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '29' },
    kinds: { type: 'string', default: KINDS.join(',') },
    seed: { type: 'string', default: '1' },
    rigs: { type: 'string', default: '8' },
    shard: { type: 'string', default: '1/1' },
    minutes: { type: 'string', default: '40' },
    append: { type: 'string' },
  },
});
const seed = Number(values.seed);
const build = hashBuild();
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
const kinds = values.kinds.split(',');
const lines: Line[] = [...readLines(values.append, build, seed)];
const done = new Set(lines.map((line) => line.case));
const plan = planCases(Number(values.cases)).filter(
  ({ number, kind }) => number % shards === shard - 1 && kinds.includes(kind) && !done.has(number),
);
const last = performance.now() + Number(values.minutes) * 60_000;
const rigs = Number(values.rigs);
const ended: Rig[] = [];
await Promise.all(Array.from({ length: rigs }, (_, number) => work(number)));
// Replays use whole processors. They run after all cases, because they would delay them.
await Promise.all([replayEnded(), replayEnded()]);
const isGood = report(lines);
process.exitCode = isGood && lines.length > 0 ? 0 : 1;

/** Carries out cases one after the other. After a failure it opens a new rig. */
async function work(number: number): Promise<void> {
  let rig: Rig | undefined;
  let opened = 0;
  for (let next = take(number); next !== undefined; next = take(number)) {
    try {
      if (rig !== undefined && rig.isNear !== next.isNear) {
        await close(rig);
        rig = undefined;
      }
      rig ??= await Rig.open(seed * 1_000 + number + rigs * opened++, next.isNear);
      const outcome = await carryOut(next, rig, drawing(seed * 100_003 + next.number));
      tell({ build, seed, case: next.number, kind: next.kind, ...outcome });
    } catch (error: unknown) {
      const text = error instanceof Error ? error.message : String(error);
      tell({ build, seed, case: next.number, kind: next.kind, cause: next.kind, failed: text });
      await rig?.close();
      rig = undefined;
    }
  }
  if (rig !== undefined) await close(rig);
}

/** The next case. One worker in three prefers cases with a near stop, the others prefer the rest. A worker without such cases left takes any. */
function take(number: number): Case | undefined {
  if (performance.now() > last) return undefined;
  const own = plan.findIndex(({ isNear }) => isNear === (number % 3 === 1));
  return plan.splice(own === -1 ? 0 : own, 1)[0];
}

async function close(rig: Rig): Promise<void> {
  tellFailures(await finish(rig));
  ended.push(rig);
}

async function replayEnded(): Promise<void> {
  for (let rig = ended.shift(); rig !== undefined; rig = ended.shift()) {
    tellFailures(await replay(rig));
    tell({ build, seed, case: -1, cause: 'end of a rig' });
  }
}

function tellFailures(failures: readonly string[]): void {
  for (const failed of failures) tell({ build, seed, case: -1, cause: 'end of a rig', failed });
}

function tell(line: Line): void {
  lines.push(line);
  process.stderr.write(`${JSON.stringify(line).slice(0, 3_000)}\n`);
  if (values.append !== undefined) appendFileSync(values.append, `${JSON.stringify(line)}\n`);
}
