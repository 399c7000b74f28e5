import { viewObject } from '../api-shapes.ts';
import { findElement } from '../block-rules.ts';
import { completeState } from '../element-state.ts';
import type { Block, Json } from '../json.ts';
import type { ActionRequest, Container } from '../page-protocol.ts';
import type { Person } from '../seed.ts';
import type { View } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import {
  ActRefused,
  actorOf,
  channelOf,
  interactionBase,
  payloadChannelName,
  payloadMessage,
} from './payload.ts';

/** Where an element was used, and what the payload says about that place. */
interface Place {
  readonly blocks: readonly Block[];
  readonly describe: (state: unknown) => Json;
  readonly responseUrl?: () => string;
}

/** An open view of this person. Throws ActRefused. */
export function openView({ views }: Workspace, person: Person, id: string): View {
  const view = views.find(id);
  if (!view || view.user !== person.id) throw new ActRefused('view_not_found');
  return view;
}

function viewPlace(workspace: Workspace, person: Person, viewId: string): Place {
  const view = openView(workspace, person, viewId);
  return {
    blocks: view.blocks,
    describe(state) {
      view.state = completeState(view.blocks, state);
      return { container: { type: 'view', view_id: view.id }, view: viewObject(view) };
    },
  };
}

function messagePlace(
  workspace: Workspace,
  person: Person,
  container: Exclude<Container, { type: 'view' }>,
): Place {
  const channel = channelOf(workspace, person, container.channel);
  const message = workspace.messages.find(channel.id, container.ts, person.id);
  if (!message) throw new ActRefused('message_not_found');
  const isEphemeral = message.ephemeralTo !== undefined;
  return {
    blocks: message.blocks,
    describe: (state) => ({
      container: {
        type: 'message',
        message_ts: message.ts,
        channel_id: channel.id,
        is_ephemeral: isEphemeral,
        ...(message.threadTs && { thread_ts: message.threadTs }),
      },
      channel: { id: channel.id, name: payloadChannelName(channel) },
      ...(!isEphemeral && { message: payloadMessage(workspace, message) }),
      state: { values: completeState(message.blocks, state) },
    }),
    responseUrl: () =>
      workspace.baseUrl() +
      workspace.responseUrls.issue({
        channel: channel.id,
        user: person.id,
        original: { ts: message.ts },
      }),
  };
}

function placeOf(workspace: Workspace, person: Person, container: Container): Place {
  return container.type === 'view'
    ? viewPlace(workspace, person, container.view_id)
    : messagePlace(workspace, person, container);
}

function elementAt(place: Place, request: ActionRequest): Json {
  const element = findElement(place.blocks, request.block_id, request.action_id);
  if (!element) throw new ActRefused('This element is no longer there.');
  return element;
}

/** A button sends what the bot put into it; everything else sends what the person chose. */
function actionObject(element: Json, request: ActionRequest, at: string): Json {
  const ids = { action_id: request.action_id, block_id: request.block_id, action_ts: at };
  if (element['type'] !== 'button') return { ...request.element, type: element['type'], ...ids };
  const { text, value, style, url } = element;
  return { type: 'button', text, value, style, url, ...ids };
}

/** A person pressed a button or chose something. */
export async function runAction(workspace: Workspace, request: ActionRequest): Promise<void> {
  const person = actorOf(workspace, request.user);
  const place = placeOf(workspace, person, request.container);
  const element = elementAt(place, request);
  const payload: Json = {
    type: 'block_actions',
    ...interactionBase(person),
    ...place.describe(request.state),
    trigger_id: workspace.triggers.issue(person.id),
    ...(place.responseUrl && { response_url: place.responseUrl() }),
    actions: [actionObject(element, request, workspace.ids.timestamp())],
  };
  const answer = await workspace.delivery.deliver({ kind: 'interaction', payload });
  if (answer.ok) return;
  const { container } = request;
  workspace.hub.notify(person.id, {
    type: 'failure',
    text: `The app did not answer: ${answer.reason}`,
    ...(container.type !== 'view' && { channel: container.channel }),
  });
}
