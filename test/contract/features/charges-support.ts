import { Refusal } from '../../../src/lib/errors.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Answer, FormContent } from '../../../src/slack/routing/routes.ts';
import { controlOf, spoken, tableOf, visitorOf } from '../../support/answer.ts';
import { keptHere } from '../../support/kept.ts';
import { createReportsHere } from '../../support/reports.ts';
import { startBilling } from '../platform/billing/support.ts';

/** An answer as a person reads it: texts with the notes behind their button, the table's cells, and the spoken text. */
export type Read = ReturnType<typeof read>;

function read(answer: Answer) {
  return {
    answer,
    text: JSON.stringify([answer.blocks, answer.notes]),
    rows: tableOf(answer),
    said: spoken(answer),
  };
}

export const ADA = { userId: 'U1', teamId: 'T1' };

/** `/charges` before the stand-in platform, with a store and a Slack that only remember. */
export async function startCharges(
  change: (client: BillingClient) => BillingClient = (one) => one,
) {
  const standing = await startBilling();
  const client = change(standing.client());
  const who = { isReader: true, isMember: false };
  const kept = keptHere();
  const { charges: feature, files } = createReportsHere({
    billing: () => client,
    orgCharges: client.charges,
    orgs: { known: ['acme', 'globex', 'initech'], fallback: 'acme' },
    access: {
      roleRefusal: async (_: unknown, roles: readonly string[]) =>
        who.isReader ? undefined : new Refusal(`You need one of ${roles.join(', ')}.`),
      readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
      async requireOrgAccess() {
        if (!who.isMember) throw new Refusal('You are in no group.');
      },
    },
    kept,
    clock: standing.platform.clock,
  });
  const ada = visitorOf(feature, ADA, kept);
  return {
    ...standing,
    client,
    feature,
    who,
    files,
    ask: async (text: string) => read(await ada.type(text)),
    press: async ({ answer }: Read, name: string, by = ADA) =>
      read(await ada.press(answer, name, by)),
    group: async ({ answer }: Read, tag: string) => read(await ada.choose(answer, 'Group by', tag)),
    open: async ({ answer }: Read, row: string) => read(await ada.step(answer, row)),
    turn: async ({ answer }: Read, page: number) => read(await ada.turn(answer, page)),
    /** Chooses from the menu by the end of the words. */
    tiersOf: async ({ answer }: Read, name: string) => {
      const { options = [] } = controlOf(answer, 'Tiers of …');
      const value = options.find(({ text }) => text.text.endsWith(`· ${name}`))?.value;
      return read(await ada.choose(answer, 'Tiers of …', value));
    },
    /** The form, as often as it is shown. */
    customize: async ({ answer }: Read) => {
      const shown: FormContent[] = [];
      const answerId = await kept.answers.put(ADA.userId, answer);
      const clicked = { person: ADA, channelId: 'C1', value: undefined, answerId };
      await feature.forms[0]?.fill(clicked, async (form) => void shown.push(form));
      return shown;
    },
  };
}
