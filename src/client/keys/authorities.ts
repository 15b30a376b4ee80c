import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ConfigError, reasonOf, type ConfigLocation } from '../../domain/index.js';

const MAX_BYTES = 1_048_576;

/**
 * Returns the authorities whose signatures on a host's certificate are accepted: Node's own, and those in a file, in PEM.
 *
 * @throws {ConfigError} `E_CA_FILE` for a file that cannot be read, or that holds no certificate.
 */
export function readAuthorities(file: string, location: ConfigLocation): readonly string[] {
  const own = certificatesIn(file, location);
  const bad = own.find((certificate) => !isCertificate(certificate));
  if (own.length === 0 || bad !== undefined) {
    const received = bad === undefined ? 'none' : 'an unreadable one';
    throw new ConfigError('E_CA_FILE', { location, expected: 'certificates in PEM', received });
  }
  return [...rootCertificates, ...own];
}

function certificatesIn(file: string, location: ConfigLocation): readonly string[] {
  try {
    const text = readFileSync(file).subarray(0, MAX_BYTES).toString('latin1');
    return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  } catch (cause: unknown) {
    const received = `none: ${reasonOf(cause)}`;
    const problem = { location, expected: 'a readable file', received };
    throw new ConfigError('E_CA_FILE', problem, { cause });
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
