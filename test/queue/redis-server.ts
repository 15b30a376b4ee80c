import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Names of PEM files. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** A server that only this machine can reach, in a folder of its own. Its data survive its death. */
export class RedisServer {
  readonly #folder: string;
  readonly #tls: ServerIdentity | undefined;
  readonly port: number;
  /** The file with the id of its process, written again after each restart. */
  readonly pidFile: string;
  #process: ChildProcess | undefined;
  #isWanted = true;
  deaths = 0;

  private constructor(folder: string, port: number, tls: ServerIdentity | undefined) {
    this.#tls = tls;
    this.#folder = folder;
    this.port = port;
    this.pidFile = path.join(folder, 'pid');
  }

  /** `tls`: its certificate and key. It then accepts only TLS. */
  static async start(below: string, tls?: ServerIdentity): Promise<RedisServer> {
    const folder = mkdtempSync(path.join(below, 'redis-'));
    const server = new RedisServer(folder, await freePort(), tls);
    await server.#begin();
    return server;
  }

  get url(): string {
    return `${this.#tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${String(this.port)}`;
  }

  /** Ends the server for good. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    const process = this.#process;
    if (process === undefined) return;
    process.kill('SIGKILL');
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  }

  async #begin(): Promise<void> {
    const server = spawn(
      'redis-server',
      [
        ...(this.#tls === undefined
          ? ['--port', String(this.port)]
          : [
              ...['--port', '0', '--tls-port', String(this.port), '--tls-auth-clients', 'no'],
              ...['--tls-cert-file', this.#tls.certificate, '--tls-key-file', this.#tls.key],
            ]),
        ...['--bind', '127.0.0.1', '--dir', this.#folder],
        ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
      ],
      { stdio: 'ignore' },
    );
    this.#process = server;
    writeFileSync(this.pidFile, String(server.pid));
    server.once('exit', () => {
      if (!this.#isWanted) return;
      this.deaths += 1;
      void this.#begin();
    });
    while (!(await answers(this.port))) await sleep(20);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
