/**
 * Ends a test run with the names of the failures and with its counts on a line of their own, `N passed, N failed`.
 * A file that cannot be loaded and an error outside any test count as failed.
 * When EVENKEEL_COUNTS names a file, both go there as JSON instead.
 */
import { writeFileSync } from 'node:fs';

const firstLine = (errors) => String(errors?.[0]?.message ?? 'no message').split('\n', 1)[0];

export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length };
    const failures = unhandledErrors.map((error) => `outside any test: ${firstLine([error])}`);
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      const failed = tests.filter((test) => test.result().state === 'failed');
      counts.passed += tests.filter((test) => test.result().state === 'passed').length;
      counts.failed += module.state() === 'failed' ? Math.max(1, failed.length) : failed.length;
      for (const test of failed)
        failures.push(
          `${module.relativeModuleId} > ${test.fullName}: ${firstLine(test.result().errors)}`,
        );
      if (module.state() === 'failed' && failed.length === 0)
        failures.push(`${module.relativeModuleId}: ${firstLine(module.errors())}`);
    }
    const file = process.env.EVENKEEL_COUNTS;
    if (file) writeFileSync(file, JSON.stringify({ ...counts, failures }));
    else
      process.once('exit', () => {
        for (const failure of failures) console.log(`failed: ${failure}`);
        console.log(`${counts.passed} passed, ${counts.failed} failed`);
      });
  }
}
