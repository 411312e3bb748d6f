const spec = '\\.(spec|e2e-spec|contract)\\.ts$';
const clients =
  '(^|node_modules/)(@types/)?(better-sqlite3|mongodb|@eventstore/[^/]+|@kurrent/[^/]+)(/|$)';
const providerRules = '(^|/)(packages/provider-rules/src/index\\.ts|@holdfast/provider-rules)';

/** A pure folder may use the domain, the provider rules, its pure neighbours, and `extra`. */
function pureFolder(folder, neighbours, extra = []) {
  const allowed = [
    `^src/(${['domain', folder, ...neighbours].join('|')})/`,
    providerRules,
    ...extra,
  ];
  return {
    name: `${folder}-is-pure`,
    comment: `src/${folder} computes: no Nest, no storage, no clock, no network`,
    severity: 'error',
    from: { path: `^src/${folder}/`, pathNot: spec },
    to: { pathNot: allowed },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'src/domain imports only itself, types included',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: spec },
      to: { pathNot: '^src/domain/' },
    },
    pureFolder('context', ['usage', 'pricing']),
    pureFolder('redaction', [], ['(^|node_modules/)re2js(/|$)']),
    pureFolder('usage', ['pricing']),
    pureFolder('pricing', ['usage'], ['^(node:)?(fs|fs/promises|module|path|url)$']),
    {
      name: 'no-circular',
      comment: 'a cycle between decorated classes breaks their metadata at run time',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'adapters-only-behind-ports',
      comment: 'ports stand in src/storage itself; the folders below it are adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app|cli|storage)/', spec] },
      to: { path: '^src/storage/[^/]+/' },
    },
    {
      name: 'one-place-for-clients',
      comment: 'database clients are used by the storage adapters and by tests',
      severity: 'error',
      from: { path: '^(src|packages)/', pathNot: '^src/storage/' },
      to: { path: clients },
    },
    {
      name: 'one-way-out',
      comment: 'only src/egress sends requests; the command line speaks to its own server',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(egress|cli)/', spec],
      },
      to: {
        path: '^(node:)?(http|https|http2|net|tls|dns|dgram|undici)(/|$)|node_modules/undici/',
      },
    },
    {
      name: 'nothing-imports-test',
      comment: 'what ships does not depend on what does not; a spec is not shipped',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/', pathNot: spec },
      to: { path: '(^|/)test/|\\.(spec|e2e-spec|contract)\\.ts$' },
    },
    {
      name: 'controllers-do-not-decide',
      comment: 'src/api parses, dispatches and renders; handlers in src/commands decide',
      severity: 'error',
      from: { path: '^src/api/', pathNot: spec },
      to: { path: '^src/domain/.*decide' },
    },
    {
      name: 'inside-does-not-know-outside',
      comment: 'api, cli and app depend on the rest, never the reverse',
      severity: 'error',
      from: {
        path: '^src/(?!api/|app/|cli/|docs/)',
        pathNot: spec,
      },
      to: { path: '^src/(api|app|cli)/' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'a package is published without the server',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'nothing-ships-with-development-tools',
      comment: 'a production install has no development dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: spec },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
  },
};
