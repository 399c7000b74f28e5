import type { FastifyInstance } from 'fastify';

import { body, percentOrNull } from '../control-schema.ts';
import type { Metering } from './metering.ts';

const YOUNG = body({ percent: percentOrNull });

/** What a test does to what was metered, under `/_sandbox`. */
export function registerMeteringControl(app: FastifyInstance, metering: Metering): void {
  app.post<{ Body: { percent: number | null } }>(
    '/young',
    { schema: { body: YOUNG } },
    async ({ body }) => {
      metering.tellYoung(body.percent ?? undefined);
      return { ok: true };
    },
  );
}
