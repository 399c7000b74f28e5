import { fileObject, viewObject } from '../api-shapes.ts';
import { problemLine } from '../block-check.ts';
import { completeState, inputErrors, type State } from '../element-state.ts';
import { asJson, asText, isJson, objectsOf, type Json } from '../json.ts';
import type { ViewCloseRequest, ViewSubmitAnswer, ViewSubmitRequest } from '../page-protocol.ts';
import type { Person } from '../seed.ts';
import type { View } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import { openView } from './action.ts';
import { actorOf, interactionBase } from './payload.ts';

const TROUBLE = 'We had some trouble connecting. Try again?';

/** The page knows files by id only; the app gets the whole file objects. */
function withFiles(workspace: Workspace, state: State): State {
  for (const held of Object.values(state).flatMap((block) => Object.values(block))) {
    if (!Array.isArray(held['files'])) continue;
    held['files'] = objectsOf(held['files']).flatMap(({ id }) => {
      const file = workspace.files.find(asText(id) ?? '');
      return file ? [fileObject(file, workspace.baseUrl())] : [];
    });
  }
  return state;
}

/** Field errors of the app, when each belongs to an input block of the view. */
function fieldErrors(view: View, value: unknown): Record<string, string> | undefined {
  const inputs = new Set(
    view.blocks.filter(({ type }) => type === 'input').map((block) => block.block_id),
  );
  const entries = Object.entries(asJson(value));
  const fits = entries.every(([id, text]) => inputs.has(id) && typeof text === 'string');
  return fits && entries.length > 0 ? (asJson(value) as Record<string, string>) : undefined;
}

/** `update` and `push`: undefined when done, else the errors of the view that the app sent. */
function showNext(workspace: Workspace, view: View, answer: Json): string | undefined {
  const next = answer['view'];
  if (!isJson(next) || next['type'] !== 'modal') return 'the answer has no modal';
  const [problem] = workspace.checker.view(next);
  if (problem) return problemLine(problem, '/view');
  if (answer['response_action'] === 'push') {
    return workspace.views.push(view.user, next) ? undefined : 'push_limit_reached';
  }
  workspace.views.update(view, next);
  return undefined;
}

function follow(workspace: Workspace, view: View, answer: Json): ViewSubmitAnswer {
  const { views, hub } = workspace;
  const failed = (reason: string): ViewSubmitAnswer => {
    hub.notify(view.user, { type: 'failure', text: reason });
    return { ok: false, error: TROUBLE };
  };
  if (!views.find(view.id)) return { ok: true };
  switch (answer['response_action']) {
    case undefined:
      views.close(view, false);
      return { ok: true };
    case 'clear':
      views.close(view, true);
      return { ok: true };
    case 'errors': {
      const errors = fieldErrors(view, answer['errors']);
      if (!errors) return failed('The errors of the app do not belong to inputs of this view.');
      hub.notify(view.user, { type: 'view_errors', view_id: view.id, errors });
      return { ok: true, errors };
    }
    case 'update':
    case 'push': {
      const problem = showNext(workspace, view, answer);
      return problem ? failed(problem) : { ok: true };
    }
    default:
      return failed('invalid_response_action');
  }
}

/** A person pressed the submit button of a modal. */
export async function submitView(
  workspace: Workspace,
  request: ViewSubmitRequest,
): Promise<ViewSubmitAnswer> {
  const person = actorOf(workspace, request.user);
  const view = openView(workspace, person, request.view_id);
  view.state = withFiles(workspace, completeState(view.blocks, request.values));
  const errors = inputErrors(view.blocks, view.state);
  if (Object.keys(errors).length > 0) return { ok: true, errors };
  const payload: Json = {
    type: 'view_submission',
    ...interactionBase(person),
    trigger_id: workspace.triggers.issue(person.id),
    view: viewObject(view),
    response_urls: [],
  };
  const answer = await workspace.delivery.deliver({ kind: 'interaction', payload });
  return answer.ok ? follow(workspace, view, answer.body) : { ok: false, error: TROUBLE };
}

function notifyClosed(workspace: Workspace, person: Person, view: View, cleared: boolean) {
  return workspace.delivery.deliver({
    kind: 'interaction',
    payload: {
      type: 'view_closed',
      ...interactionBase(person),
      view: viewObject(view),
      is_cleared: cleared,
    },
  });
}

/** A person closed a modal; the app is reported where the view asked for it. */
export async function closeView(workspace: Workspace, request: ViewCloseRequest): Promise<void> {
  const person = actorOf(workspace, request.user);
  const view = openView(workspace, person, request.view_id);
  const clear = request.clear || view.frame['clear_on_close'] === true;
  const closed = workspace.views.close(view, clear);
  const reported = closed.filter((one) => one.frame['notify_on_close'] === true);
  await Promise.all(reported.map((one) => notifyClosed(workspace, person, one, clear)));
}
