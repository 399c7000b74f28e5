import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHANNEL, openMovable, WEST } from './movable.ts';

let movable: Awaited<ReturnType<typeof openMovable>>;

beforeAll(async () => {
  movable = await openMovable();
});

afterAll(() => movable?.close());

// In a file of its own: Slack's requests are as old as the real clock says, so it comes before any other
// moves the time.
it('a mute ends by itself, and its held-back messages are posted as one', async () => {
  const line = '/deployments mute 30m shop/checkout';
  const answer = await movable.world.command('U0DANA', CHANNEL, line);
  expect(answer.text).toContain('Muted in');
  const place = { location: WEST, seconds: 60_000 };
  await movable.act('sicken', 'checkout', place);
  await movable.later(20);
  expect(await movable.reported(CHANNEL, 'acme/shop/checkout')).toEqual([]);
  await movable.later(11);

  const [summary, ...others] = await movable.reported(CHANNEL, '@mute');
  expect(others).toEqual([]);
  expect(summary?.covers).toEqual(['acme/shop/checkout/42/unhealthy']);
  expect(summary?.text).toMatch(
    /While \S+ was muted: 1 message · Hurt now: shop\/checkout Partial outage \(aws-us-west-2\)/,
  );
  const { blocks } = await movable.world.message(CHANNEL, '@mute/1');
  expect(JSON.stringify(blocks)).toMatch(/shop\/checkout v42 unhealthy in aws-us-west-2/);
  expect(await movable.reported(CHANNEL, 'acme/shop/checkout')).toEqual([]);
});
