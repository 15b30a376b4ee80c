import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = ['crash/crash-bot', 'crash/restless-trader', 'support/virtual-time'];

/**
 * Writes the bot of these tests as plain JavaScript on top of the compiled modules. Returns the folder, which the caller removes, and the file to run.
 * Its process then starts as fast as that of a user. With a compiler and loader hooks, these would take most of the start.
 */
export function writeBotProgram(): { readonly folder: string; readonly file: string } {
  const cache = path.join(ROOT, 'node_modules', '.cache', 'evenkeel');
  mkdirSync(cache, { recursive: true });
  // Below node_modules, so that imports of packages resolve.
  const folder = mkdtempSync(path.join(cache, 'crash-bot-'));
  const output = pathToFileURL(path.join(ROOT, 'dist-modules')).href;
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of MODULES) {
    const source = readFileSync(new URL(`../${name}.ts`, import.meta.url), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    const file = path.join(folder, `${name}.js`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, outputText.replaceAll("'../../src/", `'${output}/`));
  }
  return { folder, file: path.join(folder, 'crash', 'crash-bot.js') };
}
