import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { exitOf } from '../../src/sandbox/redis.ts';
import { freeClusterPort, startRedisServer } from './durable-redis.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/**
 * A Redis Cluster of one primary and its replica that speaks TLS alone. Its certificate is for the name `localhost`, not
 * for an address, as those of managed clusters are.
 */
export async function createTlsCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-tls-cluster-'));
  const caFile = await makeCertificate(folder);
  const ca = await readFile(caFile);
  const nodes = [await startNode(folder, ca), await startNode(folder, ca)] as const;
  const [primary, replica] = nodes;
  await primary.admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await replica.admin.cluster('MEET', '127.0.0.1', primary.port);
  const id = await primary.admin.cluster('MYID');
  await until('the nodes to know each other', async () =>
    String(await replica.admin.cluster('NODES')).includes(id),
  );
  await until('the replica to follow', () =>
    replica.admin.cluster('REPLICATE', id).then(
      () => true,
      () => false,
    ),
  );
  await until('the cluster to work and the replica to have its data', async () => {
    const [state, link] = await Promise.all([
      primary.admin.cluster('INFO'),
      replica.admin.info('replication'),
    ]);
    return state.includes('cluster_state:ok') && link.includes('master_link_status:up');
  });
  return {
    /** The authority of its certificate, a file. */
    caFile,
    port: primary.port,
    admins: [primary.admin, replica.admin] as const,
    async close(): Promise<void> {
      for (const { server, admin } of nodes) {
        admin.disconnect();
        server.kill('SIGKILL');
        await exitOf(server);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeCertificate(folder: string): Promise<string> {
  const at = (name: string): string => join(folder, name);
  const fresh = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  const authority = ['-subj', '/CN=Purser test', '-keyout', at('ca.key'), '-out', at('ca.crt')];
  await run('openssl', [...fresh, ...authority]);
  const issuer = ['-CA', at('ca.crt'), '-CAkey', at('ca.key')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const own = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  await run('openssl', [
    ...fresh,
    ...issuer,
    ...names,
    ...own,
    '-keyout',
    at('node.key'),
    '-out',
    at('node.crt'),
  ]);
  return at('ca.crt');
}

async function startNode(folder: string, ca: Buffer) {
  const port = await freeClusterPort();
  const words = [
    `--tls-ca-cert-file ${folder}/ca.crt --tls-cert-file ${folder}/node.crt`,
    `--tls-key-file ${folder}/node.key`,
    `--port 0 --tls-port ${port} --tls-auth-clients no --tls-replication yes --tls-cluster yes`,
    `--cluster-enabled yes --cluster-config-file nodes-${port}.conf`,
    '--cluster-announce-hostname localhost --cluster-preferred-endpoint-type hostname',
    `--appendfilename aof-${port} --appenddirname aof-${port} --repl-diskless-sync-delay 0`,
  ];
  const server = await startRedisServer(port, folder, words.join(' ').split(' '));
  const admin = new Redis({ host: 'localhost', port, tls: { ca }, maxRetriesPerRequest: 1 });
  admin.on('error', () => undefined);
  return { port, server, admin };
}
