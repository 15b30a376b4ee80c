import { z } from 'zod';

import { SECOND_MS } from '../../domain/index.js';
import { ENDPOINT_LIST, type AnyEndpoint } from '../../venue/wire/index.js';
import type { CliContext } from '../cli-context.js';
import { giveResult } from '../data/give-result.js';
import { checkOutput } from '../write-output.js';

/** Prints the table of endpoints. */
export async function listEndpoints(
  target: string | undefined,
  context: CliContext,
): Promise<void> {
  if (target !== undefined) await checkOutput(target, context);
  const text = await table();
  await giveResult(context, { text, json: ENDPOINT_LIST.map(endpointJson) }, target);
}

async function table(): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const rows = new Table({
    head: ['id', 'method', 'path', 'auth', 'limit', 'parameters (* required)'],
    style: { head: [], border: [], compact: true },
  });
  for (const endpoint of ENDPOINT_LIST) {
    const { id, method, path, access } = endpoint;
    rows.push([id, method, path, access, limitText(endpoint), parametersText(endpoint)]);
  }
  return `${rows.toString()}\n${String(ENDPOINT_LIST.length)} endpoints; limits marked ~ are not stated by the interface: safe assumptions\n`;
}

function limitText({ rateLimit: { count, windowMs, source } }: AnyEndpoint): string {
  const assumed = source === 'interface' ? '' : '~';
  return `${assumed}${String(count)} per ${String(windowMs / SECOND_MS)} s`;
}

function parametersText(endpoint: AnyEndpoint): string {
  return parametersOf(endpoint)
    .map(({ name, required }) => (required ? `${name}*` : name))
    .join(' ');
}

function parametersOf({
  request,
}: AnyEndpoint): readonly { readonly name: string; readonly required: boolean }[] {
  const fields: Readonly<Record<string, z.core.$ZodType>> = request.shape;
  return Object.entries(fields).map(([name, field]) => ({
    name,
    required: !z.safeParse(field, undefined).success,
  }));
}

function endpointJson(endpoint: AnyEndpoint): Readonly<Record<string, unknown>> {
  const { id, method, path, area, access, idempotent, rateLimit, bounds, doc } = endpoint;
  const parameters = parametersOf(endpoint);
  return { id, method, path, area, access, idempotent, rateLimit, parameters, bounds, doc };
}
