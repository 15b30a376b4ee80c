import type { z } from 'zod';
import { requestBounds, type FieldBound } from './json/fields.js';
import { requestWriter, type RequestWriter } from './requests/request-writer.js';

/** Spot and margin share a host and the path prefix /sapi/v1; futures has its own host and /fapi/v1. */
type EndpointArea = 'spot' | 'futures' | 'margin';

/** Public calls carry nothing; signed ones a key, a timestamp and a signature. */
type EndpointAccess = 'public' | 'signed';

/** At most `count` calls in every window of `windowMs`. */
export interface EndpointRateLimit {
  readonly count: number;
  readonly windowMs: number;
  /** Whose calls are counted: those of an API key (signed) or of a network address (public). */
  readonly scope: 'key' | 'address';
  /** Endpoints of one bucket share one budget. All of futures is one bucket: its limit is stated for the area. */
  readonly bucket: string;
  /** `interface`: stated there. `default`: not stated, the safe assumption of the public material. */
  readonly source: 'interface' | 'default';
  /** Calls one request counts for. @defaultValue 1 */
  readonly weight?: number;
}

/** One request and the answers to it, as they go over the wire. */
interface EndpointExamples<Request> {
  readonly request: Request;
  /** Answer text in exactly the interface's shape. */
  readonly answer: string;
  /** Answer text with the additions of other deployments of the same family, where it differs. */
  readonly familyAnswer?: string;
}

/** One call of the interface, as data. */
export interface Endpoint<
  Request extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Area, point, name in camel case: `spot.klines`. Stable. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly area: EndpointArea;
  readonly access: EndpointAccess;
  readonly rateLimit: EndpointRateLimit;
  /** Whether a second call changes nothing more. True for reads and test orders; never for submits or cancels. */
  readonly idempotent: boolean;
  /** Query (GET) or body (POST) in the order in which it is written. Strict: unknown keys are refused. */
  readonly request: Request;
  /** Writes the fields of a request that was checked. */
  readonly writeRequest: RequestWriter;
  /** Answer after its envelope was opened. Tolerant: unknown fields are ignored, spellings unified. */
  readonly answer: Answer;
  /** Whether answers come in `{code, msg, data, succ}` by design. Other answers are opened, too, if a deployment wraps them. */
  readonly enveloped: boolean;
  /** Name under which deployments may wrap the list of the answer; for the documentation. */
  readonly listName: 'list' | 'symbols' | undefined;
  /** Fields that the interface marks as required and documents of the family do not, with their default values there. */
  readonly familyDefaults: Readonly<Record<string, string>>;
  /** Defaults and maxima of the request's fields. */
  readonly bounds: readonly FieldBound[];
  readonly examples: EndpointExamples<z.input<Request>>;
  readonly doc: string;
}

/** Any endpoint, where its types do not matter. */
export type AnyEndpoint = Endpoint;

/** What a caller passes; fields with a default may be left out. */
export type RequestOf<E extends { readonly request: z.ZodObject }> = z.input<E['request']>;
/** What a request holds once checked: defaults filled in. */
export type CheckedRequestOf<E extends { readonly request: z.ZodObject }> = z.output<E['request']>;
/** What a caller gets: the venue's field names with our values (exact amounts, UTC milliseconds, our statuses). */
export type AnswerOf<E extends { readonly answer: z.ZodType }> = z.output<E['answer']>;

type EndpointDefinition<Request extends z.ZodObject, Answer extends z.ZodType> = Omit<
  Endpoint<Request, Answer>,
  'bounds' | 'writeRequest' | 'enveloped' | 'listName' | 'idempotent' | 'familyDefaults'
> &
  Partial<Pick<Endpoint, 'enveloped' | 'listName' | 'idempotent' | 'familyDefaults'>>;

/** Completes a row of the table: reads are idempotent; bounds and the writer come from the request's fields. */
export function defineEndpoint<
  const Id extends string,
  Request extends z.ZodObject,
  Answer extends z.ZodType,
>(
  definition: EndpointDefinition<Request, Answer> & { readonly id: Id },
): Endpoint<Request, Answer> & { readonly id: Id } {
  return {
    idempotent: definition.method === 'GET',
    enveloped: false,
    listName: undefined,
    familyDefaults: {},
    ...definition,
    bounds: requestBounds(definition.request),
    writeRequest: requestWriter(definition.request),
  };
}
