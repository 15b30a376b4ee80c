import { createConfigJsonSchema, type JsonSchema } from './json-schema.js';
import { suggestWord } from '../domain/index.js';
import type { KeyPath } from './key-path.js';

/** Names a venue's own words, and words that were ours, that users write where ours belong. */
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

/** Says what was probably meant by an unknown key: a similar one beside it, or the same one at another place. */
export function suggestKey(
  path: KeyPath,
  key: string,
  schema: JsonSchema = createConfigJsonSchema(),
): string | undefined {
  const known = knownKeys(path, schema);
  const foreign = OTHER_WORDS[key];
  const similar =
    foreign !== undefined && known.includes(foreign) ? foreign : suggestWord(key, known);
  if (similar !== undefined) return `did you mean "${similar}"?`;
  const elsewhere = findKey(schema, key, []);
  return elsewhere === undefined ? undefined : `"${elsewhere.join('.')}" exists; is it meant?`;
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
