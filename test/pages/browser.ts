import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium, type Browser, type Page } from 'playwright-core';

/** Folder of the pictures, which is not committed. */
export const PICTURES = path.resolve(import.meta.dirname, '../../results/pages');

const PLACES = [process.env['EVENKEEL_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** The program of the browser. Undefined if none is installed. */
export const BROWSER = PLACES.find((place) => place !== undefined && existsSync(place));

/** Why tests of pages are skipped. */
export const NEEDS_BROWSER =
  'needs a browser: apt-get install chromium, or name one in EVENKEEL_CHROMIUM';

export interface OpenedPage {
  readonly page: Page;
  /** Requests of the page for other files, and its errors and warnings. */
  readonly troubles: readonly string[];
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: BROWSER ?? '',
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
}

/** Opens a file and records everything that must not happen there. */
export async function openPage(
  browser: Browser,
  file: string,
  look: {
    readonly width?: number;
    readonly colorScheme?: 'light' | 'dark';
    readonly hash?: string;
  } = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({
    viewport: { width: look.width ?? 1_600, height: 1_000 },
    colorScheme: look.colorScheme ?? 'light',
  });
  const troubles: string[] = [];
  const url = `${pathToFileURL(file).href}${look.hash ?? ''}`;
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(pathToFileURL(file).href) && !asked.startsWith('data:'))
      troubles.push(`request ${asked}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error ${error.message}`));
  await page.goto(url);
  await page.waitForSelector('h1');
  return { page, troubles };
}

/** Saves a picture of the whole page, for a look by hand. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}
