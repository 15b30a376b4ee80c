import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import type { TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { isBuilt } = (await import(new URL('.ci/built.mjs', import.meta.url).href)) as {
  readonly isBuilt: () => boolean;
};

/**
 * Tests run on `dist-modules` where that is as new as `src`, which `npm test` sees to: a module that Vite brings calls a getter for each use of an import, and each
 * process loads all of them again through one other process. Who watches or measures coverage runs on `src` itself, as does who has changed it since.
 */
const isCompiled =
  process.argv.includes('run') && !process.argv.includes('--coverage') && isBuilt();
const pathOf = (name: string): string =>
  fileURLToPath(
    new URL(isCompiled ? `dist-modules/${name}.js` : `src/${name}.ts`, import.meta.url),
  );
const entryPoints = [
  { find: 'evenkeel/run', replacement: pathOf('run/index') },
  { find: 'evenkeel/testing', replacement: pathOf('testing/index') },
  { find: 'evenkeel', replacement: pathOf('index') },
];
/** What a browser runs is not compiled module by module. */
const compiledModules = {
  find: /^(?:\.\.\/)+src\/(?!page\/browser\/)(.+)\.js$/,
  replacement: pathOf('$1'),
};

const isLong = (mode: string): boolean => mode === 'long' || process.env['EVENKEEL_LONG'] === '1';

/** How many files at once more than there are processors: tests of these modes wait for processes of their own, most of the time. */
const WAITING: Readonly<Record<string, number>> = { hostile: 2, crash: 1, queue: 1 };

function workersIn(mode: string): number {
  const processors = availableParallelism();
  const more = WAITING[mode];
  return more === undefined ? Math.max(2, processors - 1) : processors + more;
}

/** A process goes on from file to file of one project only: so all of one come before the next, those with long tests first. */
const ORDER = ['golden', 'integration', 'contract', 'unit'];

class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => ORDER.indexOf(a.project.name) - ORDER.indexOf(b.project.name));
  }
}

/**
 * One project per folder of `test/`, so that `--project unit` runs one of them. `maxWorkers` is said to each: where a project takes over what is said to all, it is
 * said in the mode `test`, whatever the mode is.
 */
function project(
  name: string,
  timeoutMs: number,
  maxWorkers: number,
  include = `test/${name}/**/*.test.ts`,
): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      maxWorkers,
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
    },
  };
}

/** Compile-time tests: `tsc` reads them and the declarations of what was compiled, nothing is executed. `npm run types` reads them with the sources. */
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
      tsconfig: './tsconfig.types.json',
      ignoreSourceErrors: true,
    },
  },
};

function projects(mode: string, patience: number): TestProjectConfiguration[] {
  const workers = workersIn(mode);
  // A day takes too long to be one of the tests that run at each change.
  if (mode === 'soak') return [project('soak', 120_000, workers)];
  // Bots in processes of their own, with neighbors that answer in the venue's place: most of it is waiting.
  if (mode === 'hostile') return [project('hostile', 120_000, workers)];
  // Bots, guards and exchanges in processes of their own that are killed.
  if (mode === 'crash') return [project('crash', 120_000 * patience, workers)];
  // Redis is needed, Debian's package redis-server; coordinators, workers and servers in processes of their own that are killed.
  if (mode === 'queue') return [project('queue', 1_800_000, workers)];
  // A browser is needed: Debian's package chromium, or what EVENKEEL_CHROMIUM names.
  if (mode === 'pages') return [project('pages', 120_000, workers)];
  // The site is built, and the tutorials are typed: npm packages of the site, a shell.
  if (mode === 'docs') return [project('docs', 300_000, workers)];
  // One test of many runs.
  if (mode === 'differential')
    return [
      project('differential', 900_000, workers, 'test/integration/plain-replay.property.test.ts'),
    ];
  return [
    project('unit', 20_000 * patience, workers),
    project('contract', 30_000 * patience, workers),
    project('integration', 60_000 * patience, workers),
    project('golden', 120_000 * patience, workers),
    types,
  ];
}

export default defineConfig(({ mode }) => {
  const long = isLong(mode);
  return {
    resolve: { alias: isCompiled ? [...entryPoints, compiledModules] : entryPoints },
    test: {
      setupFiles: ['test/support/setup.ts'],
      env: {
        ...(long && { EVENKEEL_LONG: '1' }),
        ...(mode === 'differential' && { EVENKEEL_DIFFERENTIAL: '1' }),
      },
      // Processes, not threads: tests may load native modules, change the folder and read `process`.
      pool: 'forks',
      // Modules are read once per process and project, and not for each of hundreds of files: that took half of the time.
      isolate: false,
      sequence: { sequencer: ProjectByProject },
      server: { deps: { external: [/\/dist-modules\//] } },
      reporters: ['default', './.ci/counts-reporter.mjs'],
      projects: projects(mode, long ? 20 : 1),
      coverage: {
        provider: 'v8',
        include: ['src/**/*.ts'],
        reporter: ['text-summary', 'html'],
      },
    },
  };
});
