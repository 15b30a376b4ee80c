import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { unpackPage } from '../../../src/page/browser/unpack-columns.js';
import type { WrittenPage } from '../../../src/page/page-data.js';
import { buildRunPage, titleOf, writePage, writePageData } from '../../../src/page/index.js';
import { buildResult } from '../../../src/report/index.js';
import { aRunFill, aRunOrder, aRunRecord } from '../../support/run-records.js';

const HOSTILE = '</script><script>alert(1)</script><!--';

function pageOf(name = HOSTILE) {
  const record = aRunRecord();
  return buildRunPage(
    buildResult({
      ...record,
      run: { ...record.run, strategy: name },
      orders: [aRunOrder({ label: name })],
      fills: [aRunFill()],
      warnings: [name],
    }),
  );
}

describe('writePage', () => {
  it('escapes a hostile name, and keeps it unchanged in the data', () => {
    const data = pageOf();
    const html = [...writePage(data, titleOf(data), { script: 'run()', style: 'p{}' })].join('');

    const scripts = html.split('</script>').length - 1;
    const text =
      /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(scripts).toBe(2);
    expect(html).not.toContain('<script>alert');
    expect(unpackPage(JSON.parse(text) as WrittenPage)).toEqual(JSON.parse(JSON.stringify(data)));
    expect(html).toContain('<title>&lt;/script>&lt;script>alert(1)');
  });

  it('allows its own script by hash and nothing else', () => {
    const html = [
      ...writePage(pageOf(), 'title', { script: 'const a = "</script>";', style: 'p{}' }),
    ].join('');

    const script = /<script type="module">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(html).toContain(
      `default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'`,
    );
    expect(html).not.toMatch(/https?:\/\//);
  });

  it('writes the same data for the same run', () => {
    expect(writePageData(pageOf('sma'))).toBe(writePageData(pageOf('sma')));
    const digest = createHash('sha256')
      .update(writePageData(pageOf('sma')))
      .digest('hex');
    expect(digest).toMatchInlineSnapshot(
      `"031e34d2488bdc2b89d4243b55f83dc8b510e7256ae7e1a5b516e5ecccc5da06"`,
    );
  });
});
