/**
 * Loader hooks for the benchmarks: imports of `src` get the compiled modules of `dist-modules`, and the types of other TypeScript
 * files are stripped. Plain imports of compiled modules stay as they are, so they are as fast as for a user. EVENKEEL_BUILD is the URL
 * of another build.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const sourceUrl = new URL('../src/', import.meta.url).href;
const outputUrl = process.env.EVENKEEL_BUILD ?? new URL('../dist-modules/', import.meta.url).href;
/** The engine's clock drives only the operators of the engine's own copy of RxJS. */
const OF_THE_BUILD = 'rxjs';

// Hooks run in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

export function resolve(specifier, context, next) {
  if (specifier === OF_THE_BUILD) return next(specifier, { ...context, parentURL: outputUrl });
  if (!specifier.startsWith('.')) return next(specifier, context);
  const { href } = new URL(specifier, context.parentURL);
  if (href.startsWith(sourceUrl)) return next(href.replace(sourceUrl, outputUrl), context);
  const typescript = href.replace(/\.js$/, '.ts');
  const isTypescript = !existsSync(fileURLToPath(href)) && existsSync(fileURLToPath(typescript));
  return next(isTypescript ? typescript : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { default: ts } = await import('typescript');
  const { outputText } = ts.transpileModule(await readFile(new URL(url), 'utf8'), {
    fileName: fileURLToPath(url),
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
