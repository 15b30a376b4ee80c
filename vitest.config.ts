import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import type { TestProjectConfiguration } from 'vitest/config';

const isLong = (mode: string): boolean => mode === 'long' || process.env['EVENKEEL_LONG'] === '1';

/** One project per folder of `test/`, so that `--project unit` runs one of them. */
function project(name: string, timeoutMs: number): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
    },
  };
}

/** Compile-time tests: `tsc` reads them, nothing is executed. `npm run types` reports errors elsewhere. */
const types: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'types',
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      checker: 'tsc',
      include: ['test/types/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
      ignoreSourceErrors: true,
    },
  },
};

export default defineConfig(({ mode }) => {
  const long = isLong(mode);
  const patience = long ? 20 : 1;
  return {
    resolve: {
      alias: { evenkeel: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
    },
    test: {
      setupFiles: ['test/support/setup.ts'],
      env: long ? { EVENKEEL_LONG: '1' } : {},
      // Processes, not threads: tests may load native modules, change the folder and read `process`.
      pool: 'forks',
      maxWorkers: Math.max(2, availableParallelism() - 1),
      reporters: ['default', './.ci/counts-reporter.mjs'],
      // A day takes too long to be one of the tests that run at each change.
      projects:
        mode === 'soak'
          ? [project('soak', 120_000)]
          : [
              project('unit', 20_000 * patience),
              project('contract', 30_000 * patience),
              project('integration', 60_000 * patience),
              project('golden', 120_000 * patience),
              project('crash', 120_000 * patience),
              types,
            ],
      coverage: {
        provider: 'v8',
        include: ['src/**/*.ts'],
        reporter: ['text-summary', 'html'],
      },
    },
  };
});
