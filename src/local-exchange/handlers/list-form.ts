import type { AnyEndpoint, JsonOutput } from '../../venue/wire/index.js';
import type { Answer } from './handler.js';

/** Form of spot and margin lists: bare, or in an object as in some deployments of the family. */
export type ListForm = 'bare' | 'wrapped';

/** Puts the list of an answer into the requested form. Lists of contracts are always bare. */
export function inForm(
  answer: Answer,
  { area, listName }: Pick<AnyEndpoint, 'area' | 'listName'>,
  form: ListForm = 'bare',
): Answer {
  const isWrapped = form === 'wrapped' && area !== 'futures' && listName === 'list';
  return isWrapped && Array.isArray(answer) ? { list: answer as readonly JsonOutput[] } : answer;
}
