import type { FastifyInstance } from 'fastify';

/** The built page. */
export interface PageAssets {
  readonly html: string;
  readonly js: string;
  readonly css: string;
}

const FALLBACK: PageAssets = {
  html: '<!doctype html><title>Sandbox</title><p>This workspace runs without a page.</p>',
  js: '',
  css: '',
};

/** Serves the page at `/`; permalinks lead to it as well. It is built on the first visit. */
export function registerAssets(
  server: FastifyInstance,
  pageScript: (() => Promise<PageAssets>) | undefined,
): void {
  let built: Promise<PageAssets> | undefined;
  const assets = () => (built ??= pageScript?.() ?? Promise.resolve(FALLBACK));
  for (const path of ['/', '/archives/*']) {
    server.get(path, async (_request, reply) => {
      const { html } = await assets();
      return reply.type('text/html; charset=utf-8').send(html);
    });
  }
  server.get('/page.js', async (_request, reply) => {
    const { js } = await assets();
    return reply.type('text/javascript; charset=utf-8').send(js);
  });
  server.get('/page.css', async (_request, reply) => {
    const { css } = await assets();
    return reply.type('text/css; charset=utf-8').send(css);
  });
}

/** Passes the panel's requests on to the control interface of the stand-in platform. */
export function registerPlatformProxy(server: FastifyInstance, platformUrl: string): void {
  server.all<{ Params: { '*': string } }>('/page/platform/*', async (request, reply) => {
    const query = new URL(request.url, 'http://localhost').search;
    const target = new URL(`/_sandbox/${request.params['*']}${query}`, platformUrl);
    const hasBody = Buffer.isBuffer(request.body);
    try {
      const response = await fetch(target, {
        method: request.method,
        ...(hasBody && {
          body: new Uint8Array(request.body as Buffer),
          headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
        }),
      });
      const type = response.headers.get('content-type') ?? 'application/json';
      return await reply
        .code(response.status)
        .type(type)
        .send(await response.text());
    } catch {
      return reply.code(502).send({ ok: false, error: 'The platform does not answer.' });
    }
  });
}
