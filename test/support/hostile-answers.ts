import { gzipSync } from 'node:zlib';
import { ENDPOINT_LIST, FAMILY_ENDPOINT_LIST } from '../../src/venue/wire/index.js';
import type { Reply, SeenRequest } from './fault-server.js';

/** A broken or malicious answer of a venue. */
export interface HostileAnswer {
  readonly reply: Reply;
  /** The answer asks to wait, or bans. A client that obeys makes no calls for a while. */
  readonly isRest?: boolean;
}

export interface HostileMeans {
  /** A secret that must not be shown. */
  readonly key: string;
  readonly secret: string;
  /** A host to which no redirect may lead. */
  readonly elsewhere: string;
}

const EXAMPLES = new Map(
  [...ENDPOINT_LIST, ...FAMILY_ENDPOINT_LIST].map(({ method, path, examples }) => [
    `${method} ${path}`,
    examples.answer,
  ]),
);

/** An answer that an honest venue could give. */
function honest({ method, path }: SeenRequest): string {
  return EXAMPLES.get(`${method} ${path.split('?')[0] ?? ''}`) ?? '{}';
}

/** The honest answer, altered, or another text in its place. */
function body(
  change: (text: string, request: SeenRequest) => string | Buffer,
  status = 200,
  headers: Readonly<Record<string, string | string[]>> = { 'content-type': 'application/json' },
): HostileAnswer {
  return {
    reply: ({ request, response }) => {
      response.writeHead(status, headers);
      response.end(change(honest(request), request));
    },
  };
}

function bytes(text: (body: string) => string): HostileAnswer {
  return { reply: ({ request, socket }) => void socket.end(text(honest(request)), 'latin1') };
}

const head = (more: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}`;
const status = (code: number, headers: Readonly<Record<string, string>> = {}): HostileAnswer => ({
  ...body(() => (code === 204 || code === 304 ? '' : '{"code":-1000,"msg":"no"}'), code, headers),
  isRest: code === 418 || code === 429,
});
const numbers = (by: string): HostileAnswer =>
  body((text) => text.replace(/(?<=[:[,])-?\d[\d.]*(?=[,}\]])/g, by));
const refusal = (msg: string): HostileAnswer =>
  body(() => JSON.stringify({ code: '-1121', msg, data: null, succ: false }));

/** Kinds of answers, by name. */
export function hostileAnswers({
  key,
  secret,
  elsewhere,
}: HostileMeans): Readonly<Record<string, HostileAnswer>> {
  const html = '<html><body><script>alert(1)</script></body></html>';
  const both = `${key} ${secret}`;
  const redirects = [301, 302, 303, 307, 308].flatMap((code) => [
    [`${String(code)} to another host`, status(code, { location: `${elsewhere}/sapi/v1/time` })],
    [`${String(code)} to the same host`, status(code, { location: '/elsewhere' })],
  ]);
  const waits = [429, 418].flatMap((code) =>
    ['', '0', '999999999999', '-5', 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon'].map((wait) => [
      `${String(code)}, Retry-After "${wait}"`,
      status(code, wait === '' ? {} : { 'retry-after': wait }),
    ]),
  );
  const cuts = [1, 2, 3, 4].map((fifth) => [
    `cut after ${String(fifth)} fifths`,
    body((text) => text.slice(0, Math.floor((text.length * fifth) / 5))),
  ]);
  const plain = [204, 304, 400, 401, 403, 404, 405, 407, 451, 500, 501, 502, 503, 504, 599].map(
    (code) => [`status ${String(code)}`, status(code)],
  );
  return {
    ...(Object.fromEntries([...redirects, ...waits, ...cuts, ...plain]) as Record<
      string,
      HostileAnswer
    >),
    'HTML with 200': body(() => html, 200, { 'content-type': 'text/html' }),
    'HTML with 502': body(() => html, 502, { 'content-type': 'text/html' }),
    'nothing in it': body(() => ''),
    'white space alone': body(() => ' \r\n\t'),
    'another content type': body((text) => text, 200, { 'content-type': 'image/png' }),
    'no content type': body((text) => text, 200, {}),
    'gzip that is none': body((text) => text, 200, { 'content-encoding': 'gzip' }),
    'a gzip bomb': body(() => BOMB, 200, { 'content-encoding': 'gzip' }),
    'a body of 8 MB': body(() => LARGE),
    'a body without end': { reply: endless },
    'a byte now and then': { reply: dripping },
    'a head and nothing more': {
      reply: ({ response }) => {
        response.writeHead(200, { 'content-length': '100' });
        response.flushHeaders();
      },
    },
    'no answer': { reply: () => undefined },
    'informational answers for ever': { reply: informing },
    '100,000 brackets': body(() => '['.repeat(100_000)),
    '100,000 objects in each other': body(() => '{"a":'.repeat(100_000)),
    'keys twice': body((text) => text.replace(/\{("[^"]+":)/g, '{$1null,$1')),
    '__proto__ as a key': body((text) =>
      text.replace('{', '{"__proto__":{"code":"0","polluted":1},"constructor":{"prototype":1},'),
    ),
    NaN: numbers('NaN'),
    Infinity: numbers('-Infinity'),
    '1e400': numbers('1e400'),
    '1e-400': numbers('1e-400'),
    'numbers of 10,000 digits': numbers('9'.repeat(10_000)),
    'an exponent of ten digits': numbers('1e9999999999'),
    'negative numbers': numbers('-1'),
    'zero everywhere': numbers('0'),
    'texts for numbers': numbers('"abc"'),
    'null for numbers': numbers('null'),
    'lists for objects': body((text) => `[${text}]`),
    'objects for lists': body((text) => text.replaceAll('[', '{"0":').replaceAll(']', '}')),
    null: body(() => 'null'),
    'a number': body(() => '0'),
    'an empty list': body(() => '[]'),
    'an empty object': body(() => '{}'),
    'a list of nulls': body(() => '[null,null,null]'),
    'a list of 100,000 entries': body(() => `[${'{},'.repeat(100_000)}{}]`),
    'lists within each that are empty': body((text) => text.replace(/\[[^\]]*\]/g, '[]')),
    'unknown words': body((text) => text.replace(/:"[A-Z]+"/g, ':"PERHAPS"')),
    'other ids': body((text) => text.replace(/\d{15,}/g, '1')),
    'other symbols': body((text) => text.replace(/BTC/gi, 'XYZ')),
    'times of 1970': body((text) => text.replace(/17\d{11}/g, '1')),
    'times of the year 9999': body((text) => text.replace(/17\d{11}/g, '253402300799999')),
    'half a surrogate pair': refusal('\ud800'),
    'control characters': refusal('\u001b]0;owned\u0007\u001b[2J\u0000\r\nforged line\u202e'),
    'a message of a megabyte': refusal('x'.repeat(1_000_000)),
    'bytes that are no UTF-8': body(() => Buffer.from([0x7b, 0xff, 0xfe, 0x22, 0x7d])),
    'a byte order mark': body((text) => `\ufeff${text}`),
    'the secret in a message': refusal(both),
    'the secret in base64': refusal(Buffer.from(secret).toString('base64')),
    'the secret in base64 of more': refusal(Buffer.from(`x${both}`).toString('base64')),
    'the secret in a URL': refusal(encodeURIComponent(secret)),
    'the secret in hexadecimal': refusal(Buffer.from(secret).toString('hex')),
    'the secret as a code': body(() => JSON.stringify({ code: secret, msg: 'no' })),
    'the secret as text that is no JSON': body(() => both),
    'the secret as a key': body(() => JSON.stringify({ [secret]: 1 })),
    'the secret in headers': body(() => '{', 500, { 'x-echo': both, 'retry-after': secret }),
    cookies: body((text) => text, 200, { 'set-cookie': ['a=b', `session=${'c'.repeat(3_000)}`] }),
    'thousands of headers': bytes((text) => `${head('a: b\r\n'.repeat(5_000))}\r\n${text}`),
    'a header of a megabyte': bytes(
      (text) => `${head(`a: ${'b'.repeat(1_000_000)}\r\n`)}\r\n${text}`,
    ),
    'bytes that no header may have': bytes((text) => `${head('a\u0000b: \u0001\r\n')}\r\n${text}`),
    'a length that is too long': bytes(
      (text) => `${head(`content-length: ${String(text.length + 50)}`)}\r\n\r\n${text}`,
    ),
    'a length that is too short': bytes(
      (text) => `${head(`content-length: ${String(text.length >> 1)}`)}\r\n\r\n${text}`,
    ),
    'a negative length': bytes((text) => `${head('content-length: -1')}\r\n\r\n${text}`),
    'two lengths': bytes(
      (text) => `${head('content-length: 5\r\ncontent-length: 7')}\r\n\r\n${text}`,
    ),
    'length and chunks': bytes(
      (text) => `${head('content-length: 5\r\ntransfer-encoding: chunked')}\r\n\r\n5\r\n${text}`,
    ),
    'chunks that are none': bytes(
      (text) => `${head('transfer-encoding: chunked')}\r\n\r\nzz\r\n${text}`,
    ),
    'two answers in one': bytes(
      (text) =>
        `${head(`content-length: ${String(text.length)}`)}\r\n\r\n${text}${head('content-length: 2')}\r\n\r\n{}`,
    ),
    'HTTP/1.0': bytes((text) => `HTTP/1.0 200 OK\r\n\r\n${text}`),
    'HTTP/9.9': bytes((text) => `HTTP/9.9 200 OK\r\n\r\n${text}`),
    'a status of four digits': bytes((text) => `HTTP/1.1 2000 OK\r\n\r\n${text}`),
    'switching of protocols': bytes(
      () => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ),
    'no HTTP': bytes(() => '\u0000\u0001 what?\r\n\r\n'),
    'a connection that ends': { reply: ({ socket }) => void socket.end() },
    'a connection that is reset': { reply: ({ socket }) => void socket.resetAndDestroy() },
    'a reset after the head': {
      reply: ({ response, socket }) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"time":17600000', () => socket.resetAndDestroy());
      },
    },
  };
}

/** 64 MB of blanks. */
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576, ' '));
const LARGE = `"${'x'.repeat(8_000_000)}"`;
const PIECE = Buffer.alloc(65_536, ' ');

const endless: Reply = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const write = (): void => {
    while (!response.destroyed && response.write(PIECE));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

/** Sends pieces so often that no limit on the time between two pieces is reached. */
const dripping: Reply = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
};

const informing: Reply = ({ socket }) => {
  const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
  socket.on('error', () => undefined).on('close', () => clearInterval(timer));
};
