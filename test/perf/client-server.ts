/** A server in its own process for the benchmark of the client. It answers with the examples of the endpoint table, and with its clock for `spot.time`. */
import { createServer } from 'node:http';

import { ENDPOINT_LIST } from '../../src/venue/wire/index.js';

const server = createServer((request, response) => {
  const [path] = (request.url ?? '').split('?');
  const endpoint = ENDPOINT_LIST.find((one) => one.method === request.method && one.path === path);
  const isTime = endpoint?.id === 'spot.time';
  const answer = isTime
    ? `{"serverTime":${String(Date.now())}}`
    : (endpoint?.examples.answer ?? '');
  request.resume();
  request.on('end', () => {
    const length = String(Buffer.byteLength(answer));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.on('disconnect', () => {
  process.exit();
});
