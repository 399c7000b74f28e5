import type { Button } from '@slack/types';
import { createDeploymentsFeature } from '../../../src/features/deployments/feature.ts';
import type { DeploymentsFeatureDeps } from '../../../src/features/deployments/feature.ts';
import { Refusal } from '../../../src/lib/refusal.ts';
import { splitWords } from '../../../src/lib/words.ts';
import type { Message } from '../../../src/notify/message.ts';
import type { Deployment } from '../../../src/platform/deployments/deployment.ts';
import { EMPTY_STATE } from '../../../src/rollouts/engine/advance.ts';
import type { GvcState } from '../../../src/rollouts/engine/advance.ts';
import { NO_PULSE } from '../../../src/rollouts/gvc-store.ts';
import { CARD_ACTIONS } from '../../../src/rollouts/messages/card-actions.ts';
import { createMutes } from '../../../src/rollouts/mutes.ts';
import { createWatches } from '../../../src/rollouts/watches.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import type { Answer, ModalContent } from '../../../src/slack/routes.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { NOON } from '../rollouts/platform-json.ts';

const ADA = { userId: 'U0ADA', teamId: 'T1' };
export const OPS = 'C0OPS';

/** As much of Redis as hashes take. */
function hashes(): RedisConnection {
  const all = new Map<string, Record<string, string>>();
  const of = (key: string): Record<string, string> => {
    const hash = all.get(key) ?? {};
    all.set(key, hash);
    return hash;
  };
  const redis = {
    hgetall: (key: string) => Promise.resolve({ ...of(key) }),
    hset(key: string, field: string, value: string) {
      const isNew = of(key)[field] === undefined;
      of(key)[field] = value;
      return Promise.resolve(Number(isNew));
    },
    hdel(key: string, ...fields: string[]) {
      const there = fields.filter((field) => of(key)[field] !== undefined);
      for (const field of there) delete of(key)[field];
      return Promise.resolve(there.length);
    },
  };
  return redis as unknown as RedisConnection;
}

interface Setting {
  /** Made by the environment. */
  configured?: readonly Watch[];
  deployments?: readonly Deployment[];
  /** What the watch engine knows of every GVC. */
  state?: GvcState;
  over?: Partial<DeploymentsFeatureDeps>;
}

/** `/deployments` between pretended rooms, of which only Redis and the platform remember something. */
export function createDeployments({ configured = [], ...setting }: Setting = {}) {
  const asked: string[] = [];
  const signals: unknown[] = [];
  const told: Message[] = [];
  let now = NOON;
  const keys = createKeys('test');
  const redis = hashes();
  const watches = createWatches({ redis, keys, configured });
  const mutes = createMutes({ redis, keys });
  const note = (what: string) => () => {
    asked.push(what);
    return Promise.resolve();
  };
  const read = (...words: unknown[]) => {
    signals.push((words.at(-1) as { signal?: unknown }).signal);
    const list = { unreadable: [], unidentified: 0 };
    return Promise.resolve({ ...list, deployments: [...(setting.deployments ?? [])] });
  };
  const stopping = new AbortController().signal;
  const deps: Partial<DeploymentsFeatureDeps> = {
    client: { listGvc: read, listWorkload: read, get: read } as never,
    orgs: { known: ['acme', 'beta'], fallback: 'acme' },
    requireOrgAccess: () => Promise.resolve(),
    readGvc: () => Promise.resolve(setting.state ?? EMPTY_STATE),
    readPulse: () => Promise.resolve({ ...NO_PULSE, at: NOON }),
    isMember: () => Promise.resolve(true),
    hasMember: () => Promise.resolve(true),
    watches,
    mutes,
    undisturbed: (_, work) => work(),
    outbox: {
      commit(messages) {
        told.push(...messages);
        return Promise.resolve([...new Set(messages.map(({ channel }) => channel))]);
      },
    },
    wake: (channels) => note(`wake ${channels.join(' ')}`)(),
    watchesChanged: note('changed'),
    pollSoon: (org, gvc) => note(`poll ${org}/${gvc}`)(),
    clock: { now: () => now },
    stopping,
    ...setting.over,
  };
  const feature = createDeploymentsFeature(deps as DeploymentsFeatureDeps);
  const click = async (
    actionId: string,
    value: string | undefined,
    channelId: string | undefined = OPS,
  ): Promise<Answer | undefined> => {
    const action = feature.actions?.find((one) => one.actionId === actionId);
    if (action === undefined) throw new Error(`nobody answers ${actionId}`);
    return action.run({ person: ADA, channelId, value });
  };
  const open = (value: string | undefined, actionId: string = CARD_ACTIONS.details) => {
    const modal = feature.modals?.find((one) => one.actionId === actionId);
    return modal?.load({ person: ADA, channelId: OPS, value });
  };
  return {
    asked,
    signals,
    told,
    stopping,
    watches,
    mutes,
    pass(ms: number) {
      now += ms;
    },
    async type(text: string, channelId = OPS): Promise<Answer> {
      const split = splitWords(text);
      const [command] = feature.commands ?? [];
      if ('problem' in split || command === undefined) throw new Error('cannot be typed');
      return command.run({ person: ADA, channelId, words: split.words });
    },
    click,
    open,
    /** What takes the place of an answer when its button is pressed. */
    async press(answer: Answer, label: string): Promise<Answer> {
      const { action_id: action = '', value } = buttonOf(answer, label);
      const pressed = await click(action, value);
      if (pressed === undefined) throw new Error(`${label} answers nothing`);
      return pressed;
    },
    /** The modal that a button opens, or what it becomes by a button in it. */
    async openWith(shown: Buttoned, label: string): Promise<ModalContent> {
      const { action_id: action, value } = buttonOf(shown, label);
      const modal = await open(value, action);
      if (modal === undefined) throw new Error(`${label} opens nothing`);
      return modal;
    },
  };
}

type Buttoned = Pick<Answer, 'controls' | 'buttons'>;

function pressable({ controls = [], buttons = [] }: Buttoned): Button[] {
  return [...controls.flat(), ...buttons].filter((one): one is Button => one.type === 'button');
}

/** What the buttons of an answer or a modal are called. */
export function buttonsOf(shown: Buttoned): string[] {
  return pressable(shown).map(({ text }) => text.text);
}

function buttonOf(shown: Buttoned, label: string): Button {
  const found = pressable(shown).find(({ text }) => text.text === label);
  if (found === undefined) throw new Error(`There is no button ${label}`);
  return found;
}

/** Everything that an answer says. */
export function wordsOf(answer: Answer | undefined): string {
  return JSON.stringify(answer?.blocks ?? []);
}

export const nobodyMay = {
  requireOrgAccess: () => Promise.reject(new Refusal('This is open to one user group only.')),
};
