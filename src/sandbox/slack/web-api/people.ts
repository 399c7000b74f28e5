import { userObject } from '../api-shapes.ts';
import type { Json } from '../json.ts';
import { type Person, type UsergroupSeed, TEAM } from '../seed.ts';
import { ApiFailure, type Call, type Methods } from './call.ts';
import { pageByOrder, withCursor } from './paging.ts';

const shown = (call: Call, person: Person): Json =>
  userObject(person, {
    directory: call.workspace.directory,
    now: call.workspace.clock.now(),
    withEmail: call.hasScope('users:read.email'),
  });

function info(call: Call): Json {
  const person = call.workspace.directory.person(call.args.required('user'));
  if (!person) throw new ApiFailure('user_not_found');
  return { user: shown(call, person) };
}

function lookupByEmail(call: Call): Json {
  const person = call.workspace.directory.personByEmail(call.args.required('email'));
  if (!person || call.workspace.directory.isStranger(person)) {
    throw new ApiFailure('users_not_found');
  }
  return { user: shown(call, person) };
}

function list(call: Call): Json {
  const { directory, clock } = call.workspace;
  const ours = directory.people.filter((person) => !directory.isStranger(person));
  const page = pageByOrder(ours, call.args);
  const users = page.items.map((person) => shown(call, person));
  return withCursor({ members: users, cache_ts: Math.floor(clock.now() / 1000) }, page);
}

function groupObject({ id, handle, name, users }: UsergroupSeed, withUsers: boolean): Json {
  return {
    id,
    team_id: TEAM.id,
    is_usergroup: true,
    is_external: false,
    name,
    handle,
    description: '',
    date_delete: 0,
    user_count: users.length,
    ...(withUsers && { users }),
  };
}

function groups(call: Call): Json {
  const withUsers = call.args.flag('include_users');
  return {
    usergroups: call.workspace.directory.usergroups.map((group) => groupObject(group, withUsers)),
  };
}

function groupUsers(call: Call): Json {
  const id = call.args.required('usergroup');
  const group = call.workspace.directory.usergroups.find((one) => one.id === id);
  if (!group) throw new ApiFailure('no_such_subteam');
  return { users: group.users };
}

export const peopleMethods: Methods = {
  'users.info': { token: 'bot', scope: 'users:read', run: info },
  'users.lookupByEmail': { token: 'bot', scope: 'users:read.email', run: lookupByEmail },
  'users.list': { token: 'bot', scope: 'users:read', run: list },
  'usergroups.list': { token: 'bot', scope: 'usergroups:read', run: groups },
  'usergroups.users.list': { token: 'bot', scope: 'usergroups:read', run: groupUsers },
};
