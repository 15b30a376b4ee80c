import type { YAMLError } from 'yaml';

interface SyntaxProblem {
  readonly expected: string;
  readonly received: string;
}

/** Descriptions of common mistakes. All other mistakes keep the message of the library. */
const COMMON_PROBLEMS: Readonly<Partial<Record<YAMLError['code'], SyntaxProblem>>> = {
  DUPLICATE_KEY: { expected: 'each key once', received: 'the same key a second time' },
  MULTIPLE_DOCS: { expected: 'one YAML document', received: 'the start of a second one' },
  TAB_AS_INDENT: { expected: 'indentation by spaces', received: 'a tab' },
};

/** Describes a syntax error of YAML. */
export function describeSyntaxProblem({ code, message }: YAMLError): SyntaxProblem {
  const [line = code] = message.split('\n');
  return COMMON_PROBLEMS[code] ?? { expected: 'valid YAML', received: line };
}
