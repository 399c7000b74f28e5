import { describe, expect, it } from 'vitest';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import type { Parcel } from '../../../../src/sandbox/slack/delivery/parcel.ts';
import { sendSigned, signedRequest } from '../../../../src/sandbox/slack/delivery/signed-http.ts';
import { until } from '../../../support/until.ts';
import { ADA, CHANNEL } from '../harness.ts';
import { form, isFilled, openForm } from './form-support.ts';

type Opened = Awaited<ReturnType<typeof opened>>;

/** An answer with a form, for a person whose commands and clicks are counted, and refused from `most` on. */
async function opened(most = Infinity) {
  const counted: string[] = [];
  const submitted: string[] = [];
  const made = await openForm(
    {
      fields: ['step'],
      refill: async () => form(['acme'], 'refilled'),
      submit: () => {
        submitted.push('submitted');
        return { errors: { range: 'Not yet.' } };
      },
    },
    {
      limit: async (user) => {
        counted.push(user);
        return counted.length > most ? 'Go on in 3 s.' : undefined;
      },
      home: [{ title: 'Here', rank: 1, fill: async () => [] }],
    },
  );
  return { ...made, counted, submitted };
}

/** Before the form is open, one command and one click are counted. */
async function withForm(most?: number) {
  const made = await opened(most);
  await made.press(made.answer, 'Customize');
  return { made, view: await made.view('the form', isFilled) };
}

const send = ({ requestUrl }: Opened, parcel: Parcel, secondsAgo = 0) =>
  sendSigned(
    requestUrl,
    signedRequest(parcel, CREDENTIALS.signingSecret, Math.floor(Date.now() / 1_000) - secondsAgo),
  );

describe('the limit of a person counts', () => {
  it('a command, and a click on a button', async () => {
    const { made } = await withForm();

    expect(made.counted).toEqual([ADA, ADA]);
  });

  it.each<[string, (made: Opened, view: Parameters<Opened['submit']>[0]) => Promise<unknown>]>([
    ['sending an open form', (made, view) => made.submit(view, {})],
    ['a choice in an open form', (made, view) => made.pick(view, 'step', 'day')],
    ['an opening of the home tab', ({ post }) => post('/page/home', { user: ADA, tab: 'home' })],
  ])('not %s', async (_, act) => {
    const { made, view } = await withForm();
    const before = (await made.deliveries()).length;
    await act(made, view);
    await until('its delivery', async () => (await made.deliveries()).length > before);

    expect(made.counted).toEqual([ADA, ADA]);
  });

  it.each([
    ['a search for options', 'block_suggestion', { action_id: 'orgs', value: 'ac' }],
    ['closing an open form', 'view_closed', { view: { callback_id: 'customized' } }],
  ])('not %s', async (_, type, rest) => {
    const made = await opened();
    const [user, team] = [{ id: ADA, team_id: 'T0ACME' }, { id: 'T0ACME' }];
    await send(made, { kind: 'interaction', payload: { type, user, team, ...rest } });

    expect(made.counted).toEqual([ADA]);
  });

  it('not a repeated delivery: it is acknowledged, and done once', async () => {
    const made = await opened();
    const payload = {
      command: '/charges',
      text: '',
      user_id: ADA,
      team_id: 'T0ACME',
      channel_id: CHANNEL,
      response_url: `${made.slackUrl}/commands/gone`,
      trigger_id: 'a trigger',
    };
    const retry = { number: 1, reason: 'http_timeout' };
    const first = await send(made, { kind: 'command', payload });
    const again = await send(made, { kind: 'command', payload, retry }, 1);

    expect([first.ok, again.ok]).toEqual([true, true]);
    await expect.poll(() => made.lines()).toContain('A repeated delivery was ignored');
    // The command that made the answer, and this one.
    expect(made.counted).toEqual([ADA, ADA]);
  });

  it('an open form is sent and says why even at the limit, and keeps its text', async () => {
    const { made, view } = await withForm(2);
    await made.press(made.answer, 'Customize');
    const verdict = await made.submit(view, {});

    expect(made.counted).toEqual([ADA, ADA, ADA]);
    expect(verdict).toMatchObject({ errors: { range: 'Not yet.' } });
    expect(made.submitted).toHaveLength(1);
  });
});
