import type { AnyEndpoint, JsonOutput } from '../../venue/wire/index.js';
import type { Answer } from './handler.js';

/** How lists of spot and margin are written: bare, or in an object as by some deployments of the family. */
export const LIST_FORMS = ['bare', 'wrapped'] as const;
export type ListForm = (typeof LIST_FORMS)[number];

/** An answer with its list in the form that is asked for. Lists of contracts are bare everywhere. */
export function inForm(
  answer: Answer,
  { area, listName }: Pick<AnyEndpoint, 'area' | 'listName'>,
  form: ListForm = 'bare',
): Answer {
  const isWrapped = form === 'wrapped' && area !== 'futures' && listName === 'list';
  return isWrapped && Array.isArray(answer) ? { list: answer as readonly JsonOutput[] } : answer;
}
