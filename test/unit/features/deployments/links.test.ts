import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { deployment, ready } from '../../rollouts/platform-json.ts';
import { createDeployments } from './harness.ts';

const LINKS = [
  { name: 'Logs', template: 'https://logs.example/{org}/{gvc}/{workload}?from={start}&to={end}' },
  { name: 'Map', template: 'https://map.example/{gvc}?at={end}' },
  { name: 'Place', template: 'https://place.example/{gvc}/{location}' },
  { name: 'Version', template: 'https://version.example/{gvc}@{version}' },
];

/** Where the buttons with an address lead, by their labels. */
function linksOf({ buttons = [] }: Pick<Answer, 'buttons'>): Record<string, string> {
  return Object.fromEntries(
    buttons.flatMap(({ text, url }) => (url === undefined ? [] : [[text.text, url]])),
  );
}

it('links of a workload lead to its last hour and its newest version, from its details too', async () => {
  const two = [deployment(ready(11)), deployment(ready(12), { location: 'lima' })];
  const harness = createDeployments({ deployments: two, links: LINKS });

  const built = await harness.type('shop/cart');

  const links = {
    Logs: 'https://logs.example/acme/shop/cart?from=2026-10-05T11%3A00%3A00Z&to=2026-10-05T12%3A00%3A00Z',
    Map: 'https://map.example/shop?at=2026-10-05T12%3A00%3A00Z',
    Version: 'https://version.example/shop@12',
  };
  expect(linksOf(built)).toEqual(links);
  expect(linksOf(await harness.openWith(built, 'Details'))).toEqual(links);
});

it('links to a version are absent while none is reported, and all where there is nothing', async () => {
  const unreported = createDeployments({ deployments: [deployment(undefined)], links: LINKS });
  const nothing = createDeployments({ links: LINKS });

  expect(Object.keys(linksOf(await unreported.type('shop/cart')))).toEqual([
    'Logs',
    'Map',
    'Place',
  ]);
  expect(linksOf(await nothing.type('shop/cart'))).toEqual({});
  expect(linksOf((await nothing.open('acme/shop/cart'))!)).toEqual({});
});
