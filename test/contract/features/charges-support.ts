import type { Chart } from '../../../src/reporting/chart.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { tableOf, visitorOf } from '../../support/answer.ts';
import { createReportsHere, rememberInteractions, reportsHere } from '../../support/reports.ts';
import { startBilling } from '../platform/billing/support.ts';

/** An answer as a person reads it: texts with the notes behind their button, and the table's cells with their titles. */
export type Read = ReturnType<typeof read>;

function read(answer: Answer) {
  return { answer, text: JSON.stringify([answer.blocks, answer.notes]), rows: tableOf(answer) };
}

/** `/charges` before the stand-in platform, with a store and a Slack that only remember. */
export async function startCharges(
  change: (client: BillingClient) => BillingClient = (one) => one,
) {
  const standing = await startBilling();
  const client = change(standing.client());
  const charts: Chart[] = [];
  const who = { isReader: true, isMember: false, isKept: true };
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
    interactions: rememberInteractions(() => who.isKept).interactions,
    reports: reportsHere(async (chart) => {
      charts.push(chart);
      return new Uint8Array([0x89, 0x50]);
    }),
    clock: standing.platform.clock,
  });
  const ada = visitorOf(feature, { userId: 'U1', teamId: 'T1' });
  return {
    ...standing,
    client,
    feature,
    who,
    files,
    charts,
    ask: async (text: string) => read(await ada.type(text)),
    act: async (action: string, value: string | undefined) => read(await ada.act(action, value)),
    press: async ({ answer }: Read, action: string) => read(await ada.press(answer, action)),
  };
}
