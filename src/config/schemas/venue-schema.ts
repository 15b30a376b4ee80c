import { z } from 'zod';
import { filePath, type Reference } from './reference.js';
import { addProblem, mapping, parsedText, text } from './scalars.js';
import { DomainError } from '../../domain/index.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const SAFE_URL = 'an https URL, or an http URL to loopback, without credentials or query';

function parseVenueUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  const isBare =
    url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isSafe || !isBare) throw new DomainError('E_URL_INSECURE', `expected ${SAFE_URL}`);
  return value.replace(/\/+$/, '');
}

function venueUrl(description: string): z.ZodOptional<z.ZodType<string, string>> {
  return parsedText(SAFE_URL, parseVenueUrl).meta({ description }).optional();
}

function environmentName(description: string): z.ZodOptional<z.ZodType<string, string>> {
  return text('the name of an environment variable', /^[A-Za-z_][A-Za-z0-9_]{0,99}$/)
    .meta({ description })
    .optional();
}

function secretFile(description: string): z.ZodOptional<z.ZodType<Reference<string>, string>> {
  return filePath('the path of a file with mode 0600').meta({ description }).optional();
}

type SecretSource =
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: Reference<string> };

function secretSource(name?: string, file?: Reference<string>): SecretSource | undefined {
  if (name !== undefined) return { kind: 'environment', name };
  return file && { kind: 'file', path: file };
}

/** The `venue` block. It holds the places of secrets, never the secrets themselves. */
export const venueSchema = mapping({
  path: filePath('the path of a module')
    .meta({
      description:
        'Module of your own venue, a .ts, .js or .mjs file; relative to this file. It replaces the addresses.',
    })
    .optional(),
  export: text('the name of an exported function', /^[A-Za-z_$][\w$]*$/)
    .default('openVenue')
    .meta({ description: 'Function of that module that opens the venue.' }),
  options: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], { error: 'a number, text, true or false' }),
      { error: 'a mapping' },
    )
    .prefault({})
    .meta({ description: 'Options passed to that function in addition to the key.' }),
  spotUrl: venueUrl('Address of the spot and margin API.'),
  futuresUrl: venueUrl('Address of the futures API.'),
  keyEnv: environmentName('Environment variable that holds the API key.'),
  secretEnv: environmentName('Environment variable that holds the API secret.'),
  keyFile: secretFile('File that holds the API key, mode 0600.'),
  secretFile: secretFile('File that holds the API secret, mode 0600.'),
  caFile: filePath('the path of a file of certificates in PEM')
    .meta({
      description: 'Additional CA certificates to trust for these addresses, in PEM.',
    })
    .optional(),
})
  .superRefine((venue, context) => {
    for (const address of ['spotUrl', 'futuresUrl', 'caFile'] as const)
      if (venue.path !== undefined && venue[address] !== undefined)
        addProblem(
          context,
          `either path or ${address}`,
          { code: 'E_CONFIG_VALUE', received: 'both' },
          [address],
        );
    for (const [inEnvironment, inFile] of [
      ['keyEnv', 'keyFile'],
      ['secretEnv', 'secretFile'],
    ] as const) {
      if (venue[inEnvironment] === undefined || venue[inFile] === undefined) continue;
      addProblem(
        context,
        `either ${inEnvironment} or ${inFile}`,
        { code: 'E_CONFIG_VALUE', received: 'both' },
        [inFile],
      );
    }
  })
  .transform(({ keyEnv, keyFile, secretEnv, secretFile, ...urls }) => ({
    ...urls,
    key: secretSource(keyEnv, keyFile),
    secret: secretSource(secretEnv, secretFile),
  }))
  .meta({
    description:
      'Addresses and credentials of the venue for paper and live bots; a backtest ignores them.',
  });
