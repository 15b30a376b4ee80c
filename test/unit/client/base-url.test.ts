import { describe, expect, it } from 'vitest';

import { parseBaseUrl } from '../../../src/client/index.js';

const AT = { file: 'bot.yaml', line: 3, column: 12, key: 'venue.spotUrl' };

describe('parseBaseUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com/', 'https://api.example.com', ''],
    [
      'https://gateway.example.com:8443/spot/open/',
      'https://gateway.example.com:8443',
      '/spot/open',
    ],
    ['http://127.0.0.1:8480', 'http://127.0.0.1:8480', ''],
    ['http://localhost:8480', 'http://localhost:8480', ''],
    ['http://[::1]:8480', 'http://[::1]:8480', ''],
  ])('reads %s', (text, origin, prefix) => {
    expect(parseBaseUrl(text, AT)).toEqual({ origin, prefix });
  });

  it.each([
    'http://api.example.com',
    'http://10.0.0.7:8480',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
  ])('refuses plain http to another machine: %s', (text) => {
    expect(() => parseBaseUrl(text, AT)).toThrow(
      `bot.yaml:3:12 venue.spotUrl: expected https, or http to this machine (127.0.0.1, localhost), received "${text}" (E_URL_INSECURE)`,
    );
  });

  it.each([
    ['api.example.com', /such as https/],
    ['ftp://api.example.com', /starts with https/],
    ['https://api.example.com/sapi/v1', /without the path/],
    ['https://api.example.com/x?key=abc', /without query/],
    ['https://user:hunter2@api.example.com', /without user and password/],
  ])('refuses %s', (text, reason) => {
    expect(() => parseBaseUrl(text, AT)).toThrow(reason);
  });

  it('hides the password and the query of a refused URL', () => {
    const shown = [
      'https://u:hunter2@x/sapi/v1',
      'https://x/?key=hunter2',
      'h ttp://u:hunter2@x',
    ].map((text) => {
      try {
        return JSON.stringify(parseBaseUrl(text, AT));
      } catch (error: unknown) {
        return String(error);
      }
    });

    expect(shown.join()).not.toContain('hunter2');
  });
});
