import type { Chart } from '../../../src/reporting/chart.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { splitWords } from '../../../src/lib/text.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { createReportsHere, rememberInteractions, reportsHere } from '../../support/reports.ts';
import { startBilling } from '../platform/billing/support.ts';
import { typeWords } from '../../support/command.ts';

const ada = { userId: 'U1', teamId: 'T1' };

/** An answer as a person reads it: texts, and the table's cells. */
export interface Read {
  readonly answer: Answer;
  readonly text: string;
  readonly rows: string[][];
}

function read(answer: Answer): Read {
  const blocks = answer.blocks as { type: string; rows?: { text: string }[][] }[];
  const table = blocks.find(({ type }) => type === 'table');
  const rows = (table?.rows ?? []).map((row) => row.map(({ text }) => text));
  return { answer, text: JSON.stringify(answer.blocks), rows };
}

interface Pressable {
  action_id?: string;
  style?: string;
  value?: string;
  options?: { value?: string; text: { text: string } }[];
}

/** What stands below an answer. */
export function controlsOf({ controls = [], buttons = [] }: Answer): Pressable[] {
  return [...controls.flat(), ...buttons] as Pressable[];
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
        who.isReader ? undefined : `You need one of ${roles.join(', ')}.`,
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

  async function ask(text: string): Promise<Read> {
    const split = splitWords(text);
    if ('problem' in split) throw new Error(split.problem);
    const [route] = feature.commands ?? [];
    if (!route) throw new Error('there is no command');
    return read(await typeWords(route, split.words, { person: ada, channelId: 'C1' }));
  }

  async function act(action: string, value: string | undefined): Promise<Read> {
    const route = feature.actions?.find(({ actionId }) => actionId === action);
    const answer = await route?.run({ person: ada, channelId: 'C1', value });
    if (!answer) throw new Error(`${action} answers nothing`);
    return read(answer);
  }

  /** Presses a button of an answer, which has to be there. */
  async function press({ answer }: Read, action: string): Promise<Read> {
    const found = controlsOf(answer).find(({ action_id: id }) => id === action);
    if (!found) throw new Error(`there is no button ${action}`);
    return act(action, found.value);
  }

  return { ...standing, client, feature, who, files, charts, ask, act, press };
}
