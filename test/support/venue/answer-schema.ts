import { z } from 'zod';
import { parseJson, renderOpenApi, type AnyEndpoint } from '../../../src/venue/wire/index.js';

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
}

interface Operation {
  readonly responses: {
    readonly '200': {
      readonly content: { readonly 'application/json': { readonly schema: Json } };
    };
  };
}

/** The schema with which a program that knows only the OpenAPI document would validate the answers of an endpoint. */
export function answerSchemaOf({ path, method }: AnyEndpoint): z.ZodType {
  const { paths, components } = parseJson(renderOpenApi()) as unknown as Document;
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`expected ${method} ${path} in the document`);
  const { schema } = operation.responses['200'].content['application/json'];
  const text = JSON.stringify({ ...schema, $defs: components.schemas });
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Json);
}
