import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { denseUsage, heavyUsage } from '../support/heavy-usage.ts';

/**
 * A platform in a process of its own that answers usage queries by steps with so many bytes: those of org
 * `dense` with rows that are as small as they can be, those of org `vast` with half as much again. It
 * answers any other question with nothing.
 */
const bytes = Number(process.argv[2]);
const usual = heavyUsage(bytes).body;
const nothing = Buffer.from('{"periods":[],"consumptionCount":0,"items":[],"tagValues":[]}');

function bodyFor(url: string): Buffer {
  if (url.includes('/dense/')) return denseUsage(bytes);
  return url.includes('/vast/') ? heavyUsage(1.5 * bytes).body : usual;
}

const server = createServer((request, response) => {
  let query = '';
  request.on('data', (chunk: Buffer) => (query += chunk.toString()));
  request.on('end', () => {
    const isHeavy = query.includes('"aggregateByTimeStep":true');
    const answer = isHeavy ? bodyFor(request.url ?? '') : nothing;
    const length = { 'content-type': 'application/json', 'content-length': answer.length };
    response.writeHead(200, length).end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
