import { builtinModules } from 'node:module';
import type { FindingCode } from './finding.js';

/** Names of the global object. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set([
  'global',
  'globalThis',
  'self',
  'window',
]);

/** The longest known beginning of a path decides. A later entry overrides an earlier one. Members of Node modules start with `node:NAME`. */
const KNOWN: ReadonlyMap<string, FindingCode | 'harmless'> = new Map<
  string,
  FindingCode | 'harmless'
>([
  ...named('E_PLUGIN_IO', [
    'Bun',
    'Deno',
    'EventSource',
    'WebSocket',
    'Worker',
    'XMLHttpRequest',
    'fetch',
    'indexedDB',
    'localStorage',
    'navigator',
    'process',
    'rxjs/ajax',
    'rxjs/fetch',
    'rxjs/webSocket',
    'sessionStorage',
    ...builtinModules.map((name) => `node:${name}`),
  ]),
  ...named('E_PLUGIN_CLOCK', [
    'Date.?',
    'Date.now',
    'Temporal.Now',
    'node:perf_hooks',
    'performance',
    'process.hrtime',
    'process.uptime',
  ]),
  ...named('E_PLUGIN_RANDOM', [
    'FinalizationRegistry',
    'Math.random',
    'WeakRef',
    'crypto.?',
    'crypto.getRandomValues',
    'crypto.randomUUID',
    'node:crypto.?',
    'node:crypto.generateKeyPairSync',
    'node:crypto.generateKeySync',
    'node:crypto.getRandomValues',
    'node:crypto.randomBytes',
    'node:crypto.randomFill',
    'node:crypto.randomFillSync',
    'node:crypto.randomInt',
    'node:crypto.randomUUID',
    'node:crypto.webcrypto',
  ]),
  ...named('E_PLUGIN_PROMISE', [
    'Array.fromAsync',
    'Promise',
    'crypto.subtle',
    'node:crypto.subtle',
    'rxjs.firstValueFrom',
    'rxjs.lastValueFrom',
  ]),
  ...named('E_PLUGIN_TIMER', [
    'AbortSignal.timeout',
    'BroadcastChannel',
    'MessageChannel',
    'node:timers',
    'node:timers/promises',
    'process.nextTick',
    'queueMicrotask',
    'requestAnimationFrame',
    'setImmediate',
    'setInterval',
    'setTimeout',
  ]),
  ...named('E_PLUGIN_HIDDEN', ['eval', 'globalThis.?', 'node:module', 'node:vm']),
  // Modules of pure functions, or modules whose impure members are found at the place of use.
  ...named('harmless', [
    'node:assert',
    'node:assert/strict',
    'node:buffer',
    'node:constants',
    'node:crypto',
    'node:events',
    'node:path',
    'node:path/posix',
    'node:path/win32',
    'node:punycode',
    'node:querystring',
    'node:string_decoder',
    'node:url',
    'node:util',
    'node:util/types',
  ]),
]);

function named(
  code: FindingCode | 'harmless',
  names: readonly string[],
): readonly (readonly [string, FindingCode | 'harmless'])[] {
  return names.map((name) => [name, code] as const);
}

/** Returns the finding code of a path of globals and modules; undefined if the path is harmless, or not known yet. */
export function codeOf(path: string): FindingCode | undefined {
  for (let known = path; known !== ''; known = shorter(known)) {
    const code = KNOWN.get(known);
    if (code !== undefined) return code === 'harmless' ? undefined : code;
  }
  return undefined;
}

function shorter(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}

/** Returns the path that an import stands for, `node:fs` also for `fs`; undefined for files and for packages without meaning here. */
export function pathOfModule(specifier: string): string | undefined {
  const bare = specifier.replace(/^node:/, '');
  if (specifier.startsWith('node:') || builtinModules.includes(bare)) return `node:${bare}`;
  return /^(rxjs|evenkeel)(\/|$)/.test(specifier)
    ? specifier.replace(/\/operators$/, '')
    : undefined;
}
