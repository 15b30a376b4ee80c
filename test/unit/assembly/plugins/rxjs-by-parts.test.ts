import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { rxjsByParts } from '../../../../src/assembly/plugins/rxjs-by-parts.js';

const require = createRequire(import.meta.url);

describe('rxjsByParts', () => {
  it('has the same exports as rxjs, from the same copy', () => {
    const whole = require('rxjs') as Readonly<Record<string, unknown>>;
    const parts = rxjsByParts(require);

    expect(Object.keys(parts).toSorted()).toEqual(Object.keys(whole).toSorted());
    const others = Object.keys(whole).filter((name) => parts[name] !== whole[name]);
    expect(others).toEqual([]);
  });

  it('loads a part only when it is used', () => {
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
