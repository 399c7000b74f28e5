import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimits } from '../../../src/platform/concurrency.ts';
import { until } from '../../support/until.ts';
import { failureOf, page, serve, startClient } from './support.ts';

/** A platform on which some orgs hang until they are let go. */
async function platform(hangs: (org: string) => boolean) {
  const open: { org: string; reply: ServerResponse }[] = [];
  const answered: string[] = [];
  const server = await serve((request, reply) => {
    const org = /\/org\/([^/]+)\//.exec(request.url ?? '')?.[1] ?? '';
    if (hangs(org)) return void open.push({ org, reply });
    answered.push(org);
    reply.end(page([]));
  });
  const letGo = () => open.shift()?.reply.end(page([]));
  return {
    url: server.url,
    answered,
    open: () => open.filter(({ reply }) => !reply.writableEnded && !reply.destroyed),
    letGo,
    async letAllGo(calls: Promise<unknown>[]) {
      let done = 0;
      for (const call of calls) void call.then(() => (done += 1));
      await until('all to be let go', () => {
        letGo();
        return done === calls.length;
      });
    },
  };
}

describe('calls to the platform', () => {
  it('of one org are so many at once, and those of another pass by', async () => {
    const server = await platform((org) => org === 'acme');
    const client = startClient(server.url, {
      concurrency: createConcurrencyLimits({ perCaller: 3, inAll: 5, kept: 0 }),
    });
    const hanging = Array.from({ length: 8 }, (_, index) => client.listGvc('acme', `gvc-${index}`));
    await until('three of them to be open', () => server.open().length === 3);

    for (let call = 0; call < 20; call += 1) await client.listGvc('beta', 'shop');

    expect(server.open()).toHaveLength(3);
    expect(server.answered).toHaveLength(20);
    await server.letAllGo(hanging);
  });

  it('of all are so many at once, and the next is of who has the fewest', async () => {
    const server = await platform(() => true);
    const client = startClient(server.url, {
      concurrency: createConcurrencyLimits({ perCaller: 3, inAll: 4, kept: 0 }),
    });
    const calls = ['acme', 'acme', 'acme', 'beta', 'acme', 'beta', 'gamma'].map((org, index) =>
      client.listGvc(org, `gvc-${index}`),
    );
    await until('four to be open', () => server.open().length === 4);
    const orgs = (): string[] =>
      server
        .open()
        .map(({ org }) => org)
        .toSorted();
    expect(orgs()).toEqual(['acme', 'acme', 'acme', 'beta']);

    server.letGo();
    await until('the next', () => orgs().includes('gamma'));

    expect(orgs()).toEqual(['acme', 'acme', 'beta', 'gamma']);
    await server.letAllGo(calls);
  });

  it('of who has none under way find a turn that is kept for them', async () => {
    const server = await platform((org) => org === 'acme');
    const turns = createConcurrencyLimits({ perCaller: 4, inAll: 4, kept: 1 });
    const client = startClient(server.url, { concurrency: turns });
    const hanging = Array.from({ length: 6 }, (_, index) => client.listGvc('acme', `gvc-${index}`));
    await until('the kept turn to be all that is left', () => server.open().length === 3);

    for (let call = 0; call < 5; call += 1) await client.listGvc('beta', 'shop');

    expect(server.open()).toHaveLength(3);
    expect(server.answered).toEqual(Array.from({ length: 5 }, () => 'beta'));
    await server.letAllGo(hanging);
  });

  it('that were sent and have no answer in time are not among those that were not', async () => {
    const server = await platform(() => true);
    const client = startClient(server.url, {
      concurrency: createConcurrencyLimits(),
      limits: { totalMs: 100 },
    });

    const failure = await failureOf(client.listGvc('acme', 'shop'));

    expect(failure).toMatchObject({ reason: 'timeout', isUnsent: false });
  });

  it('that wait for their turn do so within their deadline, and leave no gap behind', async () => {
    const server = await platform((org) => org === 'acme');
    const turns = createConcurrencyLimits({ perCaller: 1, inAll: 1, kept: 0 });
    const slow = startClient(server.url, { concurrency: turns });
    const hasty = startClient(server.url, { concurrency: turns, limits: { totalMs: 100 } });
    const first = slow.listGvc('acme', 'shop');
    await until('the first to be open', () => server.open().length === 1);

    const failure = await failureOf(hasty.listGvc('acme', 'data'));
    expect(failure).toMatchObject({ reason: 'timeout', isUnsent: true });
    expect(failure.message).toContain('was not asked');
    expect(server.open()).toHaveLength(1);

    server.letGo();
    await first;
    await slow.listGvc('beta', 'shop');
    expect(server.answered).toEqual(['beta']);
  });
});
