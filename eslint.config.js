// Type-aware lint. `npm run lint` runs it; an exception is an inline disable with a reason.
import rxjsX from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

import { noModuleState } from './.ci/no-module-state.mjs';

/** The only files that may use the real clock, randomness and the environment. All other code receives them as parameters. */
const RIM = ['src/engine/system-{clock,time}.ts', 'src/bots/**', 'src/cli/**'];

const injected =
  'It differs between backtest and live: take it from the injected clock or random source.';
const timers = ['setTimeout', 'setInterval', 'setImmediate'];
const random = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'];

const ambientGlobals = [...timers, 'performance'].map((name) => ({ name, message: injected }));

const ambientProperties = [
  ...[...timers, 'performance'].map((property) => ({ object: 'globalThis', property })),
  ...['randomBytes', 'randomInt'].map((property) => ({ object: 'crypto', property })),
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
  { object: 'AbortSignal', property: 'timeout' },
  { object: 'process', property: 'hrtime' },
  { object: 'process', property: 'uptime' },
  {
    object: 'process',
    property: 'env',
    message: 'Only cli reads the environment; pass the value.',
  },
].map((ban) => ({ message: injected, ...ban }));

const ambientSyntax = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: injected },
  { selector: 'CallExpression[callee.name="Date"]', message: injected },
  {
    selector: 'MemberExpression[property.name=/^(randomUUID|getRandomValues)$/]',
    message: injected,
  },
];

const ambientImports = [
  ...['crypto', 'node:crypto'].map((name) => ({ name, importNames: random, message: injected })),
  ...['perf_hooks', 'timers', 'timers/promises'].flatMap((name) =>
    [name, `node:${name}`].map((spelling) => ({ name: spelling, message: injected })),
  ),
  ...['process', 'node:process'].map((name) => ({
    name,
    message: 'Use the global, where it is allowed.',
  })),
];

const lawWithoutDrawing = {
  selector: 'CallExpression[callee.name="test"][arguments.length>1]',
  message: '`test` of fast-check runs it a hundred times: take `it`, or `test.prop` for a law.',
};

const decimalImport = {
  name: 'decimal.js',
  message:
    'One Decimal for all: import it from the domain (src/domain/amounts/decimal.ts configures it).',
};

const frameSchedulers = {
  name: 'rxjs',
  importNames: ['asapScheduler', 'animationFrameScheduler', 'asap', 'animationFrame'],
  message: 'The engine drains its own queue; outside strategies these run on the real clock.',
};

const enums = {
  selector: 'TSEnumDeclaration',
  message: 'Use a union of string literals, with an `as const` array where a list is needed.',
};

const defaultExports = ['ExportDefaultDeclaration', 'ExportSpecifier[exported.name="default"]'].map(
  (selector) => ({ selector, message: 'Use a named export.' }),
);

const syntax = [enums, ...defaultExports];

/** Promises do not follow the engine's clock: live, their results would arrive at other times than in a backtest. */
const promises = [
  ':function[async=true]',
  'AwaitExpression',
  'ForOfStatement[await=true]',
  'NewExpression[callee.name="Promise"]',
  'MemberExpression[object.name="Promise"]',
  'CallExpression[callee.name="fetch"]',
].map((selector) => ({
  selector,
  message: "Promises do not follow the engine's clock: stay within RxJS and the candle hooks.",
}));

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-*/',
      'coverage/',
      'results/',
      '.stryker-tmp/',
      'docs/site/dist/',
      'docs/site/.pages/',
      'docs/site/.vitepress/cache/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'everything typed',
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...syntax],
      'no-restricted-imports': ['error', { paths: [decimalImport] }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        // A switch over a union needs a case for every member, even with a `default` that calls `assertNever`.
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      // Messages may contain numbers, but no objects and no undefined.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => stop()` is the usual form of a teardown.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'rxjs-x/finnish': [
        'error',
        {
          functions: false,
          methods: false,
          // Private subjects are named after their values: `#fills`, exposed as `fills$`.
          types: { Subject$: false },
        },
      ],
    },
  },
  {
    name: 'scripts',
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.strict],
    rules: { eqeqeq: 'error' },
  },
  {
    name: 'scripts of tools that load CommonJS',
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    name: 'source and strategies: nothing ambient',
    files: ['src/**/*.ts', 'strategies/**/*.ts'],
    ignores: RIM,
    rules: {
      'no-restricted-globals': ['error', ...ambientGlobals],
      'no-restricted-properties': ['error', ...ambientProperties],
      'no-restricted-syntax': ['error', ...syntax, ...ambientSyntax],
    },
  },
  {
    name: 'source',
    files: ['src/**/*.ts'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'no-restricted-imports': [
        'error',
        { paths: [decimalImport, frameSchedulers, ...ambientImports] },
      ],
    },
  },
  {
    name: 'no state of a module',
    files: ['domain', 'risk', 'report', 'simulator'].map((module) => `src/${module}/**/*.ts`),
    plugins: { evenkeel: { rules: { 'no-module-state': noModuleState } } },
    rules: { 'evenkeel/no-module-state': 'error' },
  },
  {
    name: 'the rim',
    files: RIM,
    rules: {
      'no-restricted-imports': ['error', { paths: [decimalImport, frameSchedulers] }],
    },
  },
  {
    name: 'the one decimal',
    files: ['src/domain/amounts/decimal.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ambientImports }] },
  },
  {
    name: 'the time router: it steers the providers behind the time of RxJS',
    files: ['src/engine/time/rxjs-time-router.ts'],
    rules: { 'rxjs-x/no-internal': 'off' },
  },
  {
    name: 'the command line talks',
    files: ['src/cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    name: 'strategies',
    files: ['strategies/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...syntax, ...ambientSyntax, ...promises],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            decimalImport,
            ...ambientImports,
            {
              name: 'rxjs',
              importNames: ['firstValueFrom', 'lastValueFrom'],
              message: "Promises do not follow the engine's clock.",
            },
          ],
          patterns: [
            {
              group: ['node:*'],
              message: 'A strategy does no I/O: it gets events and returns intents.',
            },
          ],
        },
      ],
    },
  },
  {
    name: 'tests',
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...syntax, lawWithoutDrawing],
      // A benchmark prints its table, and a fault test prints its seed.
      'no-console': 'off',
      // In `expect(JSON.parse(...).equity)`, the assertion checks the type.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      // Fakes implement asynchronous ports without an await.
      '@typescript-eslint/require-await': 'off',
      // Tests pass methods to `expect` as values.
      '@typescript-eslint/unbound-method': 'off',
      // A switch in a test may cover only the members under test.
      '@typescript-eslint/switch-exhaustiveness-check': 'off',
      // A stream error fails its test without a handler, because vitest reports unhandled errors.
      'rxjs-x/no-ignored-error': 'off',
      // Tests of streams read the subjects that they own.
      'rxjs-x/no-exposed-subjects': 'off',
    },
  },
  {
    name: 'configuration of tools: one default export is what they ask for',
    files: ['*.config.ts'],
    rules: { 'no-restricted-syntax': ['error', enums] },
  },
);
