import { A_FUNCTION, A_MODEL_ID, checkOptions, isModelId } from '../../config/index.js';
import { DomainError } from '../../domain/index.js';
import { createRandom } from '../../engine/index.js';

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

/**
 * Refuses what is no factory, before a test runs.
 *
 * @throws {UsageError} `E_USAGE` with the name of the contract.
 */
export function requireFactory(contract: string, create: unknown): void {
  checkOptions({ create }, { create: { ...A_FUNCTION, isRequired: true } }, contract);
}

/**
 * Requires that a factory has made an object with these functions. A common mistake is a factory that returns the class.
 *
 * @throws {DomainError} `E_TEST_CONTRACT` with the name of the function.
 */
export function withFunctions<Made>(made: Made, ...names: readonly (keyof Made & string)[]): Made {
  const given = made as Readonly<Record<string, unknown>> | null | undefined;
  for (const name of names)
    if (typeof given?.[name] !== 'function')
      throw broken(`a function as ${name} of what create makes`, String(given?.[name]));
  return made;
}

/** The requirement for what names a model in a result. The answers of a model without an id may be right, but no run takes it. */
export function idTest(create: () => unknown): ContractTest {
  return {
    name: 'has an id, which names the model and its settings',
    run: () => {
      const { id } = (create() ?? {}) as { readonly id?: unknown };
      if (!isModelId(id)) throw broken(`${A_MODEL_ID} as id of what create makes`, String(id));
    },
  };
}

/** Questions to a model, and its answers as text. */
interface Interview<Question> {
  readonly questions: readonly Question[];
  /** Asks a model in the order of the questions. */
  readonly inOrder: (question: Question) => string;
  /** Asks another one of the same kind, in any order, and some questions twice. */
  readonly shuffled: (question: Question) => string;
  /** Names an answer with its question. */
  readonly describe: (answer: string, question: Question) => string;
}

/** Requires the same answers in any order and number of calls. @throws {DomainError} `E_TEST_CONTRACT`. */
export function requireSameAnswers<Question>({
  questions,
  inOrder,
  shuffled,
  describe,
}: Interview<Question>): void {
  const first = questions.map(inOrder);
  const random = createRandom(1);
  for (let asked = 0; asked < 2 * questions.length; asked += 1) {
    const place = Math.floor(random() * questions.length);
    const [question, before] = [questions[place], first[place]];
    if (question === undefined || before === undefined) return;
    const again = shuffled(question);
    if (again !== before) throw broken(`${describe(before, question)}, as at first`, again);
  }
}
