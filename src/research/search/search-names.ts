/** Search methods, with their names in documents. */
export const SEARCH_NAMES = ['grid', 'random', 'sobol', 'tpe', 'cma-es', 'nsga-ii'] as const;
export type SearchName = (typeof SEARCH_NAMES)[number];

/** A search in words: `a grid`, `TPE with seed 1`. */
export function describeSearch(search: SearchName, seed: number | null): string {
  return search === 'grid' ? WORDS.grid : `${WORDS[search]} with seed ${String(seed)}`;
}

const WORDS = {
  grid: 'a grid',
  random: 'draws',
  sobol: 'a Sobol sequence',
  tpe: 'TPE',
  'cma-es': 'CMA-ES',
  'nsga-ii': 'NSGA-II',
} as const satisfies Readonly<Record<SearchName, string>>;
