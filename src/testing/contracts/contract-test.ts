import { DomainError } from '../../domain/index.js';

/**
 * One thing that whoever implements an extension point must hold, for any test runner:
 *
 * @example for (const { name, run } of feeModelContract(myFees)) test(name, run);
 */
export interface ContractTest {
  readonly name: string;
  /** Ends where it holds. @throws {DomainError} `E_TEST_CONTRACT` that says what was expected and what was received. */
  readonly run: () => void | Promise<void>;
}

/** How a contract is broken. */
export function broken(expected: string, received: string): DomainError {
  return new DomainError('E_TEST_CONTRACT', `expected ${expected}, received ${received}`);
}
