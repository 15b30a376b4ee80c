import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The exports of `rxjs`. Each is loaded from its own file of `rxjs` when it is first used: all of them are 223 files, which take longer to load than a
 * short backtest takes to run.
 */
export function rxjsByParts(require: NodeJS.Require): Readonly<Record<string, unknown>> {
  const folder = path.dirname(require.resolve('rxjs/package.json'));
  const index = readFileSync(path.join(folder, 'dist', 'esm', 'index.js'), 'utf8');
  const parts = Object.defineProperty({}, '__esModule', { value: true });
  for (const [, names = '', file = ''] of index.matchAll(/^export \{ (.*) \} from '\.\/(.*)';$/gm))
    for (const text of names.split(', ')) {
      const [own = '', name = own] = text.split(' as ');
      const get = (): unknown => (require(`rxjs/${file}`) as Record<string, unknown>)[own];
      Object.defineProperty(parts, name, { enumerable: true, get });
    }
  return parts;
}
