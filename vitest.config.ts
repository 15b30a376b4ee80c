import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import type { TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { isBuilt } = (await import(new URL('.ci/built.mjs', import.meta.url).href)) as {
  readonly isBuilt: () => boolean;
};

/**
 * Tests run on `dist-modules` if it is as new as `src`; `npm test` builds it first. Modules that Vite loads are slower: each use of an import calls a getter,
 * and every process loads every module through one other process. Tests run on `src` itself under watch, for coverage, and after a change of `src`.
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
/** Code for the browser is not in `dist-modules`. */
const compiledModules = {
  find: /^(?:\.\.\/)+src\/(?!page\/browser\/)(.+)\.js$/,
  replacement: pathOf('$1'),
};

const isLong = (mode: string): boolean => mode === 'long' || process.env['EVENKEEL_LONG'] === '1';

const MEMORY = '/dev/shm';
/** More than all tests of modules keep at once. */
const ENOUGH_BYTES = 2 ** 30;

/**
 * Where tests of modules keep their files: in memory, if the machine has such a folder with room. Archives, journals and ledgers flush each file to the disk,
 * and their tests mostly waited for it. None of them looks at what is left after a loss of power.
 */
function folderInMemory(): Readonly<Record<string, string>> {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < ENOUGH_BYTES ? {} : { TMPDIR: MEMORY };
}

/** Test files that run at once, beyond the number of processors: tests of these modes mostly wait for their own processes. */
const WAITING: Readonly<Record<string, number>> = { hostile: 2, crash: 1, queue: 1 };

function workersIn(mode: string): number {
  const processors = availableParallelism();
  const more = WAITING[mode];
  return more === undefined ? Math.max(2, processors - 1) : processors + more;
}

/** A worker process runs files of one project only, so projects run one after the other. Those with long tests come first. */
const ORDER = ['golden', 'integration', 'contract', 'unit'];

class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => ORDER.indexOf(a.project.name) - ORDER.indexOf(b.project.name));
  }
}

interface ProjectOptions {
  readonly include?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * One project per folder of `test/`, so that `--project unit` runs one of them. Each project gets its `maxWorkers`: vitest reads the shared setting in mode `test`
 * only, whatever the mode is.
 */
function project(
  name: string,
  timeoutMs: number,
  maxWorkers: number,
  { include = `test/${name}/**/*.test.ts`, env = {} }: ProjectOptions = {},
): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      env,
      maxWorkers,
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
    },
  };
}

/** Compile-time tests: `tsc` checks them against the compiled declarations, and nothing runs. `npm run types` checks them against the sources. */
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
  // A day of market time takes too long for every change.
  if (mode === 'soak') return [project('soak', 120_000, workers)];
  // Bots in their own processes, whose neighbors answer in place of the venue. They mostly wait.
  if (mode === 'hostile') return [project('hostile', 120_000, workers)];
  // Bots, guards, exchanges and commands in their own processes, which are killed or interrupted; and who acts after their death.
  if (mode === 'crash') return [project('crash', 120_000 * patience, workers)];
  // Needs Redis (Debian's package redis-server). Coordinators, workers and servers run in their own processes, which are killed.
  if (mode === 'queue') return [project('queue', 1_800_000, workers)];
  // Needs a browser: Debian's package chromium, or the program that EVENKEEL_CHROMIUM names.
  if (mode === 'pages') return [project('pages', 120_000, workers)];
  // Builds the site and types the tutorials. Needs the npm packages of the site, and a shell.
  if (mode === 'docs') return [project('docs', 300_000, workers)];
  // One test of many runs.
  if (mode === 'differential')
    return [
      project('differential', 900_000, workers, {
        include: 'test/integration/backtest/plain-replay.property.test.ts',
      }),
    ];
  return [
    project('unit', 20_000 * patience, workers, { env: folderInMemory() }),
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
      // A run that leaves out the tests of the driver does not need it: on another Node it cannot be loaded.
      globalSetup: process.argv.some((word) => word.includes('sqlite-*'))
        ? []
        : ['test/support/require-driver.ts'],
      setupFiles: ['test/support/setup.ts'],
      env: {
        ...(long && { EVENKEEL_LONG: '1' }),
        ...(mode === 'differential' && { EVENKEEL_DIFFERENTIAL: '1' }),
      },
      // Processes, not threads: tests load native modules, change the working folder and read `process`.
      pool: 'forks',
      // Each process loads a module once per project, not once per test file: that took half of the time.
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
