import type { WebClient } from '@slack/web-api';
import type { Secret } from '../../lib/secret.ts';
import type { Check, Finding } from './check.ts';
import { broken, well } from './findings.ts';
import { slackFailure } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';
import {
  judgeAppToken,
  judgeBotToken,
  judgeScopes,
  judgeSigningSecret,
  slackTokenKind,
} from './slack-judge.ts';
import type { WhoAmI } from './slack-judge.ts';

interface WayIn {
  readonly connected: boolean;
  /** Of HTTP mode. */
  readonly port?: number | undefined;
}

export interface SlackCheckDeps {
  readonly client: WebClient;
  readonly botToken: Secret;
  readonly mode:
    | { readonly mode: 'http'; readonly signingSecret: Secret }
    | { readonly mode: 'socket'; readonly appToken: Secret };
  /** How Slack reaches this process now; undefined: it does not listen to Slack. */
  readonly connection: () => WayIn | undefined;
}

/** The tokens, what Slack says about them, their scopes, and the way in. */
export function createSlackCheck(deps: SlackCheckDeps): Check {
  return {
    area: 'Slack',
    async look() {
      const answer = await whoAmI(deps.client);
      return [
        judgeBotToken(slackTokenKind(deps.botToken), answer),
        ...('kind' in answer ? [] : judgeScopes(answer.scopes)),
        ...judgeWayIn(deps),
      ];
    },
  };
}

async function whoAmI(client: WebClient): Promise<WhoAmI | SlackFailure> {
  try {
    const {
      bot_id: bot,
      user = '?',
      team = '?',
      response_metadata: about,
    } = await client.auth.test();
    return { bot: Boolean(bot), user, team, scopes: about?.scopes };
  } catch (error) {
    return slackFailure(error);
  }
}

function judgeWayIn({ mode, connection }: SlackCheckDeps): Finding[] {
  const now = connection();
  const secrets =
    mode.mode === 'http'
      ? judgeSigningSecret(slackTokenKind(mode.signingSecret))
      : judgeAppToken(slackTokenKind(mode.appToken));
  return [...secrets, ...(now === undefined ? [] : [judgeConnection(mode.mode, now)])];
}

/** How Slack reaches the bot. In HTTP mode only whoever asks shows that requests arrive. */
export function judgeConnection(mode: 'http' | 'socket', { connected, port }: WayIn): Finding {
  const what = 'Connection';
  if (mode === 'socket') {
    if (connected) return well(what, 'Socket Mode, open');
    return broken(
      what,
      'the socket to Slack is not open',
      'check SLACK_APP_TOKEN and its scope connections:write, and that this machine reaches wss-primary.slack.com',
    );
  }
  if (connected) return well(what, port === undefined ? 'HTTP' : `HTTP, port ${port} is open`);
  return broken(
    what,
    'Purser does not listen for Slack’s requests',
    'check PORT, and start Purser anew',
  );
}
