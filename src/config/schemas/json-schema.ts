import { z } from 'zod';
import { botSchema } from './bot-schema.js';

/** A JSON Schema node, with the members that this code reads. */
export interface JsonSchema {
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

/** Makes the JSON Schema of a bot's YAML file, for editors; draft 7, which their YAML plugins understand. */
export function createConfigJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(botSchema, { io: 'input', target: 'draft-7' });
  return {
    $schema,
    title: 'evenkeel bot',
    description: 'One bot: strategy, instruments, risk, simulation, venue.',
    ...schema,
  } as JsonSchema;
}

/** Writes the schema as text, in the form that is printed and stored. */
export function formatConfigJsonSchema(): string {
  return `${JSON.stringify(createConfigJsonSchema(), undefined, 2)}\n`;
}
