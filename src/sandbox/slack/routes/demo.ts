import type { FastifyInstance } from 'fastify';
import { asJson, parseJson } from '../json.ts';

/** The page's controls of the processes of the demo. */
export interface DemoControls {
  /** Why Redis is not restarted from here; absent: it can be. */
  readonly redisStays?: string;
  restart(what: 'worker' | 'redis'): Promise<void>;
}

/** `POST /page/demo/restart` `{what}`: answered once it runs again. */
export function registerDemo(server: FastifyInstance, demo: DemoControls): void {
  server.post('/page/demo/restart', async (request) => {
    const { what } = asJson(parseJson(String(request.body)));
    if (what === 'redis' && demo.redisStays !== undefined) {
      return { ok: false, error: demo.redisStays };
    }
    await demo.restart(what === 'redis' ? 'redis' : 'worker');
    return { ok: true };
  });
}
