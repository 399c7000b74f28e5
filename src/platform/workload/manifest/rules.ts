import {
  get,
  has,
  isEmptyList,
  isStated,
  isTemplate,
  itemsOf,
  lacks,
  list,
  mayBe,
  membersOf,
  nameOf,
  number,
  value,
} from '../node.ts';
import {
  MADE,
  OWN_ADDRESS,
  REFERENCES,
  allPorts,
  containers,
  countOf,
  cpuOf,
  foreignHost,
  gpuLimits,
  hasTag,
  isOff,
  isRepeated,
  isSecretPolicy,
  isUnexposed,
  isZero,
  isZoned,
  keysOf,
  lastOf,
  mebibytes,
  memoryOf,
  millicores,
  nearCondition,
  omitted,
  other,
  otherUser,
  reaches,
  scaleOf,
  secretOf,
  secretsIn,
  servesHttp,
  trimmed,
  type Rule,
  unmet,
  usesGpu,
  volumeSystem,
} from './facts.ts';

const C = 'spec.containers[]';
const REPLICAS = '{maxSurgeReplicas,maxUnavailableReplicas}';
const PROBES = '{readinessProbe,livenessProbe}';
const OPTIONS = 'spec.{defaultOptions,localOptions[]}';
const SERVING = 'serverless standard stateful unset';
const LONG = 'standard stateful';
const METRICS: Readonly<Record<string, string>> = {
  serverless: 'concurrency cpu memory rps disabled',
  standard: 'cpu memory rps latency keda disabled',
  stateful: 'cpu memory rps latency keda disabled',
};
/** A pasted part of a manifest, which has no kind, need not have a type. */
const ofType: Rule['when'] = (_, { type, document }) =>
  type === 'unset' ? has(document, 'kind') && ['without a type'] : [type];
const NO_AI = 'write `capacityAI: false`';
const BY_TAG =
  'write `600` or less, or use the tag `svc/timeoutSecondsOverride` for up to 3600 seconds';

// One line for path, severity, sentence and fix, then the condition.
// prettier-ignore
export const RULES: readonly Rule[] = [
  // The document.
  { path: 'kind', severity: 'warning', says: 'is a workload that has no `name`', fix: 'add `name`',
    when: (_, { document }) => lacks(document, 'name') && lacks(document, 'metadata.name') },
  { path: 'kind', severity: 'error', says: 'is a workload, and `spec.containers` holds no container', fix: 'add `spec.containers` with one container at least',
    when: (_, { document }) => lacks(document, 'spec.containers') },
  { path: 'kind', severity: 'note', says: 'is a workload without `spec.type`: the API makes it serverless, the command line standard', fix: 'state `spec.type`',
    when: (_, { document, type }) => type === 'unset' && has(document, 'spec.containers') },
  { path: 'kind', severity: 'note', says: 'is a workload from a plain export: `{0}` is made by the platform, and applying it may fail or show differences', fix: 'export it in the slim form, or leave out what the platform makes',
    when(_, { document }) {
      const made = membersOf(document).find(({ name }) => MADE.includes(name));
      return made !== undefined && [made.name];
    },
  },
  { path: 'apiVersion', kind: 'kubernetes', severity: 'error', says: 'is {it}, which is Kubernetes', fix: 'convert it first: a workload has `kind: workload` and its own fields' },
  { path: 'spec.{securityOptions,rolloutOptions.maxSurgeReplicas,rolloutOptions.scalingPolicy}', severity: 'error', types: 'vm', says: 'is not taken in a vm', fix: 'leave it out' },
  { path: `${C}.{image,command,args,workingDir,lifecycle,port}`, severity: 'error', types: 'vm', says: 'is not taken in a vm', fix: 'leave it out' },
  // Containers.
  { path: 'spec.containers', severity: 'error', types: 'vm', says: 'holds {0} containers, and a vm takes exactly one', fix: 'leave one',
    when: (node) => itemsOf(node).length > 1 && [itemsOf(node).length] },
  { path: C, severity: 'error', types: 'serverless standard stateful cron unset', says: 'has no `image`, which is required', fix: 'add `image`',
    when: (node) => lacks(node, 'image') },
  { path: C, severity: 'warning', says: 'has no `name`', fix: 'add `name`',
    when: (node) => lacks(node, 'name') },
  { path: `${C}.name`, severity: 'error', says: 'is {it}, and another container has that name', fix: 'give each container its own name',
    when: (node, at) => isRepeated(containers(at), node, nameOf) },
  { path: `${C}.image`, severity: 'warning', types: 'serverless standard stateful cron unset', says: 'begins with `docker.io/`, which the platform does not expect', fix: 'leave `docker.io/` out',
    when: (node) => value(node)?.startsWith('docker.io/') === true },
  { path: `${C}.{cpu,minCpu}`, severity: 'error', says: 'is {it}, and less than 25m is refused', fix: 'write `25m` or more',
    when: (node) => (millicores(node) ?? 25) < 25 },
  { path: `${C}.{memory,minMemory}`, severity: 'error', says: 'is {it}, and less than 32Mi is refused', fix: 'write `32Mi` or more',
    when: (node) => (mebibytes(node) ?? 32) < 32 },
  { path: `${C}.cpu`, severity: 'error', types: 'vm', says: 'is {it}, and a vm takes whole cores', fix: 'write a multiple of `1000m`',
    when: (node) => (millicores(node) ?? 0) % 1_000 !== 0 },
  { path: `${C}.memory`, severity: 'error', says: 'is {it}, more than {0} MiB per millicore of CPU', fix: 'raise `cpu` to `{1}m`, or lower the memory',
    when(node, at) {
      const most = hasTag(at, 'relaxMemoryToCpuRatio') ? 32 : 8;
      const [memory, cpu] = [mebibytes(node), cpuOf(at.up[0])];
      if (memory === undefined || cpu === undefined || memory / cpu <= most) return false;
      return [most, Math.ceil(memory / most)];
    },
  },
  ...(
    [
      ['minCpu', 'cpu', millicores, cpuOf, 4_000, '4000m'],
      ['minMemory', 'memory', mebibytes, memoryOf, 4_096, '4096Mi'],
    ] as const
  ).flatMap(([least, most, read, mostOf, gap, words]): Rule[] => [
    { path: `${C}.${least}`, severity: 'error', says: `is {it}, more than \`${most}\``, fix: `lower it, or raise \`${most}\``,
      when: (node, { up: [up] }) => (read(node) ?? 0) > (mostOf(up) ?? Infinity) },
    { path: `${C}.${most}`, severity: 'error', types: 'stateful', says: `is {it}, more than 4 times \`${least}\``, fix: `raise \`${least}\` to a quarter of \`${most}\` at least`,
      when: (node, { up: [up] }) => (read(node) ?? 0) > 4 * (read(up, least) ?? Infinity) },
    { path: `${C}.${most}`, severity: 'error', types: 'stateful', says: `is {it}, more than ${words} above \`${least}\``, fix: `raise \`${least}\``,
      when: (node, { up: [up] }) => (read(node) ?? 0) - (read(up, least) ?? Infinity) > gap },
    { path: `${C}.${least}`, severity: 'note', types: 'serverless standard cron unset', says: 'has no effect, because Capacity AI is off', fix: 'leave it out, or write `capacityAI: true`',
      when: (_, { document }) => value(document, 'spec.defaultOptions.capacityAI') === 'false' },
  ]),
  // GPU.
  { path: `${C}.gpu`, severity: 'error', says: 'takes either `nvidia` or `custom`', fix: 'leave one out',
    when: (node) => has(node, 'nvidia') && has(node, 'custom') },
  { path: `${C}.gpu`, severity: 'error', says: 'does not work with Capacity AI, which is on{0}', fix: NO_AI,
    when(_, { document, type, up: [container] }) {
      const options = get(document, 'spec.defaultOptions');
      if (!usesGpu(container)) return false;
      if (!lacks(options, 'capacityAI')) return value(options, 'capacityAI') === 'true' && [''];
      const isOff = mayBe(options, 'autoscaling.metric', 'cpu') || !lacks(options, 'autoscaling.multi');
      return !isOff && ['serverless', 'standard', 'cron', 'unset'].includes(type) && [' by default'];
    },
  },
  { path: `${C}.gpu.nvidia`, severity: 'error', says: 'asks for {0}, and this container has less or more', fix: 'change `cpu`, `memory` or `quantity`',
    when: (node, { up }) => gpuLimits(node, up[1]) },
  // Ports.
  { path: `${C}.port`, severity: 'error', says: 'does not go with `ports`', fix: 'leave `port` out',
    when: (_, { up }) => has(up[0], 'ports') },
  { path: `${C}.port`, severity: 'note', types: SERVING, says: 'is deprecated and means http2: a server of HTTP/1.1 answers 502', fix: 'write `ports` with `number` and `protocol: http`, unless the server speaks HTTP/2' },
  { path: `${C}.ports[].protocol`, severity: 'note', types: SERVING, says: 'is http2: a server of HTTP/1.1 answers 502', fix: 'write `http`, unless the server speaks HTTP/2',
    when: (node) => value(node) === 'http2' },
  { path: 'spec.containers', severity: 'error', types: 'serverless', says: 'have {0} ports, and a serverless workload takes exactly one port on one container', fix: 'leave one port',
    when(node) {
      const ports = itemsOf(node).flatMap((one) => [...list(one, 'ports'), get(one, 'port')]).filter(isStated);
      return !isEmptyList(node) && ports.length !== 1 && !ports.some(isTemplate) && [ports.length];
    },
  },
  { path: `${C}.{ports,port}`, severity: 'error', types: 'cron', says: 'is not taken in a cron workload', fix: 'leave it out, or change `spec.type`' },
  { path: `${C}.ports[].number`, severity: 'error', says: 'is {it}, and another port of the workload has that number', fix: 'give each port its own number',
    when(node, at) {
      const all = containers(at).slice(0, 20).flatMap((one) => list(one, 'ports').slice(0, 20));
      return isRepeated(all, node, (port) => number(port, 'number'));
    },
  },
  { path: `${C}.ports[].protocol`, severity: 'warning', types: 'serverless', says: 'is tcp, which a serverless workload does not serve', fix: 'write `http`, or make the workload standard',
    when: (node) => value(node) === 'tcp' },
  { path: 'spec.containers[0].ports[0].protocol', severity: 'note', types: LONG, says: 'is tcp: the public endpoint is the first port of the first container, and tcp needs a dedicated or direct load balancer there', fix: 'list an HTTP port first, or use such a load balancer',
    when: (node, { document }) =>
      value(node) === 'tcp' && has(document, 'spec.firewallConfig.external.inboundAllowCIDR') && !mayBe(document, 'spec.loadBalancer.direct.enabled', 'true') },
  { path: 'spec.containers', severity: 'note', types: `${SERVING} vm`, says: 'have ports, and the firewall lets nothing in', fix: 'add `spec.firewallConfig.external.inboundAllowCIDR`, or `inboundAllowType: same-gvc` below `internal`',
    when(_, at) {
      const firewall = get(at.document, 'spec.firewallConfig');
      const type = get(firewall, 'internal.inboundAllowType');
      return (
        allPorts(at).length > 0 &&
        lacks(firewall, 'external.inboundAllowCIDR') &&
        (!isStated(type) || value(type) === 'none' || (value(type) === 'workload-list' && lacks(firewall, 'internal.inboundAllowWorkload'))) &&
        !mayBe(at.document, 'spec.loadBalancer.direct.enabled', 'true')
      );
    },
  },
  { path: 'spec.containers', severity: 'note', types: SERVING, says: 'serve HTTP, and `spec.defaultOptions.timeoutSeconds` is not stated: a request ends after 5 seconds', fix: 'state `spec.defaultOptions.timeoutSeconds`',
    when: (_, at) => servesHttp(at) && lacks(at.document, 'spec.defaultOptions.timeoutSeconds') },
  { path: `${C}.{ports,port}`, severity: 'note', types: LONG, says: 'has no `readinessProbe` beside it: a replica gets requests before it can answer', fix: 'add `readinessProbe` with `httpGet`',
    when: (node, { up }) => !isEmptyList(node) && lacks(up[0], 'readinessProbe') },
  // Environment.
  { path: `${C}.env[].name`, severity: 'error', says: 'is {it}, which the platform keeps for itself', fix: 'choose another name',
    when(node, { prefix }) {
      const name = value(node) ?? '';
      const kept = ['K_SERVICE', 'K_CONFIGURATION', 'K_REVISION'];
      return name.startsWith(`${prefix.toUpperCase()}_`) || kept.includes(name);
    },
  },
  { path: `${C}.env[].name`, severity: 'warning', says: 'is {it}, and an earlier variable has that name', fix: 'leave one out',
    when: (node, { up }) => isRepeated(list(up[1], 'env'), node, (one) => value(one, 'name')) },
  ...(['error', 'note'] as const).map((severity): Rule => ({ path: `${C}.env[].value`, severity, types: severity === 'error' ? 'serverless' : 'standard stateful unset', says: 'gives `PORT` another port than those of `ports`', fix: 'write the number of the exposed port in both places',
    when: (node, { up }) => value(up[0], 'name') === 'PORT' && isUnexposed(node, up[1]),
  })),
  { path: `${C}.env[].value`, severity: 'note', says: 'is a whole secret: its value is JSON with all keys', fix: 'write `svc://secret/NAME.KEY` for one key',
    when(node, { prefix }) {
      const secret = secretOf(node, prefix);
      return secret !== undefined && secret.key === undefined;
    },
  },
  { path: `${C}.env[].value`, severity: 'warning', says: 'names the key {0}, which the secret {1} of this text does not have', fix: 'write one of its keys',
    when(node, at) {
      const secret = secretOf(node, at.prefix);
      const document = other(at, 'secret', secret?.name);
      const keys = document === undefined ? undefined : keysOf(document);
      if (secret?.key === undefined || keys === undefined || keys.includes(secret.key)) return false;
      return [secret.key, secret.name];
    },
  },
  { path: `${C}.env[].value`, severity: 'warning', says: 'refers to something that the platform does not fill in', fix: 'refer to `metadata.name`, `metadata.namespace`, `spec.nodeName`, `status.hostIP`, `status.podIP` or `status.podIPs`',
    when(node, { prefix }) {
      const start = `${prefix}://reference/`;
      const text = value(node);
      return text?.startsWith(start) === true && !REFERENCES.includes(text.slice(start.length));
    },
  },
  { path: `${C}.env[].value`, severity: 'warning', says: 'leads to {0}, and the firewall lets nothing out to it', fix: 'add the host to `spec.firewallConfig.external.outboundAllowHostname`, and a port other than 80, 443 and 445 to `outboundAllowPort`',
    when(node, { document, up, prefix }) {
      const { host, port = '' } = foreignHost(value(node), prefix) ?? {};
      const external = get(document, 'spec.firewallConfig.external');
      if (host === undefined || OWN_ADDRESS.test(value(up[0], 'name') ?? '') || !lacks(external, 'outboundAllowCIDR')) return false;
      const isAllowed = list(external, 'outboundAllowHostname').some((one) => isTemplate(one) || reaches(value(one), host));
      const isOpen = lacks(external, 'outboundAllowPort')
        ? ['80', '443', '445'].includes(port)
        : list(external, 'outboundAllowPort').some((one) => mayBe(one, 'number', port));
      return !(isAllowed && (port === '' || isOpen)) && [port === '' ? host : `${host}:${port}`];
    },
  },
  { path: 'spec', severity: 'warning', says: 'uses a secret in `{0}`, and has no `identityLink`: the value stays empty, or the rollout waits', fix: 'add `identityLink`, and a policy with `reveal` for that identity',
    when(_, at) {
      const [first] = secretsIn(at);
      return first !== undefined && lacks(at.document, 'spec.identityLink') && [first.node.path];
    },
  },
  { path: 'spec.identityLink', severity: 'error', says: 'is of the GVC {0}, and the workload is of {1}: only its own GVC’s identities work', fix: 'name an identity of the same GVC',
    when(node, { gvc }) {
      const of = /gvc\/([^/]+)\//.exec(value(node) ?? '')?.[1];
      return of !== undefined && gvc !== undefined && of !== gvc && [of, gvc];
    },
  },
  // Volumes.
  { path: `${C}.volumes[]`, severity: 'error', types: 'serverless standard stateful cron unset', says: 'has no `path`, which is required', fix: 'add `path`',
    when: (node) => lacks(node, 'path') },
  { path: `${C}.volumes[].path`, severity: 'error', says: 'is {it}, where nothing can be mounted', fix: 'mount it deeper, such as at `/var/lib/data`',
    when: (node) =>
      ['/dev', '/dev/log', '/tmp', '/var', '/var/log'].includes(trimmed(value(node)) ?? ''),
  },
  { path: `${C}.volumes[].path`, severity: 'error', says: 'is {it}, the same as {0} or within it', fix: 'mount each volume at a path of its own',
    when(node, { up }) {
      const own = trimmed(value(node));
      const paths = list(up[1], 'volumes').slice(0, 20).map((one) => get(one, 'path'));
      const around = paths.find((one) => {
        const path = trimmed(value(one));
        if (one === node || path === undefined || own === undefined) return false;
        return path === own ? paths.indexOf(one) < paths.indexOf(node) : own.startsWith(`${path}/`);
      });
      return around !== undefined && [value(around) ?? ''];
    },
  },
  { path: `${C}.volumes[].uri`, severity: 'error', types: 'serverless standard cron unset', says: 'is a volume set with the file system {0}, which only a stateful workload or a vm takes', fix: 'make the workload stateful, or the volume set shared',
    when(node, at) {
      const system = volumeSystem(node, at);
      return (system === 'ext4' || system === 'xfs') && [system];
    },
  },
  { path: `${C}.volumes[].uri`, severity: 'error', says: 'is a volume set with the file system {0}, which is for one workload, and {1} mounts it, too', fix: 'give each workload its own volume set, or make the volume set shared',
    when(node, at) {
      const system = volumeSystem(node, at);
      const other = system === 'ext4' || system === 'xfs' ? otherUser(at, value(node)) : undefined;
      return system !== undefined && other !== undefined && [system, other];
    },
  },
  { path: `${C}.volumes[].uri`, severity: 'warning', types: 'serverless standard cron unset', says: 'is a volume set: unless its file system is shared, only a stateful workload or a vm takes it', fix: 'make the workload stateful, or use a shared volume set',
    when: (node, at) =>
      value(node)?.startsWith(`${at.prefix}://volumeset/`) === true &&
      volumeSystem(node, at) === undefined,
  },
  { path: `${C}.volumes[].uri`, severity: 'warning', says: 'is an object store, and the workload has no `identityLink` to read it with', fix: 'add `spec.identityLink`',
    when: (node, { document }) =>
      /^(s3|gs|azureblob|azurefs):/.test(value(node) ?? '') && lacks(document, 'spec.identityLink'),
  },
  // Probes and hooks.
  { path: `${C}.${PROBES}`, severity: 'error', says: 'takes exactly one of `exec`, `grpc`, `tcpSocket` and `httpGet`, and has {0}', fix: 'state one',
    when(node) {
      const count = countOf(node, 'exec', 'grpc', 'tcpSocket', 'httpGet') ?? 1;
      return node.kind === 'map' && count !== 1 && [count];
    },
  },
  { path: `${C}.${PROBES}`, severity: 'warning', types: 'cron', says: 'is dropped in a cron workload', fix: 'leave it out' },
  { path: `${C}.${PROBES}.{exec,grpc}`, severity: 'error', types: 'vm', says: 'is not taken in a vm', fix: 'use `httpGet` or `tcpSocket`' },
  { path: `${C}.${PROBES}.{grpc,tcpSocket,httpGet}.port`, severity: 'note', types: SERVING, says: 'is {it}, and the container does not expose that port', fix: 'write a number of `ports`, if the server listens there',
    when: (node, { up }) => isUnexposed(node, up[2]) },
  { path: `${C}.lifecycle.preStop`, severity: 'warning', says: 'sleeps for {0} seconds, and the replica is ended after {1}', fix: 'raise `spec.rolloutOptions.terminationGracePeriodSeconds` above it, or sleep for less',
    when(node, { document }) {
      const grace = get(document, 'spec.rolloutOptions.terminationGracePeriodSeconds');
      const end = isStated(grace) ? (number(grace) ?? Infinity) : 90;
      const words = list(node, 'exec.command').map((one) => value(one) ?? '').join(' ').slice(0, 5_000);
      let seconds = 0;
      for (const [, count, unit = ''] of words.matchAll(/\bsleep\s+(\d{1,9})([smh]?)(?![\w.])/g)) {
        seconds += Number(count) * ({ m: 60, h: 3_600 }[unit] ?? 1);
      }
      return seconds > 0 && seconds >= end && [seconds, end];
    },
  },
  // Firewall.
  { path: 'spec.firewallConfig.external.outboundAllowPort', severity: 'warning', says: 'lists no 443: it replaces the ports 80, 443 and 445 of the hostnames', fix: 'add `443` with `protocol: https`',
    when: (node, { up }) =>
      itemsOf(node).length > 0 &&
      has(up[0], 'outboundAllowHostname') &&
      !itemsOf(node).some((one) => mayBe(one, 'number', '443')),
  },
  { path: 'spec.firewallConfig.external.outboundAllowCIDR[]', severity: 'warning', says: 'is {it}, a private range, which opens nothing outside of BYOK clusters', fix: 'leave it out, or use `internal` for workloads of the org',
    when: (node) =>
      /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i.test(value(node) ?? ''),
  },
  { path: 'spec.firewallConfig.external.http.inboundHeaderFilter[]', severity: 'error', says: 'takes either `allowedValues` or `blockedValues`', fix: 'leave one',
    when: (node) => (countOf(node, 'allowedValues', 'blockedValues') ?? 1) !== 1 },
  { path: 'spec.firewallConfig.internal.inboundAllowWorkload[]', severity: 'warning', says: 'is {it}, and a link without its GVC may be refused', fix: 'write `//gvc/GVC/workload/NAME`',
    when: (node) => value(node)?.startsWith('//workload/') === true },
  { path: 'spec.firewallConfig.internal.inboundAllowWorkload', severity: 'note', types: 'stateful', says: 'lacks the workload itself, so that its replicas cannot reach each other', fix: 'add the workload itself, if its replicas talk to each other',
    when(node, { document, up }) {
      const items = itemsOf(node);
      return (
        value(up[0], 'inboundAllowType') === 'workload-list' &&
        items.length > 0 &&
        nameOf(document) !== undefined &&
        !items.some((one) => isTemplate(one) || lastOf(value(one)) === nameOf(document))
      );
    },
  },
  // Options, the default and the local ones.
  { path: `${OPTIONS}.autoscaling.metric`, severity: 'error', types: 'serverless standard stateful', says: 'is {it}, and a {0} workload takes {1}', fix: 'write `rps`, or recreate the workload with another type',
    when(node, { type }) {
      const known = METRICS[type] ?? '';
      const metric = value(node);
      const isKnown = Object.values(METRICS).some((all) => all.split(' ').includes(metric ?? ''));
      return isKnown && !known.split(' ').includes(metric ?? '') && [type, known.replaceAll(' ', ', ')];
    },
  },
  { path: `${OPTIONS}.autoscaling`, severity: 'error', types: 'vm', says: 'takes only `minScale` and `maxScale` in a vm, and has `{0}`', fix: 'leave it out',
    when(node) {
      const other = membersOf(node).find(({ name }) => name !== 'minScale' && name !== 'maxScale');
      return other !== undefined && [other.name];
    },
  },
  { path: `${OPTIONS}.autoscaling.{metric,target}`, severity: 'error', says: 'does not go with `multi`', fix: 'leave it out, or `multi`',
    when: (_, { up }) => has(up[0], 'multi') },
  { path: `${OPTIONS}.autoscaling.multi`, severity: 'error', types: 'serverless', says: 'is not taken in a serverless workload', fix: 'write one `metric`' },
  { path: `${OPTIONS}.autoscaling.multi[].metric`, severity: 'error', says: 'is {it} for the second time', fix: 'list each metric once',
    when: (node, { up }) => isRepeated(list(up[1], 'multi'), node, (one) => value(one, 'metric')) },
  { path: `${OPTIONS}.autoscaling.target`, severity: 'error', says: 'is {it}, and a target of {0} is a percentage up to 100', fix: 'write `100` or less',
    when(node, { up }) {
      const metric = value(up[0], 'metric') ?? '';
      return ['cpu', 'memory'].includes(metric) && (number(node) ?? 0) > 100 && [metric];
    },
  },
  { path: `${OPTIONS}.autoscaling.target`, severity: 'warning', says: 'does not go with the metric keda, whose triggers have their own targets', fix: 'leave it out',
    when: (_, { up }) => value(up[0], 'metric') === 'keda' },
  { path: `${OPTIONS}.autoscaling`, severity: 'error', types: 'serverless standard stateful vm unset', says: 'has a `minScale` of {0}, above its `maxScale` of {1}', fix: 'let `maxScale` be at least `minScale`',
    when(node) {
      const [least, most] = [scaleOf(node, 'minScale', 1), scaleOf(node, 'maxScale', 5)];
      return least !== undefined && most !== undefined && least > most && [least, most];
    },
  },
  { path: `${OPTIONS}.autoscaling.minScale`, severity: 'error', types: LONG, says: 'is 0, and a {0} workload scales to zero only with the metric keda', fix: 'write `1`, or use keda',
    when: (node, { up, type }) => number(node) === 0 && !isOff(up) && !mayBe(up[0], 'metric', 'keda') && [type] },
  { path: `${OPTIONS}.autoscaling.minScale`, severity: 'warning', types: 'serverless', says: 'is 0, and with the metric {0} one replica stays', fix: 'use `rps` or `concurrency`, or write `1`',
    when(node, { up }) {
      const metric = value(up[0], 'metric') ?? '';
      return number(node) === 0 && !isOff(up) && ['cpu', 'memory'].includes(metric) && [metric];
    },
  },
  { path: `${OPTIONS}.autoscaling.minScale`, severity: 'error', types: 'vm', says: 'is 0, and a vm does not scale to zero', fix: 'write `1`, or the run strategy `Halted`',
    when: (node, { document }) =>
      number(node) === 0 &&
      !['Halted', 'Manual'].includes(value(document, 'spec.vm.runStrategy') ?? ''),
  },
  { path: 'spec.defaultOptions.autoscaling', severity: 'note', types: 'standard', says: 'has no metric: while Capacity AI is on, the workload does not scale', fix: 'state `metric`',
    when: (node, { up }) =>
      node.kind === 'map' &&
      lacks(node, 'metric') &&
      lacks(node, 'multi') &&
      !mayBe(up[0], 'capacityAI', 'false') &&
      (number(node, 'maxScale') ?? 0) > (number(node, 'minScale') ?? 1),
  },
  { path: `${OPTIONS}.autoscaling.keda`, severity: 'warning', says: 'needs `spec.keda.enabled` in the GVC {0}, which this text does not set', fix: 'enable keda in the GVC',
    when(_, at) {
      const gvc = other(at, 'gvc', at.gvc);
      return gvc !== undefined && !mayBe(gvc, 'spec.keda.enabled', 'true') && [at.gvc ?? ''];
    },
  },
  { path: `${OPTIONS}.autoscaling.keda.fallback`, severity: 'warning', says: 'needs a trigger with `metricType: AverageValue` that is not cpu or memory', fix: 'add such a trigger, or leave the fallback out',
    when: (_, { up }) =>
      !list(up[0], 'triggers').some(
        (one) =>
          isTemplate(one) ||
          (!['cpu', 'memory'].includes(value(one, 'type') ?? '') &&
            ['AverageValue', undefined].includes(value(one, 'metricType'))),
      ),
  },
  { path: `${OPTIONS}.capacityAI`, severity: 'error', types: SERVING, says: 'is true, and does not work with the metric cpu', fix: `${NO_AI}, or use the metric \`rps\``,
    when: (node, { up }) => value(node) === 'true' && value(up[0], 'autoscaling.metric') === 'cpu' },
  { path: 'spec.localOptions[].capacityAI', severity: 'error', says: 'is true, and does not work with a GPU', fix: NO_AI,
    when: (node, at) => value(node) === 'true' && containers(at).some(usesGpu) },
  { path: `${OPTIONS}.capacityAI`, severity: 'warning', says: 'is true beside several metrics, which it does not go with', fix: NO_AI,
    when: (node, { up }) => value(node) === 'true' && has(up[0], 'autoscaling.multi') },
  ...(
    [
      ['error', 'serverless unset', 600, Infinity, 'is {it}, but takes 1 to 600 seconds, as a whole number', BY_TAG],
      ['error', 'standard stateful cron vm', 3_600, Infinity, 'is {it}, but takes 1 to 3600 seconds, as a whole number', 'write `3600` or less'],
      ['warning', 'standard stateful vm', 600, 3_600, 'is {it}, and may be refused above 600 seconds', BY_TAG],
      ['note', 'cron', 600, 3_600, 'is {it}, and a cron workload ignores it', ''],
    ] as const
  ).map(([severity, types, above, most, says, fix]): Rule => ({ path: `${OPTIONS}.timeoutSeconds`, severity, types, says, fix,
    when: (node) => (number(node) ?? 0) > above && (number(node) ?? 0) <= most,
  })),
  { path: 'spec.defaultOptions.suspend', severity: 'note', says: 'stops serving immediately, the same as a minimum and maximum scale of 0', fix: '',
    when: (node) => node.kind === 'value' && node.value === true },
  { path: 'spec.localOptions[].location', severity: 'warning', says: 'is {it}, which an earlier entry has', fix: 'write one entry for each location',
    when: (node, { document }) =>
      isRepeated(list(document, 'spec.localOptions'), node, (one) => lastOf(value(one, 'location'))),
  },
  { path: 'spec.localOptions[].location', severity: 'warning', says: 'is {it}, which the GVC {0} of this text does not have', fix: 'write a location of the GVC',
    when(node, at) {
      const links = list(other(at, 'gvc', at.gvc), 'spec.staticPlacement.locationLinks');
      const isOpen = links.length === 0 || links.some(isTemplate);
      return !isOpen && !links.some((one) => lastOf(value(one)) === lastOf(value(node))) && [at.gvc ?? ''];
    },
  },
  { path: 'spec.localOptions[]', severity: 'warning', types: SERVING, says: 'omits {0}: the default of the platform holds there, not the one of `defaultOptions`', fix: 'write the entry in full',
    when: (node, { document }) => omitted(node, get(document, 'spec.defaultOptions')) },
  // Rollout, job, load balancer, vm.
  { path: 'spec.rolloutOptions.maxSurgeReplicas', severity: 'error', says: 'is 0, as `maxUnavailableReplicas` is: no replica may be added and none may be away, so nothing can roll out', fix: 'write `1` or more in one place',
    when: (node, { up }) => isZero(node) && isZero(get(up[0], 'maxUnavailableReplicas')) },
  { path: `spec.rolloutOptions.${REPLICAS}`, severity: 'warning', says: 'is {it}, which is more than all replicas together', fix: 'write `"100%"` or less, or a number of replicas',
    when: (node) => /^\d+(\.\d+)?%$/.test(value(node) ?? '') && Number.parseFloat(value(node) ?? '') > 100 },
  { path: `spec.rolloutOptions.${REPLICAS}`, severity: 'warning', says: 'is {it}, which is not a whole number of replicas', fix: 'write a whole number, or a percentage such as `"25%"`',
    when: (node) => Number.isFinite(number(node)) && !Number.isInteger(number(node)) },
  { path: 'spec.rolloutOptions.maxUnavailableReplicas', severity: 'warning', types: 'stateful', says: 'has no effect in a stateful workload: the platform drops it', fix: 'leave it out' },
  { path: 'spec.rolloutOptions.maxUnavailableReplicas', severity: 'note', types: 'serverless standard unset', says: 'lets all replicas be away at once: for a while none may serve', fix: '',
    when: (node) => value(node) === '100%' },
  ...(
    [
      [false, 900, 'write `900` or less; with the tag `svc/relaxGracePeriodMax` it is up to 3600 seconds'],
      [true, 3_600, 'write `3600` or less'],
    ] as const
  ).map(([isRelaxed, most, fix]): Rule => ({ path: 'spec.rolloutOptions.terminationGracePeriodSeconds', severity: 'warning', says: `is {it}, and the platform allows up to ${most} seconds`, fix,
    when: (node, at) => hasTag(at, 'relaxGracePeriodMax') === isRelaxed && (number(node) ?? 0) > most,
  })),
  { path: 'spec.requestRetryPolicy.retryOn[]', severity: 'note', says: 'is {it}, which looks like the condition {0}', fix: 'write `{0}` if that is meant',
    when(node) {
      const near = nearCondition(value(node) ?? '');
      return near !== undefined && [near];
    },
  },
  { path: 'spec.type', severity: 'error', types: 'cron', says: 'is cron, and `spec.job` is missing', fix: 'add `spec.job` with a `schedule`',
    when: (_, { document }) => lacks(document, 'spec.job') && has(document, 'kind') },
  { path: 'spec.job', severity: 'error', types: 'serverless standard stateful vm unset', says: 'is for cron workloads, and this one is {0}', fix: 'leave it out, or write `type: cron`',
    when: ofType },
  { path: 'spec.job.schedule', severity: 'warning', types: 'cron', says: 'runs every minute, which conversions write by default', fix: 'write the schedule that is meant',
    when: (node) => /^(\*(\/1)?\s+){4}\*$/.test(value(node) ?? '') },
  { path: 'spec.loadBalancer.replicaDirect', severity: 'error', types: 'serverless standard cron vm unset', says: 'is for stateful workloads only', fix: 'leave it out, or make the workload stateful',
    when: (node, at) => value(node) === 'true' && ofType(node, at) },
  { path: 'spec.loadBalancer.geoLocation', severity: 'error', says: 'is enabled without a header', fix: 'add one below `headers`',
    when: (node) => value(node, 'enabled') === 'true' && membersOf(get(node, 'headers')).length === 0 },
  { path: 'spec.loadBalancer.geoLocation.headers', severity: 'error', says: 'uses one header twice', fix: 'give each its own header',
    when(node) {
      const names = membersOf(node).flatMap(({ node: one }) => value(one)?.toLowerCase() ?? []);
      return new Set(names).size < names.length;
    },
  },
  { path: 'spec.vm', severity: 'error', types: 'serverless standard stateful cron unset', says: 'is for the type vm, and this one is {0}', fix: 'leave it out, or write `type: vm`',
    when: ofType },
  { path: 'spec.type', severity: 'error', types: 'vm', says: 'is vm, and `spec.vm.bootDisk` is missing', fix: 'add `spec.vm.bootDisk` with `source` and `persist.volumeSet`',
    when: (_, { document }) => lacks(document, 'spec.vm.bootDisk') && has(document, 'kind') },
  { path: 'spec.vm.bootDisk.source', severity: 'error', says: 'takes either `oci` or `http`', fix: 'leave one',
    when: (node) => (countOf(node, 'oci', 'http') ?? 1) !== 1 },
  // Other documents.
  { path: 'spec.loadBalancer', kind: 'gvc', severity: 'warning', says: 'is dedicated and has no multi-zone, while a workload here has: traffic between the zones costs more than it must', fix: 'enable multi-zone in the load balancer settings of the GVC, too',
    when: (node, at) =>
      value(node, 'dedicated') === 'true' &&
      value(node, 'multiZone') !== 'true' &&
      value(node, 'multiZone.enabled') !== 'true' &&
      isZoned(at),
  },
  { path: 'bindings[].principalLinks[]', kind: 'policy', severity: 'warning', says: 'is {it}, and an identity is named with its GVC', fix: 'write `//gvc/GVC/identity/NAME`',
    when: (node, at) => isSecretPolicy(at) && value(node)?.startsWith('//identity/') === true },
  { path: 'bindings[]', kind: 'policy', severity: 'warning', says: 'grants neither `reveal` nor `manage`, and an identity cannot read a secret without', fix: 'add `reveal` to its `permissions`',
    when: (node, at) =>
      isSecretPolicy(at) &&
      list(node, 'principalLinks').some((one) => /\/identity\//.test(value(one) ?? '')) &&
      !list(node, 'permissions').some((one) => isTemplate(one) || ['reveal', 'manage'].includes(value(one) ?? '')),
  },
  { path: 'targetKind', kind: 'policy', severity: 'warning', says: 'is secret, and `targetLinks` lacks the secret {0}, which {1} uses with an identity of this policy', fix: 'add the secret to `targetLinks`',
    when: (_, at) => isSecretPolicy(at) && unmet(at) },
];
