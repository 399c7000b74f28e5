import type { FastifyInstance } from 'fastify';

import { body, number } from './control-schema.ts';

/** The Date header of every answer, which may be reported to differ from the clock of the machine. */
export interface DateHeader {
  /** To be called before the routes that it is for are there. */
  install(app: FastifyInstance): void;
  registerControl(control: FastifyInstance): void;
}

export function createDateHeader(): DateHeader {
  let aheadMs = 0;
  return {
    install(app) {
      app.addHook('onSend', async (_request, reply) => {
        if (aheadMs !== 0) reply.header('date', new Date(Date.now() + aheadMs).toUTCString());
      });
    },
    registerControl(control) {
      const schema = { body: body({ aheadSeconds: number(-1e9) }) };
      control.post<{ Body: { aheadSeconds: number } }>('/date', { schema }, async (request) => {
        aheadMs = request.body.aheadSeconds * 1_000;
        return { ok: true };
      });
    },
  };
}
