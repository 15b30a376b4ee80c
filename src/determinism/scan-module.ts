import { createRequire } from 'node:module';
import path from 'node:path';
import type * as Jiti from 'jiti';
import { findAmbient, type FileFinding } from './find-ambient.js';
import { findState } from './find-state.js';
import { nodeChildOf, childrenOf, isCall, nameOf, type SyntaxPath } from './syntax-tree.js';
import type { ShapeSource, ValueShape } from './mutators.js';
import { shapeOf, shapeOfDeclaration } from './value-shape.js';

/** The result of the scan of one file. */
export interface ScannedModule {
  readonly findings: readonly FileFinding[];
  /** Specifiers of its imports, without type imports. */
  readonly imports: readonly string[];
  /** The shape of an export by name; undefined if not known. */
  exported(name: string): ValueShape | undefined;
}

const NOTHING: ScannedModule = { findings: [], imports: [], exported: () => undefined };

interface ScanOptions {
  /** Gives the shapes of other files' exports. */
  readonly resolve: ShapeSource['resolve'];
  /** Whether to search for state of the module. */
  readonly findsState: boolean;
}

/** Scans files as the loader of plugins parses them. */
export class ModuleScanner {
  readonly #jiti: Jiti.Jiti;
  #look: (program: SyntaxPath) => void = () => undefined;

  constructor() {
    const require = createRequire(import.meta.url);
    const { createJiti } = require('jiti') as typeof Jiti;
    const scan = (): object => ({
      pre: ({ path: program }: { readonly path: SyntaxPath }) => {
        this.#look(program);
        // Stops the compilation: its output is not needed.
        throw new Error('looked at');
      },
    });
    this.#jiti = createJiti(import.meta.url, {
      fsCache: false,
      transformOptions: { babel: { plugins: [scan] } },
    });
  }

  /** Scans one file. A file that does not parse has no findings: the loader reports its error. */
  scan(file: string, text: string, { resolve, findsState }: ScanOptions): ScannedModule {
    let seen: ScannedModule = NOTHING;
    const from: ShapeSource = { resolve, open: new Set() };
    this.#look = (program) => {
      try {
        const state = findsState ? findState(program, from) : [];
        seen = {
          findings: [...findAmbient(program), ...state],
          imports: importsOf(program),
          exported: (name) => shapeOfExport(program, name, from),
        };
      } catch (error: unknown) {
        // A run need not fail for this, but the user must know.
        const what = `this file could not be looked through: ${String(error)}`;
        seen = { ...NOTHING, findings: [{ line: 1, column: 1, code: 'E_PLUGIN_HIDDEN', what }] };
      }
    };
    this.#jiti.transform({
      source: text,
      filename: file,
      ts: /^\.[cm]?tsx?$/.test(path.extname(file)),
      async: true,
    });
    return seen;
  }

  /** Absolute path of a file that another file imports from a package; undefined if there is none. */
  resolvePackage(specifier: string, from: string): string | undefined {
    return this.#jiti.esmResolve(specifier, { parentURL: from, try: true });
  }
}

function importsOf(program: SyntaxPath): readonly string[] {
  const found = new Set<string>();
  const add = (path: SyntaxPath): void => {
    const { node } = path;
    const source = nameOf(node['source'] ?? {});
    const isType = node['importKind'] === 'type' || node['exportKind'] === 'type';
    if (source !== undefined && !isType) found.add(source);
  };
  const addCalled = (path: SyntaxPath): void => {
    const callee = nodeChildOf(path, 'callee')?.node;
    const [first] = childrenOf(path, 'arguments');
    const isImport = callee?.type === 'Import' || nameOf(callee ?? {}) === 'require';
    if (isImport && isCall(path) && first?.node.type === 'StringLiteral')
      found.add(nameOf(first.node) ?? '');
  };
  const addEqual = (path: SyntaxPath): void => {
    const module = nodeChildOf(path, 'moduleReference');
    const source = module && nodeChildOf(module, 'expression');
    if (source !== undefined) found.add(nameOf(source.node) ?? '');
  };
  program.traverse({
    ImportDeclaration: add,
    TSImportEqualsDeclaration: addEqual,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    CallExpression: addCalled,
  });
  return [...found];
}

function shapeOfExport(
  program: SyntaxPath,
  name: string,
  from: ShapeSource,
): ValueShape | undefined {
  for (const statement of childrenOf(program, 'body')) {
    const { node } = statement;
    const source = nameOf(node['source'] ?? {});
    const declared = nodeChildOf(statement, 'declaration');
    if (node.type === 'ExportDefaultDeclaration' && name === 'default' && declared !== undefined)
      return declared.node.type === 'ClassDeclaration'
        ? shapeOfDeclaration(declared, from)
        : shapeOf(declared, from);
    if (node.type === 'ExportAllDeclaration' && source !== undefined) {
      const passed = from.resolve(source, name);
      if (passed !== undefined) return passed;
    }
    if (node.type !== 'ExportNamedDeclaration') continue;
    const declares = declared && namesOf(declared).includes(name);
    const binding = declares === true ? program.scope.getBinding(name) : undefined;
    if (binding !== undefined) return shapeOfDeclaration(binding.path, from);
    for (const specifier of childrenOf(statement, 'specifiers')) {
      if (nameOf(specifier.node['exported']) !== name) continue;
      const local = nameOf(specifier.node['local'] ?? {}) ?? '';
      if (source !== undefined) return from.resolve(source, local);
      const inner = program.scope.getBinding(local);
      return inner && shapeOfDeclaration(inner.path, from);
    }
  }
  return undefined;
}

function namesOf(declaration: SyntaxPath): readonly string[] {
  const own = nameOf(declaration.node['id'] ?? {});
  const declared = childrenOf(declaration, 'declarations').map(({ node }) => nameOf(node['id']));
  return [own, ...declared].filter((name) => name !== undefined);
}
