import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { rxjsByParts } from '../../../../src/assembly/plugins/rxjs-by-parts.js';

const require = createRequire(import.meta.url);

describe('rxjsByParts', () => {
  it('has all that rxjs exports, of the same copy', () => {
    const whole = require('rxjs') as Readonly<Record<string, unknown>>;
    const parts = rxjsByParts(require);

    expect(Object.keys(parts).toSorted()).toEqual(Object.keys(whole).toSorted());
    const others = Object.keys(whole).filter((name) => parts[name] !== whole[name]);
    expect(others).toEqual([]);
  });

  it('loads a part when it is used, and not before', () => {
    const asked: string[] = [];
    const watched = Object.assign(
      (id: string): unknown => {
        asked.push(id);
        return require(id) as unknown;
      },
      { resolve: require.resolve },
    ) as NodeJS.Require;

    const parts = rxjsByParts(watched);
    expect(asked).toEqual([]);
    expect(parts['map']).toBeTypeOf('function');
    expect(asked).toEqual(['rxjs/internal/operators/map']);
  });
});
