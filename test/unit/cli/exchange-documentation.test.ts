import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createExchangeJsonSchema } from '../../../src/cli/exchange/exchange-schema.js';
import { faultRuleSchema } from '../../../src/local-exchange/faults/fault-rule.js';
import { renderConfigKeys } from '../../support/cli/render-config-keys.js';

const documentation = readFileSync(new URL('../../../docs/exchange.md', import.meta.url), 'utf8');

describe('docs/exchange.md', () => {
  it('lists every key of the config, with its default, as the schema has it', () => {
    const written = /<!-- keys:.*-->\n\n([^]*?)\n+<!-- end of keys -->/.exec(documentation)?.[1];

    expect(written?.split('\n')).toEqual(renderConfigKeys(createExchangeJsonSchema()).split('\n'));
  });

  it('has a row for every fault', () => {
    const faults = faultRuleSchema.options.map(({ shape }) => shape.fault.value);
    const rows = [
      ...(documentation.split('## Faults')[1] ?? '').matchAll(/^\| `([a-z0-9-]+)` +\|/gm),
    ].map(([, name]) => name);

    expect(rows).toEqual(faults);
  });
});
