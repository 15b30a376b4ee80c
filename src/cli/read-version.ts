import { createRequire } from 'node:module';
import { present } from '../domain/index.js';

/** Version of the package. Read from package.json, because the entry point that also knows it loads the engine. */
export function readVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return String(present(hasVersion ? manifest.version : undefined, 'version'));
}
