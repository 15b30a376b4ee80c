import { readFileSync } from 'node:fs';
import { present } from '../domain/index.js';

/** Version of the package. It is read from package.json, because the package's entry point would load the engine. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return String(present(hasVersion ? manifest.version : undefined, 'version'));
}
