import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { OutputMask } from '../../../src/cli/output-mask.js';
import { Secret } from '../../../src/client/index.js';

const KEY = 'a-key-of-the-venue';

function aStream() {
  const stream = new PassThrough();
  const mask = new OutputMask();
  mask.guard(stream);
  return { stream, mask };
}

describe('OutputMask', () => {
  it('hides a secret in all text and bytes of a stream', async () => {
    const { stream, mask } = aStream();
    mask.hide([new Secret(KEY)]);

    stream.write(`ours ${KEY}\n`);
    new Console(stream, stream).log('of a strategy', { KEY });
    stream.write(Buffer.from(`bytes ${KEY} ü\n`));
    stream.end();

    expect(await text(stream)).toBe(
      "ours [secret]\nof a strategy { KEY: '[secret]' }\nbytes [secret] ü\n",
    );
  });

  it('changes nothing without a secret, and calls back after a write', async () => {
    const { stream } = aStream();
    let isOut = false;

    stream.write(`nothing to hide: ${KEY}`, () => {
      isOut = true;
    });
    stream.end();

    expect(await text(stream)).toBe(`nothing to hide: ${KEY}`);
    expect(isOut).toBe(true);
  });
});
