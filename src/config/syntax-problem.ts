import type { YAMLError } from 'yaml';

interface SyntaxProblem {
  readonly expected: string;
  readonly received: string;
}

/** Common mistakes in words; the library's own messages serve for the rest. */
const COMMON_PROBLEMS: Readonly<Partial<Record<YAMLError['code'], SyntaxProblem>>> = {
  DUPLICATE_KEY: { expected: 'each key once', received: 'the same key a second time' },
  MULTIPLE_DOCS: { expected: 'one YAML document', received: 'the start of a second one' },
  TAB_AS_INDENT: { expected: 'indentation by spaces', received: 'a tab' },
};

/** Says what is wrong with a text as YAML. */
export function describeSyntaxProblem({ code, message }: YAMLError): SyntaxProblem {
  const [line = code] = message.split('\n');
  return COMMON_PROBLEMS[code] ?? { expected: 'valid YAML', received: line };
}
