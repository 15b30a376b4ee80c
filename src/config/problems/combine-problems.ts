import { present, type ConfigError } from '../../domain/index.js';

/**
 * Combines all problems into one error, in the order of the file and once per place.
 *
 * @returns the ConfigError itself when there is one problem; an AggregateError of them when there are several.
 */
export function combineProblems(problems: readonly ConfigError[]): ConfigError | AggregateError {
  const places = new Set<string>();
  const distinct = problems.filter(({ problem: { location } }) => {
    const place = JSON.stringify([location.file, location.line, location.column, location.key]);
    if (places.has(place)) return false;
    places.add(place);
    return true;
  });
  distinct.sort(comparePlaces);
  if (distinct.length === 1) return present(distinct[0], 'the only problem');
  return new AggregateError(distinct, distinct.map(({ message }) => message).join('\n'));
}

function comparePlaces(a: ConfigError, b: ConfigError): number {
  const [left, right] = [a.problem.location, b.problem.location];
  const byLine = (left.line ?? 0) - (right.line ?? 0);
  return byLine === 0 ? (left.column ?? 0) - (right.column ?? 0) : byLine;
}
