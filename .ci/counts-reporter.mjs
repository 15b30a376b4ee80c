/**
 * Ends a test run with its counts on a line of their own, `N passed, N failed`.
 * A file that cannot be loaded and an error outside any test count as failed.
 * When EVENKEEL_COUNTS names a file, the counts go there as JSON instead.
 */
import { writeFileSync } from 'node:fs';

export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length };
    for (const module of modules) {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      const failed = tests.filter((state) => state === 'failed').length;
      counts.passed += tests.filter((state) => state === 'passed').length;
      counts.failed += module.state() === 'failed' ? Math.max(1, failed) : failed;
    }
    const file = process.env.EVENKEEL_COUNTS;
    if (file) writeFileSync(file, JSON.stringify(counts));
    else
      process.once('exit', () => console.log(`${counts.passed} passed, ${counts.failed} failed`));
  }
}
