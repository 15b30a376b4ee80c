import {
  Secret,
  type Credentials,
  type Fetched,
  type RequestPreview,
  type VenueClient,
} from '../../client/index.js';
import { DomainError, UsageError, WireFormatError } from '../../domain/index.js';
import { VenueRefusalError } from '../../venue/index.js';
import { parseJson, type AnyEndpoint } from '../../venue/wire/index.js';
import type { CliContext } from '../cli-context.js';
import {
  connectVenue,
  venueCredentials,
  venueHosts,
  type VenueHosts,
} from '../venue/connect-venue.js';
import type { KeyFlags, VenueFlags } from '../venue/venue-options.js';
import { findEndpoint, readParameters } from './call-parameters.js';

/** Options of `call`. */
export interface CallFlags extends VenueFlags, KeyFlags {
  readonly list?: true;
  readonly raw?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: string;
}

/**
 * Makes one call and prints its answer.
 *
 * @throws {UsageError} `E_USAGE` for a wrong endpoint, parameter or option; any error of the client if there is no clear answer.
 */
export async function runCall(
  id: string | undefined,
  words: readonly string[],
  flags: CallFlags,
  context: CliContext,
): Promise<void> {
  const endpoint = findEndpoint(id);
  const request = readParameters(endpoint, words);
  const hosts = venueHosts(flags, context);
  const preview = await previewCall(hosts, endpoint, request);
  if (flags.dryRun === true) {
    context.stdout.write(`${JSON.stringify(preview, undefined, 2)}\n`);
    return;
  }
  checkConsent(endpoint, hosts, flags);
  const isSigned = endpoint.access === 'signed';
  const credentials = isSigned ? await venueCredentials(flags, context) : undefined;
  const { http, reply } = await withClient(hosts, credentials, (client) =>
    client.fetch(endpoint, request, { signal: context.signal }),
  );
  if (flags.raw === true) context.stdout.write(http.body);
  else writeJson(http.body, context.stdout);
  throwUnlessAnswer(reply);
}

/** Stands in for the credentials in a preview, which needs no secret: it masks the signature anyway. */
const NOT_READ: Credentials = { key: new Secret('not read'), secret: new Secret('not read') };

/** Checks the parameters and shows the request. @throws {UsageError} `E_USAGE` naming the parameter that does not fit. */
async function previewCall(
  hosts: VenueHosts,
  endpoint: AnyEndpoint,
  request: Readonly<Record<string, unknown>>,
): Promise<RequestPreview> {
  try {
    return await withClient(hosts, NOT_READ, (client) => client.preview(endpoint, request));
  } catch (error: unknown) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError('E_USAGE', withoutCode(error), { cause: error });
  }
}

/** The message ends with one code, that of a wrong command line. */
function withoutCode({ message, code }: DomainError): string {
  return message.replace(` (${code})`, '');
}

async function withClient<T>(
  hosts: VenueHosts,
  credentials: Credentials | undefined,
  work: (client: VenueClient) => Promise<T> | T,
): Promise<T> {
  const client = connectVenue({ hosts, credentials });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function throwUnlessAnswer(reply: Fetched<AnyEndpoint>['reply']): void {
  if (reply.kind === 'failed') throw reply.error;
  if (reply.kind === 'refused')
    throw new VenueRefusalError(reply.text, reply.code, reply.transient);
}

/** Prints a body that is JSON. For any other body, the caller's error follows. */
function writeJson(body: string, stdout: CliContext['stdout']): void {
  try {
    stdout.write(`${JSON.stringify(parseJson(body), undefined, 2)}\n`);
  } catch (error: unknown) {
    // The limit of nesting is the stack of this program. The user does not know that limit, so the message explains it.
    if (error instanceof RangeError) {
      const text = 'the answer is nested too deeply to print; --raw prints it unchanged';
      throw new WireFormatError('E_WIRE_JSON', text, { cause: error });
    }
    if (!(error instanceof WireFormatError)) throw error;
  }
}

function checkConsent(endpoint: AnyEndpoint, hosts: VenueHosts, { yes }: CallFlags): void {
  const { origin } = endpoint.area === 'futures' ? hosts.futures : hosts.spot;
  // Plain http is allowed to this machine only.
  if (endpoint.idempotent || yes === true || origin.startsWith('http://')) return;
  throw new UsageError(
    'E_USAGE',
    `${endpoint.id} changes something at ${origin} and needs --yes; --dry-run only shows the request`,
  );
}
