import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { ENDPOINT_LIST, parseJson, renderOpenApi } from '../../../../src/venue/wire/index.js';

type Json = Readonly<Record<string, unknown>>;

/** The part of the document that these tests read. */
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly 'x-rate-limit': Json;
  readonly responses: {
    readonly '200': {
      readonly content: {
        readonly 'application/json': {
          readonly schema: Json;
          readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
        };
      };
    };
  };
}

/** Rendered once, because each rendering walks the whole table. */
const TEXT = renderOpenApi();

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(TEXT) as Record<string, unknown>);

    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(rendered().openapi).toBe('3.1.0');
  });

  it('is checked by a validator that finds a planted mistake', async () => {
    const mistaken = { ...rendered(), paths: { 'no-slash': { get: { responses: 'none' } } } };

    const result = await new Validator().validate(mistaken);

    expect(result.valid).toBe(false);
  });

  it('describes each endpoint once, with its access and limit', () => {
    for (const { id, path, method, access, rateLimit } of ENDPOINT_LIST) {
      const operation = rendered().paths[path]?.[method.toLowerCase()];

      expect(operation?.operationId).toBe(id);
      expect(operation?.security.length).toBe(access === 'signed' ? 1 : 0);
      expect(operation?.['x-rate-limit']).toMatchObject(rateLimit);
    }
  });

  it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const))(
    'has answer examples of %s in both profiles that match its schema',
    (_id, { path, method }) => {
      // Parsed without loss: as a float64 an id would not be a whole number that the validator accepts.
      const { components, paths } = parseJson(TEXT) as unknown as Document;
      const content = paths[path]?.[method.toLowerCase()]?.responses['200'].content;
      const { schema, examples } = content?.['application/json'] ?? { schema: {}, examples: {} };

      const validator = z.fromJSONSchema(withDefinitions(schema, components.schemas));

      expect(Object.keys(examples)).toEqual(['interface', 'family']);
      for (const { value } of Object.values(examples)) {
        expect(validator.safeParse(value).error?.issues).toBeUndefined();
      }
    },
  );

  it('keeps every digit of ids', () => {
    expect(TEXT).toContain('"orderId":3221406049627539350');
  });

  it('is rendered the same every time', () => {
    expect(renderOpenApi()).toBe(TEXT);
  });
});

function rendered(): Document {
  return JSON.parse(TEXT) as Document;
}

/** The schema as a separate document, with references into its `$defs`. */
function withDefinitions(schema: Json, $defs: Json): Json {
  const text = JSON.stringify({ ...schema, $defs });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Json;
}
