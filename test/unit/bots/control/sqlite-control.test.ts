import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InvariantError } from '../../../../src/domain/index.js';
import { askBot } from '../../../../src/bots/control/control-client.js';
import {
  controlPath,
  preparePlace,
  runtimeFolder,
} from '../../../../src/bots/control/control-path.js';
import { formatAnswer, MAX_REQUEST_LENGTH } from '../../../../src/bots/control/control-protocol.js';
import { serveControl } from '../../../../src/bots/control/control-server.js';
import { untilUnanswered } from '../../../../src/bots/control/control-socket.js';
import type { BotControl } from '../../../../src/live/index.js';
import { aStatus, FakeBot } from '../../../support/live/fake-bot.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

async function socketPath(): Promise<string> {
  return path.join(await temporaryFolder(), 'bot.journal.sock');
}

/** Serves a bot until the test ends. */
async function served(bot: BotControl = new FakeBot(), at?: string): Promise<string> {
  const server = await serveControl(at ?? (await socketPath()), bot);
  onTestFinished(() => server.close());
  return server.path;
}

/** Lets a server listen until the test ends. Returns the path of its socket. */
async function listen(server: Server): Promise<string> {
  const at = await socketPath();
  await new Promise<void>((resolve) => server.listen(at, () => resolve()));
  onTestFinished(() => void server.close());
  return at;
}

/** Writes pieces to a socket. Returns the lines that come back until the socket closes or `wanted` lines are there. */
function converse(at: string, pieces: readonly string[], wanted: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(at);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (piece: string) => {
      text += piece;
      if (text.split('\n').length > wanted) socket.end();
    });
    socket.on('close', () => resolve(text.split('\n').slice(0, -1)));
    for (const piece of pieces) socket.write(piece);
  });
}

describe('untilUnanswered', () => {
  it('waits until the server closes the socket, but no longer than its limit', async () => {
    const at = await socketPath();
    const server = await serveControl(at, new FakeBot());
    let isOver = false;
    const waiting = untilUnanswered(at, 60_000).then(() => (isOver = true));

    await untilUnanswered(at, 100);
    expect(isOver).toBe(false);
    await server.close();
    await waiting;

    const next = await serveControl(at, new FakeBot());
    await next.close();
  });
});

describe('a control socket', () => {
  it('returns the whole status, absent values included', async () => {
    const status = aStatus({ equity: undefined, profit: undefined, lastDecision: undefined });
    const at = await served(new FakeBot(status));

    expect(await askBot({ command: 'status' }, { path: at })).toEqual({ ok: true, status });
  });

  it.each([
    ['pause', undefined, 'pause', 'paused'],
    ['resume', undefined, 'resume', 'running'],
    ['halt', 'too wild', 'halt: too wild', 'halted'],
    ['halt', undefined, 'halt: halted by the operator', 'halted'],
    ['flatten', undefined, 'flatten', 'halted'],
  ] as const)('passes on %s (%s) and returns the new state', async (command, text, told, state) => {
    const bot = new FakeBot();
    const at = await served(bot);

    const answer = await askBot({ command, text }, { path: at });

    expect(bot.told).toEqual([told]);
    expect(answer).toMatchObject({ ok: true, status: { state } });
  });

  it.each([
    [['9007199254740993', 'a1b2c3d4-2-0'], 'clear-triggers: 9007199254740993 a1b2c3d4-2-0'],
    [undefined, 'clear-triggers: '],
  ] as const)('passes on the ids of removed triggers (%j)', async (ids, told) => {
    const bot = new FakeBot();
    const at = await served(bot);

    const answer = await askBot({ command: 'clear-triggers', ids }, { path: at });

    expect(answer).toMatchObject({ ok: true });
    expect(bot.told).toEqual([told]);
  });

  it('is accessible only to its user', async () => {
    const at = await served();

    const { mode } = await stat(at);

    expect(mode & 0o777).toBe(0o600);
  });

  it('answers each line, however the text is split', async () => {
    const bot = new FakeBot();
    const at = await served(bot);

    const lines = await converse(at, ['{"command":"pa', 'use"}\n{"command":"resume"}\n'], 2);

    expect(bot.told).toEqual(['pause', 'resume']);
    expect(lines.map((line): unknown => JSON.parse(line).status.state)).toEqual([
      'paused',
      'running',
    ]);
  });

  it.each([
    ['no JSON', 'halt'],
    ['another command', '{"command":"buy"}'],
    ['another key', '{"command":"halt","reason":"x"}'],
    ['a text of several lines', JSON.stringify({ command: 'halt', text: 'a\nb' })],
    ['nothing', ''],
  ])('refuses %s, and does nothing', async (_what, line) => {
    const bot = new FakeBot();
    const at = await served(bot);

    const [answer] = await converse(at, [`${line}\n`], 1);

    expect(JSON.parse(answer ?? '')).toMatchObject({ ok: false, code: 'E_CONTROL_REQUEST' });
    expect(bot.told).toEqual([]);
  });

  it('disconnects a client that never ends a line', async () => {
    const at = await served();

    const lines = await converse(at, ['x'.repeat(MAX_REQUEST_LENGTH + 1)], 9);

    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('E_CONTROL_REQUEST');
  });

  it('returns the error code of a command that the bot cannot carry out', async () => {
    const bot = new FakeBot();
    bot.flatten = () => {
      throw new InvariantError('E_MISSING', 'expected an order manager, received none');
    };
    const at = await served(bot);

    expect(await askBot({ command: 'flatten' }, { path: at })).toEqual({
      ok: false,
      code: 'E_MISSING',
      message: 'expected an order manager, received none',
    });
  });

  it('is removed when it is closed, and its clients are disconnected', async () => {
    const at = await socketPath();
    const server = await serveControl(at, new FakeBot());
    const client = connect(at);
    await new Promise((resolve) => client.once('connect', resolve));
    const closed = new Promise((resolve) => client.once('close', resolve));

    await server.close();
    await closed;

    await expect(stat(at)).rejects.toThrow('ENOENT');
    expect(await askBot({ command: 'status' }, { path: at })).toBeUndefined();
  });

  it('replaces an abandoned socket', async () => {
    const at = await abandonedSocket();

    await served(new FakeBot(), at);

    expect(await askBot({ command: 'status' }, { path: at })).toMatchObject({ ok: true });
  });

  it('does not replace a socket that answers', async () => {
    const bot = new FakeBot();
    const at = await served(bot);

    await expect(serveControl(at, new FakeBot())).rejects.toThrow(
      expect.objectContaining({ code: 'E_CONTROL_SOCKET' }),
    );
    expect(await askBot({ command: 'pause' }, { path: at })).toMatchObject({ ok: true });
    expect(bot.told).toEqual(['pause']);
  });

  it('rejects a path at which another kind of file exists', async () => {
    const at = await socketPath();
    await writeFile(at, 'mine');

    await expect(serveControl(at, new FakeBot())).rejects.toThrow(
      'a file with this name exists and is not a socket',
    );
  });

  it('rejects a path in a missing folder', async () => {
    const at = path.join(await temporaryFolder(), 'none', 'bot.sock');

    await expect(serveControl(at, new FakeBot())).rejects.toThrow(
      expect.objectContaining({ code: 'E_CONTROL_SOCKET' }),
    );
  });
});

/** A socket left behind by a killed process: bound, but without a listener. */
async function abandonedSocket(): Promise<string> {
  const { spawnSync } = await import('node:child_process');
  const at = await socketPath();
  const script = `require('node:net').createServer().listen(${JSON.stringify(at)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect((await stat(at)).isSocket()).toBe(true);
  return at;
}

describe('askBot', () => {
  it('returns undefined if the socket is missing or abandoned', async () => {
    const request = { command: 'status' } as const;

    expect(await askBot(request, { path: await socketPath() })).toBeUndefined();
    expect(await askBot(request, { path: await abandonedSocket() })).toBeUndefined();
  });

  it('rejects with E_BOT_SILENT if no answer comes in time', async () => {
    const at = await listen(createServer(() => undefined));

    await expect(askBot({ command: 'status' }, { path: at, patienceMs: 20 })).rejects.toThrow(
      expect.objectContaining({ code: 'E_BOT_SILENT' }),
    );
  });

  it.each([
    ['another program', 'HTTP/1.1 400 Bad Request\n'],
    ['a status that lacks members', '{"ok":true,"status":{"name":"a"}}\n'],
    ['a hang-up', ''],
  ])('rejects %s as an answer', async (_what, text) => {
    const at = await listen(createServer((socket) => void socket.end(text)));

    await expect(askBot({ command: 'status' }, { path: at })).rejects.toThrow(
      expect.objectContaining({ code: 'E_BOT_ANSWER' }),
    );
  });

  it('joins an answer that arrives in pieces', async () => {
    const answer = formatAnswer({ ok: true, status: aStatus() });
    const at = await listen(
      createServer((socket) => {
        socket.write(answer.slice(0, 100), () => void socket.end(answer.slice(100)));
      }),
    );

    expect(await askBot({ command: 'status' }, { path: at })).toMatchObject({ ok: true });
  });
});

describe('controlPath', () => {
  const place = { runtimeFolder: '/tmp', userId: 1_000 };

  it('is beside the journal, or in a folder of the user if that path is too long for a socket', () => {
    const long = `/${'deep/'.repeat(20)}bot.journal`;

    expect(controlPath('/bots/a.journal', place)).toBe('/bots/a.journal.sock');
    expect(controlPath(long, place)).toMatch(/^\/tmp\/evenkeel-1000\/[0-9a-f]{16}\.sock$/);
    expect(controlPath(long, place)).not.toBe(controlPath(`/x${long}`, place));
  });

  it('needs its folder of the user to be closed to others', async () => {
    const folder = await temporaryFolder();
    const own = { runtimeFolder: folder, userId: process.getuid?.() ?? 0 };
    const shared = path.join(folder, `evenkeel-${String(own.userId)}`);
    const socket = path.join(shared, '0123456789abcdef.sock');

    await preparePlace(socket, own);
    expect((await stat(shared)).mode & 0o777).toBe(0o700);
    await preparePlace(socket, own);
    await chmod(shared, 0o777);
    await expect(preparePlace(socket, own)).rejects.toThrow(
      expect.objectContaining({ code: 'E_CONTROL_SOCKET' }),
    );
    await mkdir(path.join(folder, 'elsewhere'));
    await expect(
      preparePlace(path.join(folder, 'elsewhere', 'a.sock'), own),
    ).resolves.toBeUndefined();
  });
});

describe('runtimeFolder', () => {
  const userId = process.getuid?.() ?? 0;

  it('is the folder of the environment if it is private to the user', async () => {
    const named = await temporaryFolder();
    await chmod(named, 0o700);

    expect(runtimeFolder({ named, userId, temporary: '/tmp' })).toBe(named);
    expect(runtimeFolder({ named, userId: 987_654_321, temporary: '/tmp' })).toBe('/tmp');
    await chmod(named, 0o750);
    expect(runtimeFolder({ named, userId, temporary: '/tmp' })).not.toBe(named);
  });

  it.each([undefined, '', 'relative', '/nowhere/at/all'])(
    'is the temporary folder if the environment names %s and the system has no folder for the user',
    (named) => {
      expect(runtimeFolder({ named, userId: 987_654_321, temporary: '/tmp' })).toBe('/tmp');
    },
  );
});

describe('a control socket with misbehaving clients', () => {
  /** Connects, may write a text, and never reads. */
  async function neighbour(at: string, said = ''): Promise<Socket> {
    const socket = connect(at);
    socket.on('error', () => socket.destroy());
    socket.pause();
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    if (said !== '') socket.write(said);
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  it('receives halt within a second while 1,000 other clients are silent, slow or half open', async () => {
    const bot = new FakeBot();
    const at = await served(bot);
    for (let index = 0; index < 1_000; index += 1) {
      const socket = await neighbour(at, index % 3 === 0 ? '{"comm' : '');
      if (index % 5 === 0) socket.end();
    }

    const asked = performance.now();
    const answer = await askBot({ command: 'halt' }, { path: at });

    expect(answer).toMatchObject({ ok: true, status: { state: 'halted' } });
    expect(performance.now() - asked).toBeLessThan(1_000);
  });

  it('stops answering a client that does not read', async () => {
    let asked = 0;
    const bot = new FakeBot();
    const status = bot.status.bind(bot);
    bot.status = () => {
      asked += 1;
      return status();
    };
    const at = await served(bot);

    await neighbour(at, '{"command":"status"}\n'.repeat(50_000));
    await askBot({ command: 'status' }, { path: at });
    await new Promise((resolve) => setTimeout(resolve, 200));

    expect(asked).toBeLessThan(20);
  });

  it('receives no command if it belongs to another user', async () => {
    const bot = new FakeBot();
    const at = await served(bot);
    const userId = (process.getuid?.() ?? 0) + 1;

    const asked = askBot({ command: 'halt' }, { path: at, userId });

    await expect(asked).rejects.toMatchObject({ code: 'E_CONTROL_SOCKET' });
    expect(bot.told).toEqual([]);
  });

  it('receives no command if every user can write to its folder', async () => {
    const bot = new FakeBot();
    const at = await served(bot);
    await chmod(path.dirname(at), 0o777);

    const asked = askBot({ command: 'halt' }, { path: at });

    await expect(asked).rejects.toMatchObject({ code: 'E_CONTROL_SOCKET' });
    expect(bot.told).toEqual([]);
  });
});
