import type { FastifyInstance, FastifyRequest } from 'fastify';

import { SandboxError } from './errors.ts';

const NO_JSON = 'the body is not valid JSON';

/**
 * Reads bodies as JSON and nothing else; what cannot be read is a 400 (spec section 7). An empty
 * body counts as `empty`, whatever its content type says: a DELETE may come so.
 */
export function acceptJson(app: FastifyInstance, empty: () => unknown): void {
  const parse = (text: string): unknown => {
    if (text === '') return empty();
    try {
      return JSON.parse(text);
    } catch {
      throw new SandboxError(400, NO_JSON);
    }
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => parse(text),
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      if (text !== '')
        throw new SandboxError(400, `${NO_JSON}: it is not sent as application/json`);
      return empty();
    },
  );
}
