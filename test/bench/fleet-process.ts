import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fleetItems } from './fleet-items.ts';
import type { Changing } from './fleet-items.ts';

/**
 * A platform in a process of its own, so that it takes no time from what is measured: any GVC has this
 * many deployments, and every second answer is of the other edition. `GET /asked` says
 * when each GVC was asked for.
 */
const count = Number(process.argv[2]);
const changing = process.argv[3] as Changing;
const bodies = [0, 1].map((edition) =>
  Buffer.from(JSON.stringify({ kind: 'list', items: fleetItems(count, changing, edition) })),
);
const asked: Record<string, number[]> = {};

const server = createServer((request, response) => {
  const gvc = request.url?.match(/\/gvc\/([^/]+)\/workload\/-deployment/)?.[1];
  if (gvc === undefined) {
    response.end(JSON.stringify(asked));
    return;
  }
  const times = (asked[gvc] ??= []);
  times.push(Date.now());
  const body = bodies[times.length % 2] ?? Buffer.alloc(0);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
