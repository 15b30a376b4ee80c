import { describe, it } from 'vitest';
import type { ContractTest } from '../../../../src/testing/index.js';

/** Registers the tests of a contract, like an author of the extension point does. */
export function passes(what: string, contract: readonly ContractTest[]): void {
  describe(`passes ${what}`, () => {
    for (const { name, run } of contract) it(name, run);
  });
}

/** Messages of the failed tests of a contract. */
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
