import type { YAMLError } from 'yaml';

interface SyntaxProblem {
  readonly expected: string;
  readonly received: string;
}

/** Descriptions of common mistakes. All other mistakes keep the message of the library. */
const COMMON_PROBLEMS: Readonly<Partial<Record<YAMLError['code'], SyntaxProblem>>> = {
  MULTIPLE_DOCS: { expected: 'one YAML document', received: 'the start of a second one' },
  TAB_AS_INDENT: { expected: 'indentation by spaces', received: 'a tab' },
};

/** Describes a syntax error of YAML. `first`: where its key is written first. */
export function describeSyntaxProblem(
  { code, message }: YAMLError,
  first: { readonly line: number } | undefined,
): SyntaxProblem {
  if (code === 'DUPLICATE_KEY') {
    const before = first === undefined ? '' : `: line ${String(first.line)} has it, too`;
    return { expected: 'each key once', received: `the same key a second time${before}` };
  }
  const [line = code] = message.split('\n');
  return COMMON_PROBLEMS[code] ?? { expected: 'valid YAML', received: line };
}
