import { hash } from 'node:crypto';
import type { PageData, WrittenPage } from './page-data.js';
import { packColumns } from './run/pack-columns.js';

/** Compiled parts of `browser/`: the same for every page. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/**
 * Writes a page as one HTML file that loads nothing. Its policy forbids everything except its own script (by hash) and its own styles. The same data and
 * parts give the same bytes.
 */
export function* writePage(
  data: PageData,
  title: string,
  parts: PageParts,
): Generator<string, void, undefined> {
  const script = parts.script.replaceAll('</script', '<\\/script');
  const digest = hash('sha256', script, 'base64');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${parts.style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="page"><p class="wait">This page draws itself with its own script; without scripts it is empty.</p></div>
<script type="application/json" id="data">`;
  yield writePageData(data);
  yield `</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

const KINDS = {
  run: '',
  sweep: 'Sweep: ',
  audit: 'Audit: ',
  'walk-forward': 'Walk-forward: ',
} as const;

/** Most runs that the title of a comparison names. */
const MOST_NAMES = 3;

/** Title of the page in the browser. */
export function titleOf(data: PageData): string {
  if (data.kind === 'comparison') {
    const names = data.runs.map(({ name }) => name);
    return names.length <= MOST_NAMES
      ? names.join(' against ')
      : `${names[0] ?? ''} against ${String(names.length - 1)} others`;
  }
  return `${KINDS[data.kind]}${data.title[0] ?? ''}`;
}

/** Data part of a page: JSON in which no text can end the surrounding script element. */
export function writePageData(data: PageData): string {
  return JSON.stringify(pack(data)).replaceAll('<', '\\u003c');
}

function pack(data: PageData): WrittenPage {
  if (data.kind !== 'run') return data;
  const trades = data.trades === null ? null : packColumns(data.trades);
  return { ...data, trades, fills: packColumns(data.fills) };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
