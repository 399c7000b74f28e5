import type { FastifyInstance } from 'fastify';

import { body, integer, percentOrNull } from '../control-schema.ts';
import type { Metering } from './metering.ts';

const IDLE = body({ count: integer(0) });
const YOUNG = body({ percent: percentOrNull });

/** Changes of metered quantities by a test, under `/_sandbox`. */
export function registerMeteringControl(app: FastifyInstance, metering: Metering): void {
  app.post<{ Body: { percent: number | null } }>(
    '/young',
    { schema: { body: YOUNG } },
    async ({ body }) => {
      metering.reportYoung(body.percent ?? undefined);
      return { ok: true };
    },
  );
  app.post<{ Body: { count: number } }>('/idle', { schema: { body: IDLE } }, async ({ body }) => {
    metering.reportIdle(body.count);
    return { ok: true };
  });
}
