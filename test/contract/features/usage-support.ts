import type { Button } from '@slack/types';
import { Refusal } from '../../../src/lib/errors.ts';
import type { OrgCharges } from '../../../src/platform/billing/charges.ts';
import { splitWords } from '../../../src/lib/text.ts';
import type {
  ActionContext,
  Answer,
  FormContent,
  FormRoute,
  FormValues,
  Person,
} from '../../../src/slack/routing/routes.ts';
import { createReportsHere } from '../../support/reports.ts';
import { startMetering, startUsageClient } from '../platform/consumption/support.ts';
import { bearer } from '../platform/support.ts';
import { typeWords } from '../../support/command.ts';

export const ORGS = ['acme', 'globex', 'initech'];
export const ANN: Person = { userId: 'U-ANN', teamId: 'T-1' };
export const BOB: Person = { userId: 'U-BOB', teamId: 'T-1' };

interface Settings {
  /** Orgs whose key the platform refuses. */
  readonly locked?: readonly string[];
  readonly isOff?: true;
  /** The chargeable items, where billing is on. */
  readonly catalogue?: Pick<OrgCharges, 'chargeableItems' | 'knownItems'> | undefined;
}

/** `/usage` on a stand-in at 2026-10-15T12:00Z, without Slack: what people ask, and what they get. */
export async function startUsage({ locked = [], isOff, catalogue }: Settings = {}) {
  const metering = await startMetering();
  const { platform } = metering;
  const usage = startUsageClient(platform.usageUrl, {
    credentialOf: (org) => bearer(locked.includes(org) ? 'wrong' : platform.tokens[org]),
    now: () => platform.clock.now(),
  });
  const strangers = new Set<string>();
  const { usage: feature, files } = createReportsHere({
    usage: () => {
      if (isOff) throw new Refusal('/usage is off.');
      return usage;
    },
    ...(catalogue && { config: { billing: {} }, billing: () => ({ charges: catalogue }) }),
    orgs: { known: ORGS, fallback: undefined },
    access: {
      requireOrgAccess: ({ userId }: Person) =>
        strangers.has(userId) ? Promise.reject(new Refusal('Not for you.')) : Promise.resolve(),
    },
    clock: platform.clock,
  });
  const [command] = feature.commands ?? [];
  const [route] = feature.forms;
  if (command === undefined || route === undefined) throw new Error('the feature is not whole');

  return {
    ...metering,
    files,
    lockOut: ({ userId }: Person) => strangers.add(userId),
    ask: (line: string): Promise<Answer> => {
      const split = splitWords(line);
      if ('problem' in split) throw new Error(split.problem);
      return typeWords(command, split.words, { person: ANN, channelId: 'C-1' });
    },
    press: async (answer: Answer, text: string, person = ANN): Promise<Answer> => {
      const { action_id: id, value } = buttonOf(answer, text);
      const route = feature.actions?.find(({ actionId }) => actionId === id);
      const shown = await route?.run({ person, channelId: 'C-1', value });
      if (shown === undefined) throw new Error(`${text} answers nothing`);
      return shown;
    },
    /** The form at each time that it is shown. */
    open: (answer: Answer) =>
      open(route, { person: ANN, channelId: 'C-1', value: buttonOf(answer, 'Customize').value }),
    submit: (content: FormContent, values: FormValues) => submit(route, content, values),
  };
}

async function open(form: FormRoute, clicked: ActionContext): Promise<FormContent[]> {
  const shown: FormContent[] = [];
  await form.fill(clicked, (content) => Promise.resolve(void shown.push(content)));
  return shown;
}

async function submit(form: FormRoute, { state }: FormContent, values: FormValues) {
  const verdict = await form.submit({ person: ANN, values, state });
  if ('errors' in verdict) throw new Error(JSON.stringify(verdict.errors));
  const answer = await verdict.answer();
  if (answer === undefined) throw new Error('the form answers nothing');
  return answer;
}

export function buttonsOf({ controls = [], buttons = [] }: Answer): Button[] {
  return [...controls.flat(), ...buttons].filter((one): one is Button => one.type === 'button');
}

function buttonOf(answer: Answer, text: string): Button {
  const found = buttonsOf(answer).find((button) => button.text.text === text);
  if (found === undefined) throw new Error(`there is no button ${text}`);
  return found;
}

/** The words of an answer, its table left out. */
export function textOf({ blocks }: Answer): string {
  const said = blocks as { text?: { text: string }; elements?: { text?: string }[] }[];
  return said
    .flatMap(({ text, elements = [] }) => [text?.text, ...elements.map((one) => one.text)])
    .filter((text) => text !== undefined)
    .join('\n');
}

/** The rows of the table, by the titles of its columns. */
export function rowsOf({ blocks }: Answer): Record<string, string>[] {
  const table = blocks.find((block) => block.type === 'table');
  const rows = (table?.rows ?? []).map((cells) =>
    cells.map((cell) => (cell !== null && 'text' in cell ? cell.text : '')),
  );
  const [titles = [], ...lines] = rows;
  return lines.map((line) =>
    Object.fromEntries(titles.map((title, at) => [title, line[at] ?? ''])),
  );
}
