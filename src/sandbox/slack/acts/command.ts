import { asText, type Json } from '../json.ts';
import type { CommandRequest } from '../page-protocol.ts';
import { APP_ID, TEAM } from '../seed.ts';
import { ApiFailure } from '../web-api/call.ts';
import type { Workspace } from '../workspace.ts';
import { actorOf, channelOf, payloadChannelName, VERIFICATION_TOKEN } from './payload.ts';
import { inviteBot } from './invite.ts';
import { respond } from './respond.ts';

/** `&`, `<` and `>` reach the app as entities. */
export function encodeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Turns `@name`, `#channel` and addresses into Slack's tokens. */
export function escapeMentions(text: string, { directory }: Workspace): string {
  return text
    .replace(/(^|\s)(https?:\/\/\S+)/g, (_, before: string, url: string) => `${before}<${url}>`)
    .replace(/(^|[\s(])@([\w.-]+)/g, (whole, before: string, name: string) => {
      const person = directory.people.find(
        (one) => one.name === name.toLowerCase() && !one.deleted,
      );
      if (person) return `${before}<@${person.id}|${name}>`;
      const group = directory.usergroups.find(({ handle }) => handle === name);
      return group ? `${before}<!subteam^${group.id}|@${name}>` : whole;
    })
    .replace(/(^|[\s(])#([\w-]+)/g, (whole, before: string, name: string) => {
      const channel = directory.channels.find((one) => one.kind !== 'dm' && one.name === name);
      return channel ? `${before}<#${channel.id}|${name}>` : whole;
    });
}

/** The form fields of a slash command, as Slack posts them. */
export function commandPayload(workspace: Workspace, request: CommandRequest): Json {
  const person = actorOf(workspace, request.user);
  const channel = channelOf(workspace, person, request.channel);
  const [command = '', ...words] = request.text.trim().split(' ');
  const known = workspace.manifest.commands.find((one) => one.command === command.toLowerCase());
  const encoded = encodeEntities(words.join(' ').trim());
  const responsePath = workspace.responseUrls.issue({ channel: channel.id, user: person.id });
  return {
    token: VERIFICATION_TOKEN,
    team_id: person.team ?? TEAM.id,
    team_domain: TEAM.domain,
    channel_id: channel.id,
    channel_name: payloadChannelName(channel),
    user_id: person.id,
    user_name: person.name,
    command: known?.command ?? command,
    text: known?.shouldEscape ? escapeMentions(encoded, workspace) : encoded,
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: workspace.baseUrl() + responsePath,
    trigger_id: workspace.triggers.issue(person.id),
  };
}

/** Runs a command that a person typed and shows its result. */
export async function runCommand(workspace: Workspace, request: CommandRequest): Promise<void> {
  const payload = commandPayload(workspace, request);
  const command = asText(payload['command']) ?? '';
  const { user, channel } = request;
  if (/^\/invite\s+@purser$/i.test(request.text.trim())) return inviteBot(workspace, request);
  if (!workspace.manifest.commands.some((one) => one.command === command)) {
    const text = `${command} is not a valid command.`;
    workspace.hub.notify(user, { type: 'failure', text, channel });
    return;
  }
  const answer = await workspace.delivery.deliver({ kind: 'command', payload });
  if (!answer.ok) {
    const text = `${command} failed with the error "${answer.reason}"`;
    workspace.hub.notify(user, { type: 'failure', text, channel });
    return;
  }
  if (answer.body['text'] === undefined && answer.body['blocks'] === undefined) return;
  try {
    respond(workspace, { channel, user }, answer.body);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const text = `${command} failed with the error "${error.code}"`;
    workspace.hub.notify(user, { type: 'failure', text, channel });
  }
}
