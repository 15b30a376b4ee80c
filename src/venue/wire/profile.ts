/**
 * How a server answers: `interface` in exactly the shapes of the specification, `family` with the additions and spellings of other
 * deployments. Parsers read both alike.
 */
export const ANSWER_PROFILES = ['interface', 'family'] as const;
export type AnswerProfile = (typeof ANSWER_PROFILES)[number];
