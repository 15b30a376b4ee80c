import { createHmacSigner, type Credentials } from '../../../src/client/index.js';
import {
  encodeVenueError,
  ENDPOINT_LIST,
  formatJson,
  parseJson,
  parseRequest,
  type AnswerProfile,
  type AnyEndpoint,
  type EndpointId,
  type JsonOutput,
} from '../../../src/venue/wire/index.js';
import { FaultServer, json, type SeenRequest } from '../fault-server.js';
import { answersOf } from './venue-answers.js';
import { VenueBook } from './venue-book.js';

/** A small venue on loopback with the whole interface, over a market that never moves. It checks signatures byte for byte. */
export async function startScriptedVenue(
  credentials: Credentials,
  profile: AnswerProfile = 'interface',
  now: () => number = () => Date.now(),
): Promise<FaultServer> {
  const signer = createHmacSigner(credentials);
  const answers = answersOf(new VenueBook(now), now, profile);

  const isSigned = ({ method, path, headers, body }: SeenRequest): boolean => {
    const timestamp = Number(headers['x-ch-ts']);
    const expected = signer.sign({ timestamp, method: method as 'GET' | 'POST', path, body });
    return Object.entries(expected).every(([name, value]) => headers[name.toLowerCase()] === value);
  };

  const answer = (request: SeenRequest): JsonOutput => {
    const endpoint = findEndpoint(request);
    if (endpoint === undefined)
      return encodeVenueError({ code: '-1002', message: 'unknown path' }, profile);
    if (endpoint.access === 'signed' && !isSigned(request)) {
      return encodeVenueError({ code: '-1022', message: 'bad signature' }, profile);
    }
    const outcome = parseRequest(endpoint, sentFields(request));
    if (outcome.kind === 'invalid') return encodeVenueError(outcome.problem, profile);
    const handle = answers[endpoint.id as EndpointId] as (fields: unknown) => JsonOutput;
    return handle(outcome.request);
  };

  return FaultServer.start((exchange) => {
    json(formatJson(answer(exchange.request)))(exchange);
  });
}

function findEndpoint({ method, path }: SeenRequest): AnyEndpoint | undefined {
  const [bare] = path.split('?');
  return ENDPOINT_LIST.find((endpoint) => endpoint.method === method && endpoint.path === bare);
}

function sentFields({ method, path, body }: SeenRequest): unknown {
  if (method === 'POST') return parseJson(body);
  return Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''));
}
