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

describe('the mask of all output', () => {
  it('hides a secret in what anybody writes, in text and in bytes', async () => {
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

  it('leaves everything as it is while there is no secret, and says when it is out', async () => {
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
