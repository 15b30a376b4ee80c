import { createConfigJsonSchema, type JsonSchema } from '../schemas/json-schema.js';
import { suggestWord } from '../../domain/index.js';
import type { KeyPath } from '../yaml/key-path.js';

/** Words of venues, and earlier names of our own keys, that users write instead of our names. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  minOrderVolume: 'minOrderQuantity',
  maxMarketVolume: 'maxMarketQuantity',
  maxLimitVolume: 'maxLimitQuantity',
  maxValidOrder: 'maxWorkingOrders',
  rateKnownAhead: 'fundingRateKnown',
  slippageBps: 'slippage',
};

/** Lists the keys that the mapping at `path` may have; in a bot's file unless another schema is given. */
export function knownKeys(
  path: KeyPath,
  schema: JsonSchema = createConfigJsonSchema(),
): readonly string[] {
  let nodes: readonly JsonSchema[] = [schema];
  for (const key of path) nodes = nodes.flatMap((node) => childrenOf(node, key));
  return [
    ...new Set(nodes.flatMap(variantsOf).flatMap((node) => Object.keys(node.properties ?? {}))),
  ];
}

/** Says what an unknown key probably means: a similar key of the same mapping, or the same key at another place. */
export function suggestKey(
  path: KeyPath,
  key: string,
  schema: JsonSchema = createConfigJsonSchema(),
): string | undefined {
  const similar = suggestNear(key, knownKeys(path, schema));
  if (similar !== undefined) return `did you mean "${similar}"?`;
  const elsewhere = findKey(schema, key, []);
  if (elsewhere === undefined) return undefined;
  const place = elsewhere.length === 1 ? ' at the top of the file' : '';
  return `did you mean "${elsewhere.join('.')}"${place}?`;
}

/** The known key of the same mapping that an unknown key probably means. */
function suggestNear(key: string, known: readonly string[]): string | undefined {
  const foreign = OTHER_WORDS[key];
  return foreign !== undefined && known.includes(foreign) ? foreign : suggestWord(key, known);
}

/** Finds the unknown key among `written`, the keys of the mapping at `path`, that probably means the known key `key`. */
export function findMisspelling(
  path: KeyPath,
  { key, written }: { readonly key: string; readonly written: readonly string[] },
  schema: JsonSchema = createConfigJsonSchema(),
): string | undefined {
  const known = knownKeys(path, schema);
  return written.find((each) => !known.includes(each) && suggestNear(each, known) === key);
}

interface KeyVariant {
  /** The key that tells the variants apart. */
  readonly discriminator: string;
  /** Keys of the variant that the user wrote. */
  readonly keys: readonly string[];
  /** Values of the discriminator that allow the requested key. */
  readonly others: readonly string[];
}

/** Finds the variants of a mapping, told apart by a key such as `product`, that have `key`. Undefined if the written variant has it, or if none has it. */
export function findVariant(
  path: KeyPath,
  { key, written }: { readonly key: string; readonly written: unknown },
  schema: JsonSchema = createConfigJsonSchema(),
): KeyVariant | undefined {
  let nodes: readonly JsonSchema[] = [schema];
  for (const part of path) nodes = nodes.flatMap((node) => childrenOf(node, part));
  const variants = nodes.flatMap(variantsOf).flatMap(({ properties = {} }) => {
    const told = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
    return told === undefined ? [] : [{ properties, name: told[0], value: told[1].const }];
  });
  const chosen = variants.find(
    ({ name, value }) =>
      typeof written === 'object' && written !== null && Reflect.get(written, name) === value,
  );
  const others = variants.filter(({ properties }) => Object.hasOwn(properties, key));
  if (chosen === undefined || others.length === 0 || others.includes(chosen)) return undefined;
  return {
    discriminator: chosen.name,
    keys: Object.keys(chosen.properties),
    others: others.map(({ value }) => String(value)),
  };
}

function variantsOf(node: JsonSchema): readonly JsonSchema[] {
  return [node, ...(node.oneOf ?? []), ...(node.anyOf ?? [])];
}

function childrenOf(node: JsonSchema, key: string | number): readonly JsonSchema[] {
  return variantsOf(node).flatMap(({ properties, items, additionalProperties }) => {
    if (typeof key === 'number') return items === undefined ? [] : [items];
    const property =
      properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) return [property];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });
}

function findKey(
  node: JsonSchema,
  key: string,
  path: readonly string[],
): readonly string[] | undefined {
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const here = [...path, name];
    const found = name === key ? here : findKey(child, key, here);
    if (found !== undefined) return found;
  }
  return undefined;
}
