import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { code } from '../../../../src/slack/kit/text.ts';
import type { ActionContext, Answer, Revelation } from '../../../../src/slack/routing/routes.ts';
import { until } from '../../../support/until.ts';
import { gate, openSlackHarness } from '../harness.ts';

const offer: Answer = {
  blocks: [],
  buttons: [button({ action: 'reveal', text: 'Reveal', value: 'change-1' })],
};

/** A person's button with a secret behind it, of a shape that no scrub knows. */
async function offered(
  more: {
    take?: (context: ActionContext, give: () => Revelation) => Promise<Revelation>;
    shown?: () => Promise<void>;
  } = {},
) {
  const secret = randomBytes(24).toString('hex');
  const events: string[] = [];
  const note = (event: string) => () => {
    events.push(event);
    return Promise.resolve();
  };
  const give = (): Revelation => {
    events.push('taken');
    return {
      title: 'The token',
      blocks: [section(code(secret)), section(code('top-secret'))],
      shown: more.shown ?? note('shown'),
      lost: note('lost'),
    };
  };
  const made = await openSlackHarness({
    level: 'trace',
    answer: () => Promise.resolve(offer),
    reveals: [
      {
        actionId: 'reveal',
        title: 'Token',
        take: (context) => more.take?.(context, give) ?? Promise.resolve(give()),
      },
    ],
  });
  return { ...made, secret, events, answer: await made.ask() };
}

const ended = (events: string[]) =>
  until('an end', () => events.includes('shown') || events.includes('lost'));

describe('a secret', () => {
  it('is shown as it is in a modal that was opened before, and that is written down', async () => {
    const slow = gate();
    const { press, answer, view, secret, events } = await offered({
      async take(_, give) {
        await slow.passed;
        return give();
      },
    });

    await press(answer, 'Reveal');
    const reading = await view('a first word', (_, text) => text.includes('Reading …'));
    slow.open();
    const shown = await view('the secret', (_, text) => text.includes(secret));
    await ended(events);

    expect(shown).toMatchObject({ id: reading.id, title: 'The token' });
    // A secret that the scrub knows is not hidden here, either: the person asked for it.
    expect(JSON.stringify(shown.blocks)).toContain('top-secret');
    expect(events).toEqual(['taken', 'shown']);
  });

  it.each([
    ['is shown', []],
    ['cannot be shown', [{ method: 'views.update', kind: 'error', error: 'invalid_arguments' }]],
    ['is refused by something between', [{ method: 'views.update', kind: 'http', status: 502 }]],
    ['is shown with a broken line', [{ method: 'views.update', kind: 'reset-after' }]],
    ['comes at a busy time', [{ method: 'views.update', kind: 'ratelimit' }]],
  ])('that %s is in no log, at the finest level', async (_, trouble) => {
    const { press, answer, secret, events, faults, lines, messages } = await offered();
    await faults(...trouble.map((one) => ({ ...one, times: 2 })));

    await press(answer, 'Reveal');
    await ended(events);

    // The log does have the lines of Slack's library about other requests.
    expect(lines()).toContain('http request body');
    expect(lines()).not.toContain(secret);
    expect(JSON.stringify(await messages())).not.toContain(secret);
  });

  it('is shown although the line broke once', async () => {
    const { press, answer, view, secret, events, faults } = await offered();
    await faults({ method: 'views.update', kind: 'reset-before', times: 1 });

    await press(answer, 'Reveal');
    await view('the secret', (_, text) => text.includes(secret));
    await ended(events);

    expect(events).toEqual(['taken', 'shown']);
  });

  it('that Slack does not confirm is lost, and can no longer be read', async () => {
    const { press, answer, view, secret, events, faults } = await offered();
    await faults({ method: 'views.update', kind: 'reset-after', times: 2 });

    await press(answer, 'Reveal');
    const left = await view('the sentence', (_, text) => text.includes('counts as lost'));

    expect(JSON.stringify(left.blocks)).not.toContain(secret);
    expect(events).toEqual(['taken', 'lost']);
  });

  it('whose window was closed is lost', async () => {
    const slow = gate();
    const { press, answer, view, closeView, events, lines, requests } = await offered({
      async take(_, give) {
        await slow.passed;
        return give();
      },
    });
    await press(answer, 'Reveal');

    await closeView(await view('a first word', () => true));
    slow.open();
    await ended(events);

    expect(events).toEqual(['taken', 'lost']);
    await until('the last word', async () => (await requests('views.update')).length === 2);
    expect(lines()).not.toContain('"level":"error"');
  });

  it('is not touched when Slack does not open the window, and the person hears it', async () => {
    const { press, answer, faults, untilMessage, events } = await offered();
    await faults({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });

    await press(answer, 'Reveal');
    const said = await untilMessage('a sentence', ({ ts }) => ts !== answer.ts);

    expect(said.text).toContain('did not open the window in time: please click again');
    expect(events).toEqual([]);
  });

  it('that is gone says so in the window', async () => {
    const { press, answer, view, events } = await offered({
      take: () => Promise.reject(new Refusal('This token was shown already.')),
    });

    await press(answer, 'Reveal');
    const said = await view('the sentence', (_, text) => text.includes('was shown already'));

    expect(said.title).toBe('Token');
    expect(events).toEqual([]);
  });

  it('is not taken from its window by a second click, which is answered', async () => {
    const slow = gate();
    const { press, answer, view, untilMessage, secret, events, requests } = await offered({
      async take(_, give) {
        await slow.passed;
        return give();
      },
    });

    await press(answer, 'Reveal');
    await view('a first word', (_, text) => text.includes('Reading …'));
    await press(answer, 'Reveal');
    const said = await untilMessage('a sentence', ({ ts }) => ts !== answer.ts);
    slow.open();
    await view('the secret', (_, text) => text.includes(secret));

    expect(said.text).toContain('is being shown already');
    expect(events.filter((event) => event === 'taken')).toHaveLength(1);
    expect(await requests('views.open')).toHaveLength(1);
  });

  it('that was shown, although that could not be written down, stays in its window', async () => {
    const { press, answer, view, secret, lines } = await offered({
      shown: () => Promise.reject(new Error('the store is away')),
    });

    await press(answer, 'Reveal');
    await until('a line', () => lines().includes('was not written down'));
    await view('the secret', (_, text) => text.includes(secret));

    expect(lines()).toContain('the store is away');
  });
});
