import type { FastifyInstance } from 'fastify';
import { commandPayload } from '../acts/command.ts';
import type { Skew } from '../delivery/delivery.ts';
import { asJson, asList, asText, objectsOf, parseJson, type Json } from '../json.ts';
import type { Message } from '../messages.ts';
import { BOT_USER, type Sharing } from '../seed.ts';
import type { Dispatcher } from '../web-api/dispatch.ts';
import type { Fault, Faults } from '../web-api/faults.ts';
import type { Workspace } from '../workspace.ts';

/** A message as tests read it. */
function controlMessage(message: Message): Json {
  const { channel, ts, order, user, byApp, text, blocks, metadata, threadTs, edits } = message;
  return {
    channel,
    ts,
    order,
    user,
    by_app: byApp,
    text,
    blocks,
    metadata: metadata ?? null,
    thread_ts: threadTs ?? null,
    broadcast: message.broadcast,
    ephemeral_to: message.ephemeralTo ?? null,
    files: message.files.map(({ id, name, title }) => ({ id, name, title })),
    edited: message.editedTs !== undefined,
    deleted: message.deleted,
    edit_count: edits.length,
    edits,
  };
}

const bodyOf = (body: unknown): Json =>
  asJson(parseJson(Buffer.isBuffer(body) ? String(body) : ''));

interface ControlDeps {
  readonly workspace: Workspace;
  readonly dispatcher: Dispatcher;
  readonly faults: Faults;
}

/** `/_sandbox/*`: what tests look at and switch. JSON in, JSON out. */
export function registerControl(server: FastifyInstance, deps: ControlDeps): void {
  registerObservation(server, deps);
  registerSwitches(server, deps);
  registerApp(server, deps);
  registerPeople(server, deps);
  registerDate(server);
  registerRedelivery(server, deps);
}

function registerObservation(
  server: FastifyInstance,
  { workspace, dispatcher }: ControlDeps,
): void {
  server.get<{ Querystring: { channel?: string } }>('/_sandbox/messages', (request) => {
    const { channel } = request.query;
    const messages = workspace.messages
      .all()
      .filter((message) => channel === undefined || message.channel === channel);
    return { messages: messages.map(controlMessage) };
  });
  server.get('/_sandbox/requests', () => ({ requests: dispatcher.records }));
  server.delete('/_sandbox/requests', () => {
    dispatcher.records.length = 0;
    return { ok: true };
  });
  server.get('/_sandbox/deliveries', () => ({ deliveries: workspace.delivery.records() }));
}

function registerSwitches(server: FastifyInstance, { workspace, faults }: ControlDeps): void {
  server.get('/_sandbox/faults', () => ({ faults: faults.list() }));
  server.post('/_sandbox/faults', (request) => {
    const { faults: list, seed } = bodyOf(request.body);
    faults.replace(objectsOf(list) as unknown as Fault[], Number(seed ?? 1));
    return { ok: true };
  });
  // A workspace that does not have these blocks yet; `surfaces`: private, message, home.
  server.post('/_sandbox/refuse-blocks', (request) => {
    const { types, surfaces } = bodyOf(request.body);
    workspace.refusals.set(asList(types).map(String), asList(surfaces).map(String));
    return { ok: true };
  });
  server.post('/_sandbox/request-url', (request) => {
    workspace.delivery.setRequestUrl(asText(bodyOf(request.body)['url']));
    return { ok: true };
  });
  for (const [path, change] of [
    ['leave', (members: Set<string>, user: string) => members.delete(user)],
    ['join', (members: Set<string>, user: string) => members.add(user)],
  ] as const) {
    server.post(`/_sandbox/${path}`, (request, reply) => {
      const { channel: name, user } = bodyOf(request.body);
      const channel = workspace.directory.resolveChannel(asText(name) ?? '');
      if (!channel) return reply.code(404).send({ ok: false, error: 'channel_not_found' });
      change(channel.members, asText(user) ?? BOT_USER);
      workspace.hub.publish(() => true, { type: 'channels_changed' });
      return { ok: true };
    });
  }
  server.post('/_sandbox/disconnect', (request) => {
    const reason = asText(bodyOf(request.body)['reason']) ?? 'refresh_requested';
    workspace.socketMode.disconnect(reason);
    return { ok: true };
  });
}

const SHARINGS: readonly Sharing[] = ['external', 'pending', 'org'];

/** The actions of a workspace admin: on channels, and on the rights of the app. */
function registerApp(server: FastifyInstance, { workspace, dispatcher }: ControlDeps): void {
  server.post('/_sandbox/archive', (request, reply) => {
    const { channel: name, archived } = bodyOf(request.body);
    const channel = workspace.directory.resolveChannel(asText(name) ?? '');
    if (!channel) return reply.code(404).send({ ok: false, error: 'channel_not_found' });
    channel.archived = archived !== false;
    workspace.hub.publish(() => true, { type: 'channels_changed' });
    return { ok: true };
  });
  // `sharing`: external, pending or org; absent: the channel is the workspace's own again.
  server.post('/_sandbox/share', (request, reply) => {
    const { channel: name, sharing } = bodyOf(request.body);
    const channel = workspace.directory.resolveChannel(asText(name) ?? '');
    if (!channel) return reply.code(404).send({ ok: false, error: 'channel_not_found' });
    const wanted = SHARINGS.find((one) => one === sharing);
    if (sharing !== undefined && wanted === undefined) {
      return reply.code(400).send({ ok: false, error: 'invalid_sharing' });
    }
    channel.sharing = wanted;
    return { ok: true };
  });
  // Everybody can read and write the bot's metadata.
  server.post('/_sandbox/copy', (request) => {
    const body = bodyOf(request.body);
    const { ts } = workspace.messages.post({
      channel: asText(body['channel']) ?? '',
      user: asText(body['user']) ?? 'U0BEN',
      byApp: false,
      text: asText(body['text']) ?? '',
      blocks: [],
      metadata: asJson(body['metadata']),
      threadTs: asText(body['thread_ts']),
    });
    return { ok: true, ts };
  });
  server.post('/_sandbox/scopes', (request) => {
    dispatcher.withhold(asList(bodyOf(request.body)['without']).map(String));
    return { ok: true };
  });
}

/** Actions of people on their own accounts. */
function registerPeople(server: FastifyInstance, { workspace }: ControlDeps): void {
  server.post('/_sandbox/email-confirmed', (request) => {
    const { user, confirmed } = bodyOf(request.body);
    const { unconfirmed } = workspace.directory;
    if (confirmed === false) unconfirmed.add(asText(user) ?? '');
    else unconfirmed.delete(asText(user) ?? '');
    return { ok: true };
  });
  server.post('/_sandbox/teams', (request) => {
    const { user, teams } = bodyOf(request.body);
    workspace.directory.teams.set(asText(user) ?? '', asList(teams).map(String));
    return { ok: true };
  });
  server.post('/_sandbox/zone', (request) => {
    const { user, zone } = bodyOf(request.body);
    workspace.directory.zones.set(asText(user) ?? '', asText(zone) ?? '');
    return { ok: true };
  });
}

/** The Date header of every answer: this far ahead of the clock of the machine. */
function registerDate(server: FastifyInstance): void {
  let aheadMs = 0;
  server.post('/_sandbox/date', (request) => {
    aheadMs = Number(bodyOf(request.body)['aheadSeconds'] ?? 0) * 1_000;
    return { ok: true };
  });
  server.addHook('onSend', async (_request, reply) => {
    if (aheadMs !== 0) reply.header('date', new Date(Date.now() + aheadMs).toUTCString());
  });
}

function registerRedelivery(server: FastifyInstance, { workspace }: ControlDeps): void {
  const { delivery } = workspace;
  server.post('/_sandbox/replay', async (_request, reply) => {
    const answer = await delivery.replay();
    if (!answer) return reply.code(409).send({ ok: false, error: 'nothing_was_sent' });
    return { ok: true, answer };
  });
  server.post('/_sandbox/retries', async () => ({ ok: true, sent: await delivery.runRetries() }));
  server.post('/_sandbox/raw-delivery', async (request) => {
    const body = bodyOf(request.body);
    const payload = commandPayload(workspace, {
      user: asText(body['user']) ?? 'U0ADA',
      channel: asText(body['channel']) ?? 'C0DEPLOYS',
      text: asText(body['text']) ?? '/purser help',
    });
    const timestampSkew = Number(body['timestampSkew'] ?? 0);
    const skew = { ...body, timestampSkew } as Skew;
    return { ok: true, answer: await delivery.raw({ kind: 'command', payload }, skew) };
  });
}
