import { DomainError } from '../../domain/index.js';

/**
 * One requirement for an implementation of an extension point, as a test for any test runner.
 *
 * @example for (const { name, run } of feeModelContract(myFees)) test(name, run);
 */
export interface ContractTest {
  readonly name: string;
  /** Returns if the requirement holds. @throws {DomainError} `E_TEST_CONTRACT` with the expected and the received value. */
  readonly run: () => void | Promise<void>;
}

/** The error of a broken contract. */
export function broken(expected: string, received: string): DomainError {
  return new DomainError('E_TEST_CONTRACT', `expected ${expected}, received ${received}`);
}
