import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../../src/lib/secret.ts';
import { resolveOnOrigin } from '../../../src/platform/http.ts';
import {
  createDeploymentsClient,
  scanItems,
  scanPage,
} from '../../../src/platform/deployments/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { factsOf } from '../../../src/rollouts/outages/book.ts';
import {
  downMessage,
  moreMessage,
  overMessages,
  type Outage,
  type OutageMessage,
} from '../../../src/rollouts/outages/outage-view.ts';
import { HOUR, MINUTE, NOW, broadcast, post, reply, type Area, type Entry } from '../entry.ts';

type Failure = readonly [when: string, fail: () => unknown];

const status = (reason: PlatformError['reason'], code?: number) => (): never => {
  throw new PlatformError(reason, 'the words of the platform are not reported', { status: code });
};

/** The ways in which polls of GVCs fail: each has its own report. */
const FAILURES: Readonly<Record<string, Failure>> = {
  'platform-unavailable': ['The platform answers 503.', status('unavailable', 503)],
  'platform-server-error': ['The platform answers 500.', status('server-error', 500)],
  'platform-rate-limited': ['The platform answers 429.', status('rate-limited', 429)],
  'platform-unreachable': ['There is no connection to the platform.', status('unreachable')],
  'platform-timeout': ['The platform does not answer in time.', status('timeout')],
  'platform-malformed': ['Its answer is not a list.', () => scanPage({}, undefined, scanItems([]))],
  'platform-endless': ['The pages of its list lead round in a circle.', readEndless],
  'platform-redirected': ['It sends Purser elsewhere.', status('redirected', 302)],
  'platform-link-away': [
    'The link to the next page leads to another server.',
    () => resolveOnOrigin(new URL('https://api.example.com'), 'https://other.example.com/page-2'),
  ],
  'org-unauthorized': ['It refuses the key of an org.', status('unauthorized', 401)],
  'org-forbidden': ['The key of an org may not see the list.', status('forbidden', 403)],
  'org-unsendable': ['The key of an org cannot be sent at all.', status('bad-request')],
  missing: ['It does not know a GVC that is watched.', status('not-found', 404)],
  'gvc-conflict': ['It refuses one GVC with 409.', status('conflict', 409)],
  'gvc-bad-request': ['It refuses one GVC with 400.', status('bad-request', 400)],
  'gvc-too-large': ['The list of one GVC is too large.', tooLarge],
  purser: [
    'Purser itself has a defect.',
    () => {
      throw new TypeError('x is undefined');
    },
  ],
};

function tooLarge(): never {
  throw new PlatformError('too-large', 'the answer is larger than 33554432 bytes', { status: 200 });
}

/** A list whose page says that it is its own next one. */
async function readEndless(): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"kind":"list","items":[],"links":[{"rel":"next","href":"?page=2"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createDeploymentsClient({
    baseUrl: `http://127.0.0.1:${port}`,
    credentialOf: () => ({ kind: 'bearer', secret: new Secret('key') }),
  });
  try {
    await client.scanGvc('acme', 'shop');
  } finally {
    await client.close();
    server.close();
  }
}

const places = (...names: string[]): string[] => names.map((name) => `acme/${name}`);
const SHOP = places('shop');
const TWO = places('shop', 'data');
const TWENTY = places(
  'shop',
  'data',
  ...Array.from({ length: 18 }, (_, index) => `shop-${index + 1}`),
);

/** An outage that began some time ago. `second`: the places of a second message. */
async function outage(
  [, fail]: Failure,
  {
    all = SHOP,
    second = [] as string[],
    ...over
  }: Partial<Outage> & { all?: string[]; second?: string[] } = {},
): Promise<Outage> {
  const seats = (names: readonly string[]): Outage['posts'][number] =>
    names.map((place) => ({ place, key: `${place}/@api/down/1` }));
  const posts = second.length === 0 ? [seats(all)] : [seats(all), seats(second)];
  const since = NOW - 3 * MINUTE;
  try {
    await fail();
  } catch (error) {
    return {
      ...factsOf('acme', error),
      since,
      down: [...all, ...second],
      left: [],
      posts,
      ...over,
    };
  }
  throw new Error('nothing failed');
}

const DOWN = FAILURES['platform-unavailable'] as Failure;
const MISSING = FAILURES['missing'] as Failure;

/** @param index of the messages about the end: the edit first, then the replies */
async function over(index: number, made: Promise<Outage>): Promise<OutageMessage> {
  const message = overMessages(await made, NOW)[index];
  if (message === undefined) throw new Error('there are fewer messages');
  return message;
}

const begun: readonly Entry[] = Object.entries(FAILURES).map(([id, failure]) => {
  const all = id.startsWith('gvc') || id === 'missing' ? SHOP : TWO;
  return post(`outage-${id}`, `${failure[0]} Reported after three polls in a row.`, async () =>
    downMessage(await outage(failure, { all })),
  );
});

export const outages: Area = {
  id: 'outages',
  title: 'GVCs cannot be read: reported to those who run Purser',
  entries: [
    ...begun,
    post('outage-missing-many', 'It does not know many GVCs that are watched.', async () =>
      downMessage(await outage(MISSING, { all: TWENTY })),
    ),
    reply(
      'outage-missing-more',
      'It does not know more than one message can stand for.',
      async () => moreMessage(await outage(MISSING, { second: places('lab', 'edge') }), 1),
    ),
    post('outage-many', 'More GVCs than are named.', async () =>
      downMessage(await outage(DOWN, { all: TWENTY })),
    ),
    post(
      'outage-partly-back',
      'Some of the GVCs can be read again: the message is edited.',
      async () => downMessage(await outage(DOWN, { all: TWO, down: SHOP })),
    ),
    reply('outage-more', 'More GVCs fail than one message can stand for.', async () =>
      moreMessage(await outage(DOWN, { second: places('lab', 'edge') }), 1),
    ),
  ],
};

/** One of those that have the same title. */
const TITLES = [
  'platform-unavailable',
  'platform-rate-limited',
  'platform-unreachable',
  'platform-malformed',
  'platform-redirected',
  'org-unauthorized',
  'org-unsendable',
  'missing',
  'gvc-too-large',
  'purser',
];
const LASTED = { since: NOW - HOUR - 12 * MINUTE };

export const outagesOver: Area = {
  id: 'outages-over',
  title: 'GVCs can be read again',
  entries: [
    ...TITLES.map((id) => {
      const failure = FAILURES[id] as Failure;
      return post(`outage-over-${id}`, `It is over: the message is edited. ${failure[0]}`, () =>
        over(0, outage(failure, LASTED)),
      );
    }),
    post('outage-over-many', 'It is over for many GVCs: the message is edited.', () =>
      over(0, outage(DOWN, { ...LASTED, all: TWENTY })),
    ),
    post('outage-over-missing-many', 'Many GVCs that were not found are there again.', () =>
      over(0, outage(MISSING, { ...LASTED, all: TWENTY })),
    ),
    post('outage-over-unwatched', 'They are no longer watched, so their state is unknown.', () =>
      over(0, outage(DOWN, { ...LASTED, left: SHOP })),
    ),
    broadcast('outage-up-one', 'The GVC can be read again: reported in the channel.', () =>
      over(1, outage(DOWN, LASTED)),
    ),
    broadcast('outage-up-many', 'Many GVCs can be read again.', () =>
      over(1, outage(DOWN, { ...LASTED, all: TWENTY })),
    ),
    reply('outage-up-more', 'Of those that a second message was about, this one shows it.', () =>
      over(2, outage(DOWN, { ...LASTED, second: places('lab', 'edge') })),
    ),
  ],
};
