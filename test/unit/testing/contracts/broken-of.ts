import { describe, it } from 'vitest';
import type { ContractTest } from '../../../../src/testing/index.js';

/** Registers the tests of a contract, as who implements the extension point does it. */
export function passes(what: string, contract: readonly ContractTest[]): void {
  describe(`passes ${what}`, () => {
    for (const { name, run } of contract) it(name, run);
  });
}

/** What the tests of a contract that fail say. */
export async function brokenOf(contract: readonly ContractTest[]): Promise<string> {
  const said: string[] = [];
  for (const { run } of contract) {
    try {
      await run();
    } catch (error: unknown) {
      said.push(String(error));
    }
  }
  return said.join('\n');
}
