import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runAction } from '../acts/action.ts';
import { runCommand } from '../acts/command.ts';
import { openHome, writeMessage } from '../acts/message.ts';
import { ActRefused, actorOf, channelOf } from '../acts/payload.ts';
import { closeView, submitView } from '../acts/view.ts';
import { asText, parseJson } from '../json.ts';
import { pageFile, pageMessage } from '../page-shapes.ts';
import type { MessageList, PageEvent, UploadAnswer } from '../page-protocol.ts';
import type { Workspace } from '../workspace.ts';
import { sendFile } from './api.ts';
import { bootstrap } from './bootstrap.ts';
import type { DemoControls } from './demo.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** Lines of a server-sent event stream to one open page, until it goes away. */
function streamEvents(workspace: Workspace, user: string, reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
  });
  reply.raw.write(': connected\n\n');
  const leave = workspace.hub.subscribe(user, (event: PageEvent) => {
    reply.raw.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  reply.raw.on('close', leave);
}

function channelMessages(workspace: Workspace, query: Query): MessageList {
  const person = actorOf(workspace, query['user'] ?? '');
  const channel = channelOf(workspace, person, query['channel'] ?? '');
  const { clock, messages, reads } = workspace;
  reads.set(`${person.id} ${channel.id}`, clock.now() / 1_000);
  return { messages: messages.inChannel(channel.id).map((one) => pageMessage(messages, one)) };
}

function threadMessages(workspace: Workspace, query: Query): MessageList {
  const person = actorOf(workspace, query['user'] ?? '');
  const channel = channelOf(workspace, person, query['channel'] ?? '');
  const { messages } = workspace;
  const parent = messages.find(channel.id, query['ts'] ?? '', person.id);
  const replies = messages.replies(channel.id, query['ts'] ?? '');
  const thread = parent ? [parent, ...replies] : replies;
  return { messages: thread.map((one) => pageMessage(messages, one)) };
}

function upload(workspace: Workspace, query: Query, body: unknown): UploadAnswer {
  const person = actorOf(workspace, query['user'] ?? '');
  const file = workspace.files.create(query['name'] ?? 'file', person.id);
  file.bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  file.complete = true;
  return { ok: true, file: pageFile(file) };
}

/** The actions of people: reading, writing, commands, buttons and modals. */
export function registerPage(
  server: FastifyInstance,
  deps: { workspace: Workspace; hasPlatform: boolean; demo: DemoControls | undefined },
): void {
  const { workspace, hasPlatform: platform, demo } = deps;

  server.get('/page/bootstrap', (request) => {
    const { user = 'U0ADA', fresh } = request.query as Query;
    if (fresh !== undefined) workspace.views.forget(user);
    return bootstrap(workspace, user, { platform, demo });
  });
  server.get('/page/events', (request, reply) => {
    const person = actorOf(workspace, (request.query as Query)['user'] ?? '');
    streamEvents(workspace, person.id, reply);
  });
  server.get('/page/messages', (request) => channelMessages(workspace, request.query as Query));
  server.get('/page/thread', (request) => threadMessages(workspace, request.query as Query));
  server.post('/page/upload', (request) => upload(workspace, request.query as Query, request.body));
  server.get<{ Params: { id: string } }>('/page/files/:id/:name', (request, reply) =>
    sendFile(workspace, request.params.id, reply),
  );
  for (const [path, act] of Object.entries(actHandlers(workspace))) {
    server.post(`/page/${path}`, async (request) => {
      const answer = await act(parseJson(String(request.body)) as never);
      return answer ?? { ok: true };
    });
  }
}

function actHandlers(workspace: Workspace) {
  const bind =
    <Request, Answer>(act: (workspace: Workspace, request: Request) => Promise<Answer>) =>
    (request: Request) =>
      act(workspace, request);
  return {
    command: bind(runCommand),
    message: bind(writeMessage),
    action: bind(runAction),
    'view/submit': bind(submitView),
    'view/close': bind(closeView),
    home: bind(openHome),
  };
}

/** Refused acts are ordinary answers; the page shows the reason. */
export function answerRefusals(server: FastifyInstance): void {
  server.setErrorHandler((error, request: FastifyRequest, reply) => {
    if (error instanceof ActRefused) return reply.send({ ok: false, error: error.message });
    request.log.error(error);
    return reply.code(500).send({ ok: false, error: asText((error as Error).message) ?? '' });
  });
}
