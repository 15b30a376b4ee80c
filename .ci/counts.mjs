/** Prints the counts of the test run, `N passed, N failed`; of runs repeated elsewhere only the failures are added. */
import { existsSync, readFileSync } from 'node:fs';

const [main, ...repeated] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

if (!existsSync(main)) {
  console.log('no test ran');
  process.exit(1);
}
const { passed, failed } = read(main);
const failedElsewhere = repeated
  .filter((file) => existsSync(file))
  .map((file) => read(file).failed);
const failures = failedElsewhere.reduce((sum, count) => sum + count, failed);

console.log(`${passed} passed, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
