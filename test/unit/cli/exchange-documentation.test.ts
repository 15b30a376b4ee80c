import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createExchangeJsonSchema } from '../../../src/config/schemas/exchange-schema.js';
import { faultRuleSchema } from '../../../src/local-exchange/faults/fault-rule.js';
import { withConfigKeys } from '../../support/cli/render-config-keys.js';

const documentation = readFileSync(new URL('../../../docs/exchange.md', import.meta.url), 'utf8');

describe('docs/exchange.md', () => {
  it('lists every key of the config schema with its default', async () => {
    const generated = withConfigKeys(documentation, createExchangeJsonSchema());

    await expect(generated).toMatchFileSnapshot('../../../docs/exchange.md');
  });

  it('has a row for every fault', () => {
    const faults = faultRuleSchema.options.map(({ shape }) => shape.fault.value);
    const rows = [
      ...(documentation.split('## Faults')[1] ?? '').matchAll(/^\| `([a-z0-9-]+)` +\|/gm),
    ].map(([, name]) => name);

    expect(rows).toEqual(faults);
  });
});
