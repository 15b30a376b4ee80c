import { readFileSync } from 'node:fs';
import { present } from '../domain/index.js';

/** Version of the package. Read from package.json, because the entry point that also knows it loads the engine. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return String(present(hasVersion ? manifest.version : undefined, 'version'));
}
