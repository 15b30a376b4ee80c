/**
 * Ends bots and their guard processes at drawn instants, and measures how long what they hold is watched by nobody: from the end of a process, or
 * from the start of the next where both were ended, to the first price that is asked for, by the clock and the record of a process outside of both. Options:
 * `--cases N` (of all kinds in turn), `--seed S`, `--rigs N` at once, `--shard I/N`, `--append FILE` (one line of JSON per case). Ends with 1 where anything was
 * lost, doubled or not guarded.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CASES, carryOut, type CaseKind, type Outcome } from './cases.js';
import { Rig } from './rig.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '48' },
    seed: { type: 'string', default: '1' },
    rigs: { type: 'string', default: '2' },
    shard: { type: 'string', default: '1/1' },
    append: { type: 'string' },
  },
});
const seed = Number(values.seed);
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
const plan = Array.from({ length: Number(values.cases) }, (_, number) => number).filter(
  (number) => number % shards === shard - 1,
);
const outcomes: Outcome[] = [];
const failures: string[] = [];
await Promise.all(Array.from({ length: Number(values.rigs) }, (_, rig) => work(rig)));
report();
process.exitCode = failures.length === 0 && outcomes.length > 0 ? 0 : 1;

/** Carries out cases one after the other; a rig that has failed is made anew. */
async function work(number: number): Promise<void> {
  let rig: Rig | undefined;
  for (let next = plan.shift(); next !== undefined; next = plan.shift()) {
    const kind = CASES[next % CASES.length] as CaseKind;
    try {
      if (rig === undefined) {
        rig = await Rig.open(seed + number);
        rig.start();
        await rig.untilHolding();
      }
      const outcome = await carryOut(kind, rig, drawing(seed * 100_003 + next));
      outcomes.push(outcome);
      tell({ case: next, ...outcome });
    } catch (error: unknown) {
      const text = error instanceof Error ? error.message : String(error);
      failures.push(`case ${String(next)} (${kind}): ${text}`);
      tell({ case: next, kind, failed: text });
      await rig?.close();
      rig = undefined;
    }
  }
  if (rig !== undefined) await finish(rig);
}

/** Nothing was sent twice, all epochs replay, and what is left can be left. */
async function finish(rig: Rig): Promise<void> {
  try {
    const doubled = rig.doubled();
    if (doubled.length > 0) failures.push(`sent twice: ${doubled.join(', ')}`);
    await rig.run('flatten', 'bot.yaml');
    await rig.untilFlat();
    rig.bot?.child.kill('SIGTERM');
    await new Promise<void>((resolve) => rig.bot?.child.once('close', () => resolve()));
    for (let epoch = 1; ; epoch += 1) {
      const { code, text } = await rig.run(
        'replay',
        'guaranteed.journal',
        '--epoch',
        String(epoch),
      );
      if (text.includes('identical')) continue;
      if (code !== 0 && !/no epoch|E_USAGE|E_REPLAY_EPOCH/.test(text))
        failures.push(`epoch ${String(epoch)}: ${text}`);
      break;
    }
  } catch (error: unknown) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    await rig.close();
  }
}

/** Uniform milliseconds from 0 to a most, from a seed (mulberry32). */
function drawing(from: number): (mostMs: number) => number {
  let state = from | 0;
  return (mostMs) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * mostMs;
  };
}

function tell(line: object): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
  if (values.append !== undefined) appendFileSync(values.append, `${JSON.stringify(line)}\n`);
}

function report(): void {
  const seconds = (ms: number | undefined): string => `${((ms ?? 0) / 1_000).toFixed(2)} s`;
  for (const kind of CASES) {
    const sorted = outcomes
      .filter((one) => one.kind === kind)
      .map(({ nakedMs }) => nakedMs)
      .toSorted((a, b) => a - b);
    if (sorted.length === 0) continue;
    const at = (share: number): number | undefined => sorted[Math.ceil(share * sorted.length) - 1];
    console.log(
      `${kind.padEnd(14)} ${String(sorted.length).padStart(4)} cases, unwatched median ${seconds(at(0.5))}, p99 ${seconds(at(0.99))}, most ${seconds(at(1))}`,
    );
  }
  console.log(`${String(failures.length)} failed`);
  for (const failure of failures) console.log(`  ${failure}`);
}
