import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDoctorHarness, type SetUp } from './harness.ts';

let doctor: Awaited<ReturnType<typeof createDoctorHarness>>;

beforeAll(async () => {
  doctor = await createDoctorHarness();
});
afterAll(() => doctor.close());
beforeEach(() => doctor.reset());

const BOTH_ORGS = { acme: 'sandbox-key-acme', globex: 'sandbox-key-globex' };

test('where all is well, nothing is in trouble, and each thing is named', async () => {
  const findings = await doctor.examine({ keys: BOTH_ORGS });

  expect(findings.map(({ what, state }) => `${what} ${state}`)).toStrictEqual([
    'API_URL well',
    'USAGE_URL well',
    'Org acme, deployments well',
    'Org acme, usage well',
    'Org globex, deployments well',
    'Org globex, usage well',
    'BILLING_URL well',
    'BILLING_TOKEN well',
    'BILLING_USER_TOKEN well',
    'Billing account well',
    'Billing users well',
  ]);
});

test('a key that was never given out is refused everywhere', async () => {
  const [deployments, usage, ...others] = await doctor.troubles({ keys: { acme: 'nonsense' } });

  expect(deployments).toBe(
    'broken Org acme, deployments: the platform refuses the key everywhere: it is mistyped, expired or deleted → put the key of a service account of org acme into ORG_TOKENS; changes take up to 5 minutes',
  );
  expect(usage).toMatch(/^broken Org acme, usage: the platform refuses the key everywhere/);
  expect(others).toStrictEqual([]);
});

test.each<[string, (url: string) => SetUp, unknown]>([
  [
    'a key of another org',
    () => ({ keys: { acme: 'sandbox-key-globex' } }),
    expect.stringMatching(
      /^broken Org acme, deployments: the key is valid, but org acme refuses it: it belongs to another org or lacks view/,
    ),
  ],
  [
    'a user’s token in ORG_TOKENS',
    () => ({ keys: { acme: 'sandbox-user-ada' } }),
    expect.stringMatching(
      /^doubtful Org acme, key: ORG_TOKENS has the token of BILLING_USER_TOKEN for it/,
    ),
  ],
  [
    'a host without an address',
    () => ({ usage: 'http://usage.invalid' }),
    'broken USAGE_URL: the host usage.invalid is not known → check the spelling in USAGE_URL, and the DNS of Purser’s machine',
  ],
  [
    'https where http is spoken',
    (url) => ({ api: url.replace('http:', 'https:') }),
    expect.stringMatching(/^broken API_URL: \S+ does not speak https .*that it takes https$/),
  ],
  [
    'a wrong path of the usage API',
    (url) => ({ usage: `${url}/nope` }),
    'broken Org acme, usage: something answers there, but knows no such path (status 404) → check what follows the host in USAGE_URL: a part of the path is missing or too much',
  ],
  [
    'a wrong path in API_URL, beside the watched GVC that is not found there',
    (url) => ({ api: `${url}/v9` }),
    expect.stringMatching(/there is no GVC shop .*if no GVC is found, check the path in API_URL$/),
  ],
  [
    'a wrong path in API_URL where nothing is watched, by the GVCs that have usage',
    (url) => ({ api: `${url}/v9`, watched: [] }),
    'doubtful Org acme, deployments: no GVC that has usage is found: all of them are deleted, or the path is wrong → check what follows the host in API_URL',
  ],
])('reports %s', async (_, setUp, line) => {
  const [first] = await doctor.troubles(setUp(doctor.platform.url));

  expect(first).toStrictEqual(line);
});

test('a key without view is found where nothing is watched, by a GVC that has usage', async () => {
  await doctor.control('faults', {
    faults: [{ path: '/gvc/(?!purser-doctor)', status: 401 }],
  });

  expect(await doctor.troubles({ watched: [] })).toStrictEqual([
    'broken Org acme, deployments: the key is valid, but lacks view on the workloads, or the org is deactivated → give the service account of org acme view on the workloads; changes take up to 5 minutes',
  ]);
});

test('a key with readUsage alone, or that lost readMetrics, still reads deployments', async () => {
  const readUsage = await doctor.troubles({ keys: { acme: 'sandbox-readusage-acme' } });
  await doctor.control('permissions', { org: 'acme', readMetrics: false });
  await doctor.control('auth-cache/clear', {});
  const lost = await doctor.troubles();

  expect(readUsage.join('\n')).toMatch(
    /broken Org acme, usage: .*lacks readMetrics \(readUsage does not grant it\) → .*give that readMetrics; changes take up to 5 minutes/,
  );
  expect(lost).toStrictEqual([
    'broken Org acme, usage: the key is valid, but lacks readMetrics (readUsage does not grant it), or the org is deactivated → give the service account of org acme readMetrics; changes take up to 5 minutes',
  ]);
});

test('one key for two orgs is reported where it does not work', async () => {
  const keys = { acme: 'sandbox-key-acme', globex: 'sandbox-key-acme' };
  const troubles = await doctor.troubles({ keys });

  expect(troubles.join('\n')).toMatch(/Org globex, deployments: .*\(now it has that of org acme\)/);
  expect(troubles.join('\n')).not.toContain('Org acme, deployments');
});

test('a billing token in ORG_TOKENS is recognized by its form and sent nowhere', async () => {
  const keys = { acme: 'svc-bsat-sandbox-all' };
  const troubles = await doctor.troubles({ keys, billing: '' });
  const asked = await doctor.requests();

  expect(troubles).toStrictEqual([
    'broken Org acme, key: ORG_TOKENS has a billing service account token for it, which opens no org → put the key of a service account of org acme into ORG_TOKENS, and the billing token into BILLING_TOKEN',
  ]);
  expect(asked.filter(({ caller }) => caller !== undefined && caller !== null)).toStrictEqual([]);
});

test('the injected token of a workload is sent to no billing path', async () => {
  const keys = { acme: '$SVC_TOKEN' };
  const injected = 'sandbox-workload-x';
  await doctor.troubles({ keys, injected, token: 'svc-bsat-sandbox-expired' });
  const asked = await doctor.requests();
  const own = asked.filter(({ caller }) => caller?.kind === 'workload');

  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ path }) => path.startsWith('/billing'))).toStrictEqual([]);
});

test('watches that cannot be read are left out, and the other findings stay', async () => {
  const findings = await doctor.examine({ watched: 'unknown' });

  expect(findings.find(({ what }) => what === 'Org acme, usage')?.state).toBe('well');
  expect(findings.some(({ what }) => what.startsWith('Watch'))).toBe(false);
});

test('a GVC and a workload that are watched and not there are reported', async () => {
  const watched = [
    { org: 'acme', gvc: 'shopp' },
    { org: 'acme', gvc: 'shop', workload: 'cartt' },
    { org: 'acme', gvc: 'shop', workload: 'cart' },
  ];
  const troubles = await doctor.troubles({ watched });

  expect(troubles).toStrictEqual([
    'broken Watch of acme/shopp: there is no GVC shopp in org acme → correct the name in WATCHES, or type /deployments unwatch shopp org acme where it is watched',
    'doubtful Watch of acme/shop/cartt: no location reports this workload → check the name in the watch; a new workload is reported within minutes',
  ]);
});

test('a platform at which no one listens is reported once, not for every key', async () => {
  const address = 'http://127.0.0.1:1';
  const troubles = await doctor.troubles({ api: address, usage: address, keys: BOTH_ORGS });

  expect(troubles).toStrictEqual([
    'broken API_URL: nothing listens at 127.0.0.1:1 → check the host and the port in API_URL, and that the platform is up',
    'broken USAGE_URL: nothing listens at 127.0.0.1:1 → check the host and the port in USAGE_URL, and that the platform is up',
  ]);
});

test('a platform that fails is reported once for each address', async () => {
  await doctor.control('faults', { faults: [{ status: 500 }] });
  const troubles = await doctor.troubles({ keys: BOTH_ORGS });

  expect(troubles.map((one) => one.split(':')[0])).toStrictEqual([
    'broken API_URL',
    'broken USAGE_URL',
    'broken BILLING_URL',
  ]);
  expect(troubles[0]).toMatch(/fails \(status 500\) → run \/purser doctor again in a minute/);
});

test('one failure between answers is no finding', async () => {
  await doctor.control('faults', { faults: [{ status: 503, times: 1 }] });

  expect(await doctor.troubles()).toStrictEqual([]);
});

test('an address that leads elsewhere is not followed, and gets no key', async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const troubles = await doctor.troubles({ api: `http://127.0.0.1:${port}` });
  elsewhere.close();

  expect(troubles[0]).toMatch(/^broken API_URL: it redirects \(status 301\)/);
  expect(seen).toStrictEqual([undefined]);
});
