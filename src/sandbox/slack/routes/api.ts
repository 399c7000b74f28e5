import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { respond } from '../acts/respond.ts';
import { mimeType } from '../files.ts';
import { isJson, parseJson } from '../json.ts';
import { ApiFailure, readArgs, tokenOf } from '../web-api/call.ts';
import type { Dispatcher } from '../web-api/dispatch.ts';
import type { Workspace } from '../workspace.ts';

interface Params {
  readonly Params: Readonly<Record<string, string>>;
}

/** An upload arrives as raw bytes, or as the one file of a form. */
async function uploadedBytes(request: FastifyRequest): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const headers = { 'content-type': type };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const [file] = [...form.values()].filter((value) => typeof value !== 'string');
  return file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
}

/** The endpoints for the app: the Web API, uploads, downloads and response_urls. */
export function registerApi(
  server: FastifyInstance,
  deps: { workspace: Workspace; dispatcher: Dispatcher; botToken: string },
): void {
  const { workspace, dispatcher, botToken } = deps;

  server.all<Params>('/api/:method', async (request, reply) => {
    const type = request.headers['content-type'] ?? '';
    try {
      const raw = await readArgs(request.query, request.body, type);
      const token = tokenOf(request.headers.authorization, raw);
      const answer = await dispatcher.call(request.params['method'] ?? '', raw, token);
      if (answer.reset) {
        request.raw.socket.destroy();
        return await reply.hijack();
      }
      return await reply.code(answer.status).headers(answer.headers).send(answer.body);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return reply.send({ ok: false, error: error.code });
    }
  });

  server.post<Params>('/upload/v1/:id', async (request, reply) => {
    const file = workspace.files.find(request.params['id'] ?? '');
    if (!file || file.complete) return reply.code(404).send('file_not_found');
    const bytes = await uploadedBytes(request);
    if (file.length !== undefined && bytes.length !== file.length) {
      return reply
        .code(400)
        .send(`The length is ${bytes.length}, and ${file.length} was announced.`);
    }
    file.bytes = bytes;
    return reply.send(`OK - ${bytes.length}`);
  });

  server.get<Params>('/files-pri/:key/:name', (request, reply) => {
    if (tokenOf(request.headers.authorization, {}) !== botToken) {
      return reply.code(403).send('The token is missing or wrong.');
    }
    const [, id = ''] = (request.params['key'] ?? '').split('-');
    return sendFile(workspace, id, reply);
  });

  server.post<Params>('/response/:key', (request, reply) => {
    const target = workspace.responseUrls.use(request.params['key'] ?? '');
    if ('error' in target) return reply.code(404).send({ ok: false, error: target.error });
    const body = parseJson(String(request.body));
    if (!isJson(body)) return reply.code(400).send({ ok: false, error: 'invalid_payload' });
    try {
      respond(workspace, target, body);
      return reply.send('ok');
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return reply.code(400).send({ ok: false, error: error.code, ...error.details });
    }
  });
}

/** The bytes of a shared or uploaded file. */
export function sendFile(workspace: Workspace, id: string, reply: FastifyReply): FastifyReply {
  const file = workspace.files.find(id);
  if (!file?.bytes) return reply.code(404).send('file_not_found');
  return reply.type(mimeType(file.name)).send(file.bytes);
}
