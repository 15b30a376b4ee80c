import { beforeAll, describe, expect, it } from 'vitest';

import {
  ENDPOINT_LIST,
  renderOpenApi,
  type AnyEndpoint,
} from '../../../../src/venue/wire/index.js';
import {
  BATCH_ENTRY,
  ENDPOINT_FACTS,
  RECORDS,
  type InputFact,
} from '../../../support/venue/interface-tables.js';

/** The members of a JSON schema that these tests read. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly (string | number)[];
  readonly default?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly 'x-wire-type'?: string;
  readonly 'x-required'?: string;
  readonly 'x-profile'?: string;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** Answers by endpoint id. */
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const facts = ENDPOINT_FACTS.map((fact) => [fact.id, fact] as const);

describe('the endpoint table and the specification', () => {
  let document: Document;

  beforeAll(() => {
    document = JSON.parse(renderOpenApi()) as Document;
  });

  it('agree on the endpoints and their order', () => {
    expect(ENDPOINT_LIST.map(({ id }) => id)).toEqual(ENDPOINT_FACTS.map(({ id }) => id));
  });

  it.each(facts)('agree on method, path and access of %s', (id, fact) => {
    const { method, path, access, area } = endpoint(id);

    expect({ method, path, access }).toEqual({
      method: fact.method,
      path: fact.path,
      access: fact.access,
    });
    expect(id.startsWith(`${area}.`)).toBe(true);
  });

  it.each(facts)('agree on the fields of a request to %s', (id, fact) => {
    const sent = requestFields(operation(id));

    expect(sent.map(({ name }) => name).toSorted()).toEqual(
      fact.input.map(({ name }) => name).toSorted(),
    );
    for (const field of fact.input) {
      expectAgreement(sent.find(({ name }) => name === field.name)?.schema, field);
    }
  });

  it('agree on the entries of a batch', () => {
    const orders =
      operation('spot.batchOrders').requestBody?.content['application/json'].schema.properties?.[
        'orders'
      ];
    const entry = orders?.items?.properties ?? {};

    expect(Object.keys(entry)).toEqual(BATCH_ENTRY.map(({ name }) => name));
    for (const field of BATCH_ENTRY) expectAgreement(entry[field.name], field);
  });

  it.each(facts)('agree on the fields of an answer of %s', (id, fact) => {
    const { isList, record } = answerRecord(id);

    if (fact.output === undefined) {
      // The specification does not list this answer: every field has another source. Margin shares the records of spot.
      if (!id.startsWith('margin.')) expect(listedFields(record)).toEqual([]);
      return;
    }
    expect(isList).toBe(fact.output.isList);
    expect(listedFields(record).toSorted()).toEqual([...RECORDS[fact.output.record]].toSorted());
  });

  it('agree on the nested records of both accounts', () => {
    const balances = answerRecord('spot.account').record.properties?.['balances'];
    const account = answerRecord('futures.account').record.properties?.['account'];
    const margin = account?.anyOf?.find(({ properties }) => properties !== undefined);
    const groups = entryOf(margin?.properties?.['positionVos']);
    const positions = entryOf(groups?.properties?.['positions']);

    expect(listedFields(balances?.items)).toEqual(RECORDS.balance);
    expect(listedFields(margin)).toEqual(RECORDS.marginAccount);
    expect(listedFields(groups)).toEqual(RECORDS.positionGroup);
    expect(listedFields(positions)).toEqual(RECORDS.position);
  });

  it.each(facts)('agree on the rate limit of %s', (id, fact) => {
    const { count, windowMs, source, scope, bucket } = endpoint(id).rateLimit;

    expect(source).toBe(fact.limit === undefined ? 'default' : 'interface');
    if (fact.limit !== undefined) expect([count, windowMs / 1000]).toEqual(fact.limit);
    expect(scope).toBe(fact.access === 'signed' ? 'key' : 'address');
    expect(bucket).toBe(id.startsWith('futures.') ? 'futures' : id);
  });

  it.each(facts)('agree on the bounds of %s', (id, fact) => {
    expect(endpoint(id).bounds.map(({ field, ...bound }) => [field, bound])).toEqual(
      fact.input.filter(isBounded).map((field) => [field.name, boundOf(field)]),
    );
  });

  function operation(id: string): Operation {
    const { path, method } = endpoint(id);
    const found = document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`no operation for ${id}`);
    return found;
  }

  function answerRecord(id: string): { readonly isList: boolean; readonly record: Schema } {
    const schema = document.components.schemas[id];
    if (schema === undefined) throw new Error(`no answer for ${id}`);
    return schema.items === undefined
      ? { isList: false, record: schema }
      : { isList: true, record: schema.items };
  }
});

function endpoint(id: string): AnyEndpoint {
  const found = ENDPOINT_LIST.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no endpoint ${id}`);
  return found;
}

interface SentField {
  readonly name: string;
  readonly schema: Schema;
}

/** Fields of a request, without additions of other deployments. */
function requestFields({ parameters, requestBody }: Operation): readonly SentField[] {
  const body = Object.entries(requestBody?.content['application/json'].schema.properties ?? {});
  const sent = parameters ?? body.map(([name, schema]) => ({ name, schema }));
  return sent.filter(({ schema }) => schema['x-profile'] !== 'family');
}

function expectAgreement(schema: Schema | undefined, field: InputFact): void {
  expect(schema?.['x-required'] === 'interface', `${field.name} required`).toBe(
    field.required === true,
  );
  expect(schema).toMatchObject({
    ...(field.type === undefined ? {} : { 'x-wire-type': field.type }),
    ...(field.values === undefined ? {} : { enum: field.values }),
    ...boundOf(field),
  });
}

function boundOf({ default: standard, max, maxItems, maxLength }: InputFact): object {
  return {
    ...(standard === undefined ? {} : { default: standard }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

function isBounded(field: InputFact): boolean {
  return Object.keys(boundOf(field)).length > 0;
}

function entryOf(schema: Schema | undefined): Schema | undefined {
  const list = schema?.anyOf?.find(({ items }) => items !== undefined) ?? schema;
  return list?.items;
}

/** Fields of a record, without additions of other deployments. */
function listedFields(record: Schema | undefined): (readonly [string, string | undefined])[] {
  return Object.entries(record?.properties ?? {})
    .filter(([, field]) => field['x-profile'] !== 'family')
    .map(([name, field]) => [name, field['x-wire-type']]);
}
