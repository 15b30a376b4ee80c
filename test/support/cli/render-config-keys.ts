/** The fields of a JSON Schema node that this file reads. */
interface SchemaNode {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly additionalProperties?: SchemaNode | boolean;
}

/** Replaces the list of keys in a document with the keys of the schema; `vitest -u` writes the document. */
export function withConfigKeys(documentation: string, schema: SchemaNode): string {
  return documentation.replace(
    /(<!-- keys:.*-->\n\n)[^]*?(\n+<!-- end of keys -->)/,
    (_all, begin: string, end: string) => `${begin}${renderConfigKeys(schema)}${end}`,
  );
}

/** Lists every key of the config with its type, default and description, in the form of docs/cli.md. */
export function renderConfigKeys(schema: SchemaNode): string {
  return keysOf(schema, '').join('\n');
}

function keysOf(node: SchemaNode, prefix: string): readonly string[] {
  const variants = [node, ...(node.oneOf ?? []), ...(node.anyOf ?? [])];
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  const own = names.flatMap((name) => {
    const holders = variants.filter(({ properties }) => properties?.[name] !== undefined);
    const [child] = holders.map(({ properties }) => properties?.[name] ?? {});
    if (child === undefined) return [];
    const isRequired = holders.every(({ required }) => required?.includes(name) === true);
    const words = holders.flatMap(({ properties }) => properties?.[name]?.const ?? []);
    return describeKey({ child, words, isRequired }, `${prefix}${name}`);
  });
  const free = node.additionalProperties;
  if (typeof free !== 'object') return own;
  const listed = free.items === undefined ? [] : keysOf(free.items, `${prefix}SYMBOL[].`);
  return [...own, ...listed, ...keysOf(free, `${prefix}SYMBOL.`)];
}

interface KeyFacts {
  readonly child: SchemaNode;
  /** Constants of a key that distinguishes variants. */
  readonly words: readonly unknown[];
  readonly isRequired: boolean;
}

function describeKey({ child, words, isRequired }: KeyFacts, key: string): readonly string[] {
  const isBlock = child.properties !== undefined;
  const type = words.length > 0 ? words.map(String).join(' | ') : describeType(child);
  const absence = isRequired ? 'required' : describeDefault(child);
  const meaning = child.description === undefined ? '' : `: ${child.description}`;
  const line = `- \`${key}\` (${[type, absence].filter((part) => part !== '').join(', ')})${meaning}`;
  const list = child.items === undefined ? [] : keysOf(child.items, `${key}[].`);
  const isOpen = typeof child.additionalProperties === 'object';
  const hasVariants = child.oneOf !== undefined || child.anyOf !== undefined;
  const below = isBlock || isOpen || hasVariants ? keysOf(child, `${key}.`) : [];
  return [line, ...list, ...below];
}

function describeType(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.join(' | ');
  if (node.anyOf !== undefined) return node.anyOf.map(describeType).join(' | ');
  if (node.const !== undefined) return JSON.stringify(node.const).replaceAll('"', '');
  if (node.items !== undefined) return 'list';
  if (node.properties !== undefined || node.oneOf !== undefined) return 'mapping';
  if (node.type === 'object') return 'mapping';
  if (node.type === 'boolean') return 'true | false';
  if (node.type === 'integer') return 'whole number';
  return node.pattern?.startsWith('^[+-]?') === true ? 'quoted decimal' : 'text';
}

function describeDefault({ default: value }: SchemaNode): string {
  if (value === undefined) return 'optional';
  return typeof value === 'object' ? '' : `default ${JSON.stringify(value).replaceAll('"', '')}`;
}
