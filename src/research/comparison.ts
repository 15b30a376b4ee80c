const OPERATORS = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
} as const satisfies Readonly<Record<string, (value: number, limit: number) => boolean>>;

export type Operator = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

/** The written parts of a comparison, not yet checked. */
interface WrittenComparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

/** Splits `drawdown < 0.2` at its operator; undefined without an operator. */
export function splitComparison(text: string): WrittenComparison | undefined {
  const [match, left = '', operator = '', right = ''] =
    /^\s*([^<>=!]*?)\s*([<>=!]+)\s*(.*?)\s*$/.exec(text) ?? [];
  return match === undefined ? undefined : { left, operator, right };
}

export function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text);
}

export function holds(value: number, operator: Operator, limit: number): boolean {
  return OPERATORS[operator](value, limit);
}
