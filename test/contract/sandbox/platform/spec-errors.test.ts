import { describe, expect, test } from 'vitest';
import { CPU, select, SEPTEMBER, startApis } from './spec-support.ts';

const QUERY = {
  ...SEPTEMBER,
  timeStep: 'hour',
  groupBy: ['metric'],
  consumptionQueries: select(CPU),
};

/** The shape of every JSON error of the billing API (spec 7). */
const refusal = (code: number, error: RegExp = /./) => ({
  code,
  error: expect.stringMatching(error),
});

describe('charge query validation failures give 500, and the message names the problem', () => {
  test.each([
    ['startTime not on an hour boundary', { startTime: '2026-09-01T00:30:00Z' }, /hour boundary/],
    ['endTime not on an hour boundary', { endTime: '2026-09-30T23:59:59Z' }, /hour boundary/],
    ['a fraction of a second', { startTime: '2026-09-01T00:00:00.001Z' }, /hour boundary/],
    ['an invalid timeStep', { timeStep: 'year' }, /timeStep/],
    ['groupBy missing from an aggregateBy', { groupBy: ['gvc'] }, /gvc/],
    [
      'groupBy missing from the second aggregateBy',
      { groupBy: ['gvc'], consumptionQueries: [...select(CPU, 'gvc'), ...select(CPU)] },
      /gvc/,
    ],
    [
      'a bad regular expression',
      { consumptionQueries: select({ ...CPU, workload: '/(/' }) },
      /./, // any sentence
    ],
  ])('%s', async (_why, change, problem) => {
    const { account, billing } = await startApis();
    const body = { ...QUERY, ...change };

    const answer = await account('POST', '/charges/-query', { body });
    const org = await billing('POST', '/org/acme/charges/-query', { body });

    expect([answer.status, org.status]).toEqual([500, 500]);
    expect(answer.body).toEqual(refusal(500, problem));
    expect(org.body).toEqual(answer.body);
  });
});

describe('a body that is not valid JSON gives 400', () => {
  test.each([
    ['POST', '/charges/-query'],
    ['POST', '/tags/values/query'],
    ['POST', '/alert'],
    ['PUT', '/alert'],
    ['POST', '/service-account-token'],
    ['POST', '/org'],
    ['POST', '/user'],
    ['PUT', '/user/email/cleo@acme.example'],
    ['POST', '/invoice-delivery/recipients'],
    ['PATCH', '/invoice-delivery/recipients/some'],
  ] as const)('%s %s', async (method, path) => {
    const { account } = await startApis();

    const { status, body } = await account(method, path, { raw: '{"alert": {' });

    expect([status, body]).toEqual([400, refusal(400)]);
  });
});

describe('an invalid field value gives 400', () => {
  test.each([
    ['startTime', 5],
    ['startTime', 'yesterday'],
    ['endTime', undefined],
    ['consumptionQueries', 'all'],
    ['consumptionQueries', undefined],
    ['groupBy', 'org'],
    ['orgs', 'acme'],
    ['detailed', 'yes'],
    ['aggregateByTimeStep', 'no'],
  ])('%s of a charge query: %j', async (field, value) => {
    const { account } = await startApis();

    const { status, body } = await account('POST', '/charges/-query', {
      body: { ...QUERY, [field]: value },
    });

    expect([status, body]).toEqual([400, refusal(400)]);
  });
});

describe('an invalid field value of a write gives 400', () => {
  test.each([
    ['PATCH', '/invoice-delivery/recipients/eeeeeeee-0000-4000-a000-000000000001', { enabled: 1 }],
    ['POST', '/tags/values/query', { ...SEPTEMBER, filterBy: {} }],
    ['POST', '/tags/values/query', { ...SEPTEMBER, tag: 5, filterBy: {} }],
    ['POST', '/tags/values/query', { tag: 'gvc', startTime: 'now', endTime: 'then' }],
    ['POST', '/charges/-query', []],
    ['POST', '/charges/-query', null],
  ] as const)('%s %s %j', async (method, path, sent) => {
    const { account } = await startApis();

    const { status, body } = await account(method, path, { body: sent });

    expect([status, body]).toEqual([400, refusal(400)]);
  });
});

test('errors are JSON of the shape {code, error}', async () => {
  const { account } = await startApis();

  const { type, text } = await account('GET', '/charges/invoices/nothing');

  expect(type).toContain('application/json');
  expect(JSON.parse(text)).toEqual(refusal(404));
});

test('a path that is none gives 404, to those who may ask', async () => {
  const { account } = await startApis();

  expect((await account('GET', '/nothing')).status).toBe(404);
});
