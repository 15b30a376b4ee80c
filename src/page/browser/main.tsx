import { render } from 'preact';
import { useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import type { PageData, WrittenPage } from '../page-data.js';
import { AuditView } from './audit-view.js';
import { ComparisonView } from './comparison-view.js';
import { RunView } from './run-view.js';
import './style.css';
import { SweepView } from './sweep-view.js';
import { unpackPage } from './unpack-columns.js';
import { WalkForwardView } from './walk-forward-view.js';

function Page({ data }: { readonly data: PageData }) {
  return (
    <>
      <ThemeButton />
      <main>
        {data.kind === 'run' && <RunView run={data} />}
        {data.kind === 'comparison' && <ComparisonView page={data} />}
        {data.kind === 'sweep' && <SweepView sweep={data} />}
        {data.kind === 'audit' && <AuditView page={data} />}
        {data.kind === 'walk-forward' && <WalkForwardView walk={data} />}
      </main>
      <footer>
        Made by evenkeel. This file needs no network: you can keep it, send it and open it offline.
      </footer>
    </>
  );
}

const THEMES = ['as the system', 'light', 'dark'] as const;

/** Name of the kept choice. Reports of one folder share it in most browsers. */
const KEPT_THEME = 'evenkeel-colors';

function ThemeButton() {
  const [theme, setTheme] = useState(keptTheme);
  const next = (): void => {
    const place = (theme + 1) % THEMES.length;
    setTheme(place);
    showTheme(place);
    keepTheme(place);
    document.dispatchEvent(new Event('colors'));
  };
  return (
    <button class="theme" onClick={next}>
      Colors: {THEMES[theme]}
    </button>
  );
}

function showTheme(place: number): void {
  if (place === 0) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = THEMES[place];
}

function keptTheme(): number {
  try {
    return Math.max(
      0,
      THEMES.findIndex((name) => name === localStorage.getItem(KEPT_THEME)),
    );
  } catch {
    // A browser may forbid storage, for a file or altogether.
    return 0;
  }
}

function keepTheme(place: number): void {
  try {
    localStorage.setItem(KEPT_THEME, THEMES[place] ?? '');
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Paper is white: the page is drawn in light colors while it is printed. */
function printInLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  const draw = (theme: string | undefined): void => {
    if (theme === undefined) delete dataset['theme'];
    else dataset['theme'] = theme;
    document.dispatchEvent(new Event('colors'));
  };
  addEventListener('beforeprint', () => {
    shown = dataset['theme'];
    draw('light');
  });
  addEventListener('afterprint', () => {
    draw(shown);
  });
}

showTheme(keptTheme());
printInLight();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('colors')),
);
const place = document.getElementById('page');
const text = document.getElementById('data')?.textContent ?? '';
if (place !== null) {
  place.textContent = '';
  render(<Page data={unpackPage(JSON.parse(text) as WrittenPage)} />, place);
}
