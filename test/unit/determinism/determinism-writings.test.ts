import { describe, expect, it } from 'vitest';
import { INDICATORS } from '../../../src/determinism/mutators.js';
import { ModuleScanner } from '../../../src/determinism/scan-module.js';
import * as evenkeel from '../../../src/index.js';
import { WRITINGS } from '../../support/determinism/writings.js';

describe('ModuleScanner', () => {
  const scanner = new ModuleScanner();

  it.each(WRITINGS)('finds "%s" in %s', (code, text) => {
    const { findings } = scanner.scan('/file.ts', text, {
      findsState: true,
      resolve: () => undefined,
    });

    const found = findings.map((finding) => finding.code);
    if (code === '') expect(found).toEqual([]);
    else expect(found).toContain(`E_PLUGIN_${code}`);
  });

  it('terminates with names that refer to each other in cycles', () => {
    const names = Array.from({ length: 12 }, (_, n) => `n${String(n)}`);
    const text = [
      ...names.map((name) => `let ${name} = Date;`),
      ...names.flatMap((name) => names.map((other) => `${name} = ${other};`)),
      ...names.map(
        (name) => `export const f${name} = () => ${names.map((other) => `f${other}()`).join('+')};`,
      ),
      'class A { b = new B(); m() { this.b.m(); } }\nclass B { a = new A(); m() { this.a.m(); } }',
      'const a = new A(); export const run = () => a.m();',
    ].join('\n');

    const { findings } = scanner.scan('/file.ts', text, {
      findsState: true,
      resolve: () => undefined,
    });

    expect(findings.filter(({ code }) => code === 'E_PLUGIN_HIDDEN')).toEqual([]);
  });

  it('INDICATORS contains every indicator of the package', () => {
    const made = Object.entries(evenkeel).flatMap(([name, value]) => {
      if (typeof value !== 'function' || !/^[a-z]/.test(name)) return [];
      try {
        const instance: unknown = Reflect.apply(value, undefined, name === 'macd' ? [] : [5]);
        return typeof instance === 'object' && instance !== null && 'update' in instance
          ? [`evenkeel.${name}`]
          : [];
      } catch {
        return [];
      }
    });

    expect([...INDICATORS]).toEqual(expect.arrayContaining(made));
    expect(made.length).toBeGreaterThan(10);
  });
});
