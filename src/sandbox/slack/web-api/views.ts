import { viewObject } from '../api-shapes.ts';
import { problemLine } from '../block-check.ts';
import { asText, isJson, objectsOf, type Json } from '../json.ts';
import type { View } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import { ApiFailure, invalidArguments, type Call, type Methods } from './call.ts';

/** Throws `invalid_arguments` with every problem of the view. */
function assertView({ checker, refusals }: Workspace, view: unknown, type: View['type']): Json {
  if (!isJson(view)) throw invalidArguments('[ERROR] missing required field: view');
  if (view['type'] !== type) {
    throw invalidArguments(`[ERROR] must be a valid view type: ${type} [json-pointer:/view/type]`);
  }
  const refused = type === 'home' ? refusals.problems('home', objectsOf(view['blocks'])) : [];
  const problems = [...checker.view(view), ...refused];
  if (problems.length > 0) {
    throw invalidArguments(...problems.map((problem) => problemLine(problem, '/view')));
  }
  return view;
}

function sentView({ args, workspace }: Call, type: View['type'], current?: View): Json {
  const view = assertView(workspace, args.json('view'), type);
  const externalId = asText(view['external_id']);
  const holder = externalId ? workspace.views.findExternal(externalId) : undefined;
  if (holder && holder !== current) throw new ApiFailure('duplicate_external_id');
  return view;
}

function assertHash({ args }: Call, view: View | undefined): void {
  const hash = args.text('hash');
  if (hash !== undefined && view && hash !== view.hash) throw new ApiFailure('hash_conflict');
}

function takeTrigger({ args, workspace }: Call): string {
  const answer = workspace.triggers.take(args.required('trigger_id'));
  if ('error' in answer) throw new ApiFailure(answer.error);
  return answer.user;
}

function open(call: Call): Json {
  const view = sentView(call, 'modal');
  return { view: viewObject(call.workspace.views.open(takeTrigger(call), view)) };
}

function push(call: Call): Json {
  const source = sentView(call, 'modal');
  const user = takeTrigger(call);
  if (call.workspace.views.stack(user).length === 0) throw new ApiFailure('view_not_found');
  const view = call.workspace.views.push(user, source);
  if (!view) throw new ApiFailure('push_limit_reached');
  return { view: viewObject(view) };
}

function update(call: Call): Json {
  const { args, workspace } = call;
  const id = args.text('view_id');
  const externalId = args.text('external_id');
  const view = id
    ? workspace.views.find(id)
    : externalId && workspace.views.findExternal(externalId);
  if (!view) throw new ApiFailure('not_found');
  assertHash(call, view);
  workspace.views.update(view, sentView(call, view.type, view));
  return { view: viewObject(view) };
}

function publish(call: Call): Json {
  const { args, workspace } = call;
  const user = args.required('user_id');
  if (!workspace.directory.person(user)) throw invalidArguments('[ERROR] invalid `user_id`');
  if (!workspace.manifest.homeTab) throw new ApiFailure('not_enabled');
  const current = workspace.views.home(user);
  assertHash(call, current);
  const source = sentView(call, 'home', current);
  return { view: viewObject(workspace.views.publish(user, source)) };
}

export const viewMethods: Methods = {
  'views.open': { token: 'bot', run: open },
  'views.push': { token: 'bot', run: push },
  'views.update': { token: 'bot', run: update },
  'views.publish': { token: 'bot', run: publish },
};
