/** Who may import whom (topology/DESIGN.md, "Layout"). `npm run lint` proves it. */
const only = (folder, allowed) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { path: '^(schemas|topology|services|infra|test)/', pathNot: `^(${allowed.join('|')})/` },
});

/** A client library appears in one adapter folder. */
const oneHome = (library, home) => ({
  name: `${library.replace(/[^a-z]/g, '-')}-has-one-home`,
  severity: 'error',
  from: { pathNot: `^(${home})/` },
  to: { path: `node_modules/${library}/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('schemas', ['schemas']),
    only('topology', ['schemas', 'topology']),
    only('infra', ['schemas', 'topology', 'infra']),
    only('services', ['schemas', 'topology', 'infra', 'services']),
    {
      name: 'topology-and-schemas-are-pure',
      severity: 'error',
      from: { path: '^(topology|schemas)/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'stream-runtime-knows-no-client',
      severity: 'error',
      from: { path: '^infra/streams/' },
      to: { path: '^(infra/(?!streams/|errors\\.ts$)|node_modules/)' },
    },
    {
      name: 'no-dev-dependency-in-production',
      severity: 'error',
      from: { path: '^(schemas|topology|infra|services)/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    oneHome('kafkajs', 'infra/kafka'),
    oneHome('fzstd', 'infra/kafka/compression|test'),
    oneHome('lz4-napi', 'infra/kafka/compression|test'),
    oneHome('snappy', 'infra/kafka/compression|test'),
    oneHome('rocksdb', 'infra/rocksdb'),
    oneHome('@nxtedition/rocksdb', 'infra/rocksdb'),
    oneHome('avsc', 'infra/registry'),
    oneHome('@kafkajs/confluent-schema-registry', 'infra/registry'),
    oneHome('pino', 'infra/telemetry'),
    oneHome('yaml', 'infra/config'),
    oneHome('@a2a-js/sdk', 'services/demo|test'),
    oneHome('express', 'services/demo'),
    oneHome('http-cache-semantics', 'infra/http'),
    oneHome('ipaddr.js', 'infra/http'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
