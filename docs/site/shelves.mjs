/** The pages of the docs, on four shelves. A test says that each page stands on one. */
export const SHELVES = [
  {
    text: 'Tutorials',
    about: 'Learn it by doing it, step by step.',
    pages: ['first-strategy', 'real-data', 'paper-and-live', 'reading-a-report'],
  },
  {
    text: 'How to',
    about: 'One task each.',
    pages: [
      'strategies',
      'recipes',
      'testing',
      'from-code',
      'extending',
      'own-venue',
      'coming-from',
      'mcp',
      'scale',
      'live',
    ],
  },
  {
    text: 'Judge a strategy',
    about: 'Tell an edge from luck.',
    pages: [
      'sweep',
      'search',
      'walk-forward',
      'significance',
      'monte-carlo',
      'audit',
      'fuzz',
      'report',
    ],
  },
  {
    text: 'Reference',
    about: 'Every command, key, rule and code.',
    pages: ['cli', 'options', 'risk', 'archive', 'journal', 'exchange', 'errors', 'glossary'],
  },
  {
    text: 'Explanation',
    about: 'Why it is as it is.',
    pages: [
      ...['how-it-works', 'simulation', 'parity', 'guarantee', 'feed', 'performance'],
      ...['security', 'decisions'],
    ],
  },
];
