import { SOCKET_PATH } from '../delivery/socket-mode.ts';
import { asJson, type Json } from '../json.ts';
import { BOT_ID, BOT_USER, TEAM } from '../seed.ts';
import { ApiFailure, invalidArguments, type Call, type Methods } from './call.ts';

function authTest({ workspace }: Call): Json {
  return {
    url: `${workspace.baseUrl()}/`,
    team: TEAM.name,
    user: workspace.directory.person(BOT_USER)?.name,
    team_id: TEAM.id,
    user_id: BOT_USER,
    bot_id: BOT_ID,
    is_enterprise_install: false,
  };
}

function openConnection({ workspace }: Call): Json {
  const address = workspace.baseUrl().replace(/^http/, 'ws');
  return { url: address + SOCKET_PATH + workspace.socketMode.ticket() };
}

/** Takes exactly one of `blocks`, `message` and `view`. */
function validateBlocks({ args, workspace }: Call): Json {
  const given = (['blocks', 'message', 'view'] as const).filter((name) => args.has(name));
  const [kind] = given;
  if (given.length !== 1 || !kind) {
    throw invalidArguments('[ERROR] provide exactly one of blocks, view, or message');
  }
  const value = args.json(kind);
  const { checker } = workspace;
  const problems =
    kind === 'view'
      ? checker.view(value)
      : checker.blocks(kind === 'blocks' ? value : asJson(value)['blocks'], 'message');
  if (problems.length > 0) throw new ApiFailure(`invalid_${kind}`, { errors: problems });
  return {};
}

export const appMethods: Methods = {
  'auth.test': { token: 'bot', run: authTest },
  'apps.connections.open': { token: 'app', run: openConnection },
  'blocks.validate': { token: 'none', run: validateBlocks },
};
