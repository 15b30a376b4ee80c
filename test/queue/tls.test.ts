import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisServer, type ServerIdentity } from './redis-server.js';
import { SearchRig, sweepWords } from './search-rig.js';

const openssl = spawnSync('openssl', ['version']).status === 0;

/** A self-signed certificate for a name. */
function makeIdentity(folder: string, name: string): ServerIdentity {
  const [certificate, key] = ['pem', 'key'].map((ending) => path.join(folder, `${name}.${ending}`));
  if (certificate === undefined || key === undefined) throw new Error('no names');
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=queue of a test'],
    ...['-addext', `subjectAltName=${name}`],
  ]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  return { certificate, key };
}

describe.skipIf(!openssl)('a queue with TLS (needs openssl, which makes its certificate)', () => {
  let folder: string;
  let rig: SearchRig;
  let server: RedisServer;
  let ofServer: ServerIdentity;
  const onQueue = (url = server.url) => ({ env: { EVENKEEL_QUEUE: url } });
  const withCa = (file: string) => ['--queue', 'env', '--queue-ca', file];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-tls-'));
    ofServer = makeIdentity(folder, 'IP:127.0.0.1');
    rig = await SearchRig.open();
    server = await RedisServer.start(folder, ofServer);
  });
  afterAll(async () => {
    await rig.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives the document of a single process when its certificate is named', async () => {
    await rig.run([...sweepWords('alone', 1), '--jobs', '1']);
    const worker = rig.startWorker(rig.workerFolder(), {
      ...onQueue(),
      words: ['--queue-ca', ofServer.certificate],
    });

    const said = await rig.run(
      [...sweepWords('encrypted', 1), ...withCa(ofServer.certificate)],
      onQueue(),
    );

    expect(said).toContain(`on rediss://127.0.0.1:${String(server.port)}`);
    expect(rig.read('encrypted.json')).toBe(rig.read('alone.json'));
    worker.kill('SIGTERM');
    await worker.ended;
    expect(worker.output).not.toContain('Warning');
    expect(worker.output).toContain('with 1 thread waits');
  });

  it.each<[string, () => readonly string[], string]>([
    ['no certificate is named', () => ['--queue', 'env'], 'self-signed certificate'],
    [
      'that of another server is named',
      () => withCa(makeIdentity(folder, 'DNS:other.example').certificate),
      'self-signed certificate',
    ],
  ])('is refused when %s', async (_, words, why) => {
    const said = await rig.run(['queue', 'status', ...words()], { ...onQueue(), exitCode: 1 });

    expect(said).toContain(
      `the queue rediss://127.0.0.1:${String(server.port)}: its certificate is not trusted: ${why}`,
    );
    expect(said).toContain('E_QUEUE_CERTIFICATE');
  });

  it('is refused even if the environment turns off the checks of certificates', async () => {
    const env = { ...onQueue().env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };

    const said = await rig.run(['queue', 'status', '--queue', 'env'], { env, exitCode: 1 });

    expect(said).toContain('its certificate is not trusted: self-signed certificate');
  });

  it('is refused when its certificate is for another name', async () => {
    const identity = makeIdentity(folder, 'DNS:queue.example');
    const other = await RedisServer.start(folder, identity);

    const said = await rig.run(['queue', 'status', ...withCa(identity.certificate)], {
      ...onQueue(other.url),
      exitCode: 1,
    });

    await other.stop();
    expect(said).toMatch(/its certificate is not trusted: .*IP: 127\.0\.0\.1 is not in/);
    expect(said).toContain('E_QUEUE_CERTIFICATE');
  });

  it('refuses a CA file without a certificate, and a CA file for a queue without TLS', async () => {
    const file = path.join(folder, 'none.pem');
    writeFileSync(file, readFileSync(ofServer.key));

    const said = await rig.run(['queue', 'status', ...withCa(file)], { ...onQueue(), exitCode: 2 });
    const bare = await rig.run(['queue', 'status', ...withCa(ofServer.certificate)], {
      exitCode: 2,
    });

    expect(said).toContain(`--queue-ca ${file}: expected a certificate in PEM`);
    expect(bare).toContain('expected rediss://..., received redis://127.0.0.1:');
  });
});
