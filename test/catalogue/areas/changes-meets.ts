import { reviewForm } from '../../../src/changes/forms/review.ts';
import { charges } from '../../unit/features/alert/scenario.ts';
import { MINUTE, modal, NOW, post, type Area } from '../entry.ts';
import { alertOf, type ExpectedState } from './changes-core-books.ts';
import { card, openChanges, pending } from './changes-core-office.ts';
import { BEN, ORDERS } from './changes-feature-data.ts';

const set = { kind: 'alert.create', amount: 500, enabled: true } as const;
const none = { alert: undefined };
const spent = (total: number) => charges({ org: 'acme', total, projected: total * 1.4 });

interface Met {
  readonly when: string;
  readonly books: Partial<ExpectedState>;
  readonly order?: typeof set | (typeof ORDERS)['alert.replace'];
}

/** The state of the month and of the alert when an alert of 500 is requested. */
const MET: Readonly<Record<string, Met>> = {
  reached: {
    when: 'This month has cost more already than the alert that is asked for.',
    books: { ...none, spend: spent(4604.1) },
  },
  'not-read': {
    when: 'The platform omits the charges of this month.',
    books: { ...none, spend: undefined },
  },
  'in-part': {
    when: 'Some charges of this month cannot be read.',
    books: { ...none, spend: { ...spent(310), skipped: 2 } },
  },
  'reached-again': {
    when: 'The alert has fired this month, and the amount that is asked for is reached, too.',
    books: { alert: alertOf({ lastTriggered: NOW - 3 * 24 * 60 * MINUTE }), spend: spent(612.4) },
    order: ORDERS['alert.replace'],
  },
};

/** The review of a request. */
async function reviewed({ books, order = set }: Omit<Met, 'when'>) {
  const office = openChanges({ books });
  const { id } = await office.ask(order);
  return reviewForm(await office.bench.review(BEN, id), BEN.userId);
}

export const changesMeet: Area = {
  id: 'changes-meet',
  title: 'Changes: warnings about an alert in its month, and the tags of an org',
  entries: [
    ...Object.entries(MET).map(([name, { when, ...met }]) =>
      modal(`review-alert-${name}`, when, () => reviewed(met)),
    ),
    post('change-card-org-create-tags', 'An org is asked for with tags.', async () =>
      card(
        await pending({
          ...ORDERS['org.create'],
          tags: { 'cost-center': '4711', note: 'a, b=c', team: 'payments' },
        }),
      ),
    ),
  ],
};
