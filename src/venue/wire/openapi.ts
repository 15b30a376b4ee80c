import { z } from 'zod';
import { isRecord } from './json/body.js';
import type { AnyEndpoint } from './endpoint.js';
import { ENDPOINT_LIST } from './endpoint-table.js';
import { fieldsOf, WIRE_FIELDS } from './json/fields.js';
import { formatJson, JsonText, type JsonOutput } from './json/json.js';
import { documentedForm } from './json/record-list.js';
import { encodeRequest } from './requests/request.js';

/** A JSON object of the document. */
type Node = Readonly<Record<string, JsonOutput | undefined>>;

const SERVERS: Readonly<Record<'spot' | 'futures', Node>> = {
  spot: {
    url: '{base_url}',
    description: 'Spot and margin',
    variables: { base_url: { default: 'http://127.0.0.1:8480' } },
  },
  futures: {
    url: '{futures_base_url}',
    description: 'Futures',
    variables: { futures_base_url: { default: 'http://127.0.0.1:8480' } },
  },
};

const SECURITY_SCHEMES: Node = {
  key: { type: 'apiKey', in: 'header', name: 'X-CH-APIKEY', description: 'API key' },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CH-TS',
    description: 'UTC milliseconds as 13 digits',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CH-SIGN',
    description:
      'Lower-case hex of HMAC-SHA256, keyed with the API secret, over timestamp + METHOD + path + ("?" + query, where there is one) + body, all as sent',
  },
};

const ERROR_SCHEMA: Node = {
  type: 'object',
  description: 'Also sent with status 200 by some deployments: look at the code first',
  properties: {
    code: { type: ['integer', 'string'], description: 'Anything but 0' },
    msg: { type: 'string' },
    data: { type: 'null' },
    succ: { type: 'boolean', const: false },
  },
  required: ['code', 'msg'],
};

/**
 * Describes the whole interface as an OpenAPI 3.1 document, from the endpoint table alone.
 *
 * Each answer has an example per profile: `interface` in exactly the shapes of the specification, `family` with the additions of other
 * deployments; fields marked `x-profile: family` belong to the latter. `x-wire-type` is the type as the specification names it,
 * `x-required` who says that a field must be sent, `x-rate-limit` the stated or assumed limit.
 */
function buildOpenApi(): Node {
  const paths = new Map<string, Record<string, JsonOutput>>();
  for (const endpoint of ENDPOINT_LIST) {
    const path = paths.get(endpoint.path) ?? { servers: [SERVERS[hostOf(endpoint)]] };
    path[endpoint.method.toLowerCase()] = operation(endpoint);
    paths.set(endpoint.path, path);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spot, futures and margin REST interface',
      version: 'v1',
      description: `${String(ENDPOINT_LIST.length)} endpoints in three areas. Signed calls carry key, timestamp and signature.`,
    },
    servers: Object.values(SERVERS),
    tags: [{ name: 'spot' }, { name: 'futures' }, { name: 'margin' }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        Error: ERROR_SCHEMA,
        ...Object.fromEntries(
          ENDPOINT_LIST.map(({ id, answer }) => [id, schemaOf(documentedForm(answer))]),
        ),
      },
    },
  };
}

/** The document as JSON text, indented by two spaces. Same table, same bytes; ids keep their digits. */
export function renderOpenApi(): string {
  return `${formatJson(buildOpenApi(), 2)}\n`;
}

function hostOf({ area }: AnyEndpoint): keyof typeof SERVERS {
  return area === 'futures' ? 'futures' : 'spot';
}

function operation(endpoint: AnyEndpoint): JsonOutput {
  const { count, windowMs, scope, bucket, source, weight = 1 } = endpoint.rateLimit;
  return {
    operationId: endpoint.id,
    summary: endpoint.doc.slice(0, endpoint.doc.indexOf('.') + 1),
    description: endpoint.doc,
    tags: [endpoint.area],
    security: endpoint.access === 'signed' ? [{ key: [], timestamp: [], signature: [] }] : [],
    ...(endpoint.method === 'GET'
      ? { parameters: queryParameters(endpoint) }
      : { requestBody: requestBody(endpoint) }),
    responses: {
      '200': { description: 'The answer', content: { 'application/json': answer(endpoint) } },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    'x-idempotent': endpoint.idempotent,
    'x-rate-limit': { count, windowMs, scope, bucket, source, weight },
  };
}

function queryParameters(endpoint: AnyEndpoint): readonly JsonOutput[] {
  const sent = new URLSearchParams(encodeRequest(endpoint, endpoint.examples.request).query);
  return fieldsOf(endpoint.request).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field);
    const example = sent.get(name);
    return {
      name,
      in: 'query',
      required: isMarked(field),
      description,
      schema,
      ...(example === null ? {} : { example }),
    };
  });
}

function requestBody(endpoint: AnyEndpoint): JsonOutput {
  const { body } = encodeRequest(endpoint, endpoint.examples.request);
  const schema = recordSchema(endpoint.request);
  return {
    required: true,
    content: { 'application/json': { schema, example: new JsonText(body) } },
  };
}

/** Schema of a request's body. Marked fields are required. Servers ignore unknown keys. */
function recordSchema(record: z.ZodObject): Node {
  const fields = fieldsOf(record);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, bodyField(field)])),
    required: fields.filter(([, field]) => isMarked(field)).map(([name]) => name),
  };
}

function bodyField(field: z.core.$ZodType): Node {
  const schema = schemaOf(field);
  const entry = field instanceof z.ZodArray ? field.element : undefined;
  return entry instanceof z.ZodObject ? { ...schema, items: recordSchema(entry) } : schema;
}

function isMarked(field: z.core.$ZodType): boolean {
  return WIRE_FIELDS.get(field)?.['x-required'] !== 'optional';
}

function answer(endpoint: AnyEndpoint): JsonOutput {
  const { answer: text, familyAnswer = text } = endpoint.examples;
  return {
    schema: answerSchema(endpoint),
    examples: {
      interface: { value: new JsonText(text) },
      family: { value: new JsonText(familyAnswer) },
    },
  };
}

function answerSchema(endpoint: AnyEndpoint): Node {
  const bare: Node = { $ref: `#/components/schemas/${endpoint.id}` };
  const isList = endpoint.answer instanceof z.ZodArray;
  const forms: Node[] = [bare];
  if (endpoint.listName !== undefined) {
    const { listName } = endpoint;
    forms.push({ type: 'object', properties: { [listName]: bare }, required: [listName] });
  }
  if (isList || endpoint.enveloped) forms.push(envelope(bare, isList));
  return forms.length === 1 ? bare : { anyOf: forms };
}

function envelope(schema: Node, isList: boolean): Node {
  const data = isList ? { anyOf: [schema, { type: 'null', description: 'No entries' }] } : schema;
  return {
    type: 'object',
    properties: {
      code: { enum: ['0', 0] },
      msg: { type: 'string' },
      data,
      succ: { type: 'boolean' },
    },
    required: ['code', 'data'],
  };
}

function schemaOf(schema: z.core.$ZodType): Node {
  const json = z.toJSONSchema(schema, { io: 'input', metadata: WIRE_FIELDS });
  const members = Object.entries(json).filter(([key]) => key !== '$schema');
  return Object.fromEntries(members.map(([key, value]) => [key, toOutput(value)]));
}

function toOutput(value: unknown): JsonOutput {
  if (Array.isArray(value)) return value.map(toOutput);
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, toOutput(member)]),
    );
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}
