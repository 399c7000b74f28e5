import { describe, expect, it } from 'vitest';
import { linkButtons } from '../../../../src/slack/kit/blocks.ts';
import { tidy } from '../../../../src/slack/kit/text.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile, runs } from '../hostile.ts';

const START = Date.UTC(2026, 10, 22, 10, 0, 0, 999);
const ALL = {
  org: 'acme',
  gvc: 'shop',
  workload: 'cart',
  location: 'aws-eu-central-1',
  version: 12,
  start: START,
  end: START + 3_600_000,
};

type Values = Parameters<typeof linkButtons>[1];

const urls = (template: string, values: Values = ALL): (string | undefined)[] =>
  linkButtons([{ name: 'Logs', template }], values).map(({ url }) => url);

describe('the button of a link', () => {
  it('has the name of the link, and the values in its address, times in UTC to the second', () => {
    const template =
      'https://logs.example.com/{org}/{gvc}/{workload}/{location}?v={version}&from={start}&to={end}#{gvc}';
    expect(linkButtons([{ name: 'Its logs', template }], ALL)).toMatchObject([
      {
        type: 'button',
        text: { text: 'Its logs' },
        url: 'https://logs.example.com/acme/shop/cart/aws-eu-central-1?v=12&from=2026-11-22T10%3A00%3A00Z&to=2026-11-22T11%3A00%3A00Z#shop',
      },
    ]);
  });

  it('is omitted when a placeholder has no value, or none that an address can hold', () => {
    const template = 'https://logs.example.com/{workload}/x?from={start}';
    const { workload: _, ...withoutWorkload } = ALL;

    expect(urls(template)).toHaveLength(1);
    expect(urls(template, withoutWorkload)).toEqual([]);
    expect(urls('https://logs.example.com/{gvc}', withoutWorkload)).toHaveLength(1);
    for (const workload of [undefined, '', '\u0000', '.', '..', '.\u200B.']) {
      expect(urls(template, { ...ALL, workload })).toEqual([]);
    }
    for (const start of [undefined, NaN, 9e15]) {
      expect(urls(template, { ...ALL, start })).toEqual([]);
    }
  });

  it('is not there for a placeholder that no one knows, or an address that Slack would not take', () => {
    expect(urls('https://logs.example.com/{pod}')).toEqual([]);
    expect(urls('https://logs.example.com/{constructor}')).toEqual([]);
    expect(urls('javascript:{gvc}')).toEqual([]);
    expect(urls(`https://logs.example.com/${'{workload}'.repeat(20)}`)).toHaveLength(1);
    expect(
      urls(`https://logs.example.com/${'{workload}'.repeat(20)}`, {
        ...ALL,
        workload: 'w'.repeat(150),
      }),
    ).toEqual([]);
  });

  it('is one action with all the others, each with an id of its own in a row', () => {
    const links = ['Logs', 'Metrics', 'Traces'].map((name) => ({
      name,
      template: name === 'Metrics' ? 'https://a.example/{pod}' : 'https://a.example/{gvc}',
    }));

    const ids = linkButtons(links, ALL).map(({ action_id: id }) => id ?? '');

    expect(ids).toEqual(['link#1', 'link#2']);
  });
});

it('no value leaves its part of the address, and none changes the host', () => {
  const template =
    'https://logs.example.com:8443/a/{org}/b/{gvc}{workload}/c?q={location}&r=1#frag={org}';
  const filled = fc.oneof(
    hostile,
    fc.webUrl(),
    fc.string({ unit: fc.constantFrom('.', '/', '%') }),
  );
  fc.assert(
    fc.property(filled, filled, filled, filled, (org, gvc, workload, location) => {
      const [url] = urls(template, { org, gvc, workload, location });
      if (url === undefined) return;
      const { protocol, host, username, password, pathname, searchParams, hash } = new URL(url);

      expect([protocol, host, username, password]).toEqual([
        'https:',
        'logs.example.com:8443',
        '',
        '',
      ]);
      expect(pathname.split('/').map(decodeURIComponent)).toEqual([
        '',
        'a',
        tidy(org),
        'b',
        tidy(gvc) + tidy(workload),
        'c',
      ]);
      expect([...searchParams]).toEqual([
        ['q', tidy(location)],
        ['r', '1'],
      ]);
      expect(decodeURIComponent(hash)).toBe(`#frag=${tidy(org)}`);
    }),
    runs,
  );
});
