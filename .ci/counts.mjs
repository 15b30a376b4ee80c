/**
 * Prints the failures and the counts of the test run, `N passed, N failed`. Of other runs, only the failures are added.
 */
import { existsSync, readFileSync } from 'node:fs';

const [main, ...all] = process.argv.slice(2);
const others = all.filter((file) => file !== main);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

if (!existsSync(main)) {
  console.log('no test ran');
  process.exit(1);
}
const runs = [main, ...others.filter((file) => existsSync(file))].map(read);
const failed = runs.reduce((sum, run) => sum + run.failed, 0);

for (const failure of runs.flatMap((run) => run.failures)) console.log(`failed: ${failure}`);
console.log(`${runs[0].passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
