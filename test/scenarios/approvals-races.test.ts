import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOpen } from '../../src/changes/change.ts';
import { cardOf, decide, isEndOf, request, writes } from '../support/approvals.ts';
import { readChange, slackCalls, tokensThere } from '../support/changes-raw.ts';
import { userOf, type User } from '../support/user.ts';
import type { Form } from '../support/modal.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const APPROVALS = 'C0APPROVE';
const SECRET = /svc-bsat-\w+/;
/** How often each race is run, since it is lost once in a while; more of them by RACE_ROUNDS. */
const LENGTH = Number(process.env['RACE_ROUNDS'] ?? 3);
const ROUNDS = Array.from({ length: LENGTH }, (_, round) => [round + 1] as const);

describe('several people at the same moment', () => {
  let world: World;
  let ada: User;
  let ben: User;
  let cleo: User;

  beforeAll(async () => {
    world = await openWorld();
    await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
    cleo = userOf(world, 'U0CLEO');
    await world.platform('users', { email: 'cleo@acme.example', roles: ['billing_admin'] });
    await world.platform('auth-cache/clear', {});
  });

  afterAll(() => world?.close());

  const sentSoFar = async (): Promise<number> => (await writes(world)).length;
  /** A request like no other. */
  const alert = (amount: number) => ({ command: `/alert set ${amount}` });
  const ended = (id: string): Promise<string> =>
    until(`an end of ${id}`, async () => {
      const { state } = await readChange(world, id);
      const isOver = !isOpen({ state });
      return isOver && (await cardOf(world, id, state)) && state;
    });

  /** Approves; gives the answer to the person. */
  const approve = (who: User, review: Form) => who.answer(() => who.submit(review), APPROVALS);

  /** The request, and its review as two others have it open. */
  async function reviewed(amount: number) {
    const id = await request(world, ada, alert(amount));
    const card = await cardOf(world, id);
    const [bens, cleos] = await Promise.all([
      ben.openBy(card, 'Review'),
      cleo.openBy(card, 'Review'),
    ]);
    return { id, card, bens, cleos };
  }

  it.each(ROUNDS)('two approve: one of them does, once (%d)', async (round) => {
    const before = await sentSoFar();
    const { id, bens, cleos } = await reviewed(1000 + round);

    const both = [() => approve(ben, bens), () => approve(cleo, cleos)];
    // Each of them is the first one every other time.
    const reported = await Promise.all(
      (round % 2 === 0 ? both : both.toReversed()).map((act) => act()),
    );

    expect(await ended(id)).toBe('succeeded');
    expect(await sentSoFar()).toBe(before + 1);
    expect(reported.filter(({ text }) => text.startsWith('Approved:'))).toHaveLength(1);
    const { decision } = await readChange(world, id);
    const [loser] = reported.filter(({ text }) => !text.startsWith('Approved:'));
    expect(loser?.text).toContain(`approved already by ${decision?.by?.email}`);
  });

  it.each(
    ROUNDS.flatMap(([round]) => [
      { round, rival: 'a rejection', state: 'rejected', word: 'Rejected:' },
      { round, rival: 'a withdrawal', state: 'withdrawn', word: 'Withdrawn:' },
    ]),
  )('an approval and $rival: one of them counts ($round)', async ({ round, state, word }) => {
    const before = await sentSoFar();
    const isRejection = state === 'rejected';
    const { id, card, bens, cleos } = await reviewed((isRejection ? 2000 : 3000) + round);
    const rejection = await cleo.pushed(cleos, 'Reject...');

    const [approval, other] = await Promise.all([
      approve(ben, bens),
      isRejection
        ? cleo.answer(() => cleo.submit(rejection), APPROVALS)
        : ada.answer(() => ada.press(card, 'Withdraw'), APPROVALS),
    ]);

    const end = await ended(id);
    const isApproved = approval.text.startsWith('Approved:');
    expect(other.text.startsWith(word)).toBe(!isApproved);
    expect(end).toBe(isApproved ? 'succeeded' : state);
    expect(await sentSoFar()).toBe(before + (isApproved ? 1 : 0));
  });

  it('the requester withdraws in the review, and another review of it is over', async () => {
    const { id, card, bens } = await reviewed(6000);
    const own = await ada.openBy(card, 'Review');
    expect(own.view.submit).toBeUndefined();

    await ada.pressIn(own, 'Withdraw');

    const shown = await ada.modal(({ text }) => text.includes('Withdrawn: '));
    expect(shown.view.id).toBe(own.view.id);
    await ada.close(shown);
    expect((await approve(ben, bens)).text).toContain('was withdrawn');
    expect(await ended(id)).toBe('withdrawn');
  });

  it.each(ROUNDS)('one submits a review twice: it is one decision (%d)', async (round) => {
    const before = await sentSoFar();
    const { id, bens } = await reviewed(4000 + round);

    const twice = () => ben.submit(bens);
    // The second click can come when the window is gone already: then nothing is sent at all.
    await ben.answer(() => Promise.allSettled([twice(), twice()]), APPROVALS);

    expect(await ended(id)).toBe('succeeded');
    expect(await sentSoFar()).toBe(before + 1);
  });

  it.each(ROUNDS)('two ask for the same: there is one request (%d)', async (round) => {
    const amount = 5000 + round;
    const [adas, bens] = [
      await ada.open(`/alert set ${amount}`),
      await ben.open(`/alert set ${amount}`),
    ];

    const reported = await Promise.all([
      ada.answer(() => ada.submit(adas)),
      ben.answer(() => ben.submit(bens)),
    ]);

    expect(reported.filter(({ text }) => text.includes('requested already'))).toHaveLength(1);
    const cardsOf = async () =>
      (await world.messages(APPROVALS)).filter(
        ({ text, ephemeral_to: to }) =>
          to === null && text.includes(`$5,${String(amount).slice(1)}`),
      );
    const [card] = await until('a card', async () => {
      const cards = await cardsOf();
      return cards.length > 0 && cards;
    });
    const [, id = ''] = /\/(\w+)\/card$/.exec(card?.metadata?.event_payload.key ?? '') ?? [];
    const [winner] = (await readChange(world, id)).requester.userId === ada.user ? [ada] : [ben];
    await winner?.press(await cardOf(world, id), 'Withdraw');
    await cardOf(world, id, 'withdrawn');
    expect(await cardsOf()).toHaveLength(1);
  });

  it.each(ROUNDS)(
    'one reveals a secret twice: it is shown once, and never again (%d)',
    async (round) => {
      const name = `twice-${round}`;
      const id = await request(world, ada, {
        command: '/billing tokens create',
        entries: { Name: name, Roles: ['billing_viewer'] },
      });
      await decide(world, ben, { id, decision: 'Approve' });
      const reported = await until('the secret to be offered', async () =>
        (await ada.direct()).find((message) => isEndOf(message, id)),
      );
      /** Has a button Reveal that no one takes away. */
      const old = await ada.ask(`/changes show ${id}`);
      const before = (await slackCalls(world)).length;

      await Promise.all([ada.press(reported, 'Reveal'), ada.press(reported, 'Reveal')]);

      const shown = await ada.modal(({ text }) => SECRET.test(text));
      await ada.close(shown);
      /** The calls that held the secret. */
      const reporting = async () =>
        (await slackCalls(world)).slice(before).filter((call) => SECRET.test(JSON.stringify(call)));
      expect((await reporting()).map(({ method }) => method)).toEqual(['views.update']);
      expect((await tokensThere(world)).map((token) => token.name)).toContain(name);
      await until(
        'the secret to be noted as shown',
        async () => (await readChange(world, id)).secret?.state === 'revealed',
      );
      const late = await ada.openBy(old, 'Reveal');
      expect(late.text).toContain('revealed already');
      await ada.close(late);
      expect(await reporting()).toHaveLength(1);
    },
  );
});
