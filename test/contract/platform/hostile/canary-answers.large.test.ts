import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { serve } from '../support.ts';
import { CALLS, credentialOf, failEach, MOST, STATUSES } from './failing.ts';
import { IN_JSON, IN_TEXT, leakIn } from './texts.ts';

type BodyOf = (said: string) => string;

const JSON_BODIES: readonly (readonly [string, BodyOf])[] = [
  ['in the shape of billing', (said) => `{"code":400,"error":"what is ${said}?"}`],
  [
    'in the shape of the core API',
    (said) => `{"status":400,"message":"what is ${said}?","details":"${said}","id":"1"}`,
  ],
  [
    'across the end of a long sentence',
    (said) => `{"code":500,"error":"${'what '.repeat(57)}${said}"}`,
  ],
  ['as a name in what it says', (said) => `{"error":{"${said}":"${said}"}}`],
  ['in JSON that breaks off', (said) => `{"code":400,"error":"what is ${said}`],
  [
    'with the times of a retention',
    (said) => `{"code":400,"error":"${said}: data is retained for 12 months","earliest":"${said}"}`,
  ],
];
const TEXT_BODIES: readonly (readonly [string, BodyOf])[] = [
  ['as a sentence', (said) => `what is ${said}?`],
  ['across the end of a long text', (said) => `${'what '.repeat(57)}${said}`],
  ['in a page', (said) => `<html><h1>${said}</h1></html>`],
];
const IN_ALL_WRITINGS = [
  ...JSON_BODIES.flatMap(([what, bodyOf]) => inEach(IN_JSON, what, bodyOf)),
  ...TEXT_BODIES.flatMap(([what, bodyOf]) => inEach(IN_TEXT, what, bodyOf)),
];

function inEach(writings: Readonly<Record<string, BodyOf>>, what: string, bodyOf: BodyOf) {
  return Object.entries(writings).map(
    ([writing, write]) => [what, writing, (said: string) => bodyOf(write(said))] as const,
  );
}

/** A platform that says the credential back, whatever it is asked. */
function answer(status: number, bodyOf: BodyOf) {
  return serve((request, reply) => {
    reply.writeHead(status).end(bodyOf(credentialOf(request)));
  });
}

describe('a credential that an answer repeats is in no error about a refusal', () => {
  test.each([...JSON_BODIES, ...TEXT_BODIES])('whatever the status: %s', async (_what, bodyOf) => {
    const everFailed = new Set<string>();
    for (const status of STATUSES) {
      const server = await answer(status, bodyOf);

      const { failed, names, areOurs, leaks } = await failEach(server.url);
      for (const name of names) everFailed.add(name);

      expect({ status, areOurs, leaks }).toEqual({ status, areOurs: true, leaks: [] });
      expect(failed).toBeGreaterThanOrEqual(MOST);
      // The answers really repeated the credential, which was sent only in its header.
      expect(server.seen.every(({ authorization }) => leakIn(authorization ?? ''))).toBe(true);
      expect(server.seen.flatMap(({ url }) => leakIn(url) ?? [])).toEqual([]);
    }
    // Not always the same few are spared.
    expect(everFailed.size).toBe(CALLS);
  });

  test.each(IN_ALL_WRITINGS)('however it is written: %s, %s', async (_what, _writing, bodyOf) => {
    const server = await answer(500, bodyOf);

    const { failed, areOurs, leaks } = await failEach(server.url);

    expect({ areOurs, leaks }).toEqual({ areOurs: true, leaks: [] });
    expect(failed).toBeGreaterThanOrEqual(MOST);
  });

  test.each([
    'location',
    'www-authenticate',
    'retry-after',
    'content-type',
    'content-encoding',
    'set-cookie',
    'x-request-id',
  ])('in a header: %s', async (name) => {
    for (const status of STATUSES) {
      const server = await serve((request, reply) => {
        const said = credentialOf(request);
        const value = name === 'location' ? `http://127.0.0.1:9/${said}?key=${said}` : said;
        reply.writeHead(status, said, { [name]: value }).end('{}');
      });

      const { areOurs, leaks } = await failEach(server.url);

      expect({ status, areOurs, leaks }).toEqual({ status, areOurs: true, leaks: [] });
    }
  });
});

describe('a credential is in no error about a success that cannot be read', () => {
  test.each(Object.entries(IN_JSON))('because it breaks off: %s', async (_writing, write) => {
    const server = await serve((request, reply) => {
      const said = write(credentialOf(request));
      // Without its type it might be a document, which is passed on unread.
      reply.writeHead(200, { 'content-type': 'application/json' }).end(`{"items":["${said}`);
    });

    const { failed, areOurs, leaks } = await failEach(server.url);

    expect({ areOurs, leaks }).toEqual({ areOurs: true, leaks: [] });
    expect(failed).toBeGreaterThanOrEqual(MOST);
  });

  test.each([
    ['which is packed and broken', 200, 9],
    ['which is packed and refused', 400, 0],
  ])('%s', async (_what, status, missing) => {
    const server = await serve((request, reply) => {
      const body = gzipSync(`{"error":"${credentialOf(request)}"}`);
      reply
        .writeHead(status, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
        .end(body.subarray(0, body.length - missing));
    });

    const { failed, areOurs, leaks } = await failEach(server.url);

    expect({ areOurs, leaks }).toEqual({ areOurs: true, leaks: [] });
    expect(failed).toBeGreaterThanOrEqual(MOST);
  });
});
