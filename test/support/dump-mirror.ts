import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Answers a request in place of the mirror. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface DumpMirror {
  readonly url: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** Files by path. {@link publish} adds a file with its checksum. */
  readonly files: Map<string, Buffer>;
  publish(path: string, bytes: Buffer): void;
  /** Answers by path. Each replaces the answer to the next request for its path, once. */
  readonly faults: Map<string, Answer>;
}

/** A mirror of public files on this machine, until the test ends. */
export async function startDumpMirror(): Promise<DumpMirror> {
  const files = new Map<string, Buffer>();
  const faults = new Map<string, Answer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    asked.push(path);
    const fault = faults.get(path);
    faults.delete(path);
    if (fault !== undefined) {
      fault(request, response);
      return;
    }
    const bytes = files.get(path);
    response.writeHead(bytes === undefined ? 404 : 200);
    response.end(bytes ?? '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    files,
    faults,
    publish: (path, bytes) => {
      files.set(path, bytes);
      const hash = createHash('sha256').update(bytes).digest('hex');
      files.set(`${path}.CHECKSUM`, Buffer.from(`${hash}  ${path.split('/').at(-1) ?? ''}\n`));
    },
  };
}
