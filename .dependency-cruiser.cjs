/** The house rules about who may import whom (docs/architecture.md); checked by scripts/check-house-rules.mjs, which also plants violations. */

/** Rooms of core, lowest first; each may import itself and what is below it. Rooms of one row do not import each other. */
const rows = [['base'], ['model'], ['journal'], ['repo', 'mcp'], ['tickets', 'evidence', 'review'], ['agents'], ['cases'], ['link']];

const roomRules = rows.flatMap((row, index) =>
  row.map((room) => {
    const allowed = [...rows.slice(0, index).flat(), room];
    return {
      name: `core-${room}-imports-downwards`,
      severity: 'error',
      comment: `core/${room} imports only ${allowed.join(', ')}`,
      from: { path: `^extension/core/${room}/` },
      to: { path: '^extension/core/', pathNot: `^extension/core/(${allowed.join('|')})/` },
    };
  }),
);

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'core-stands-alone',
      severity: 'error',
      comment: 'core knows neither VS Code (not even its types) nor what is built on core',
      from: { path: '^extension/core/' },
      to: { path: '(^vscode$|@types/vscode|^extension/(host|features|cli|main|services)|^webview/)' },
    },
    {
      name: 'core-rooms-are-known',
      severity: 'error',
      comment: 'a new room gets its place in the order above',
      from: {},
      to: { path: '^extension/core/', pathNot: `^extension/core/(${rows.flat().join('|')})/` },
    },
    { name: 'cli-without-vscode', severity: 'error', from: { path: '^extension/cli' }, to: { path: '(^vscode$|@types/vscode|^extension/(host|features)/)' } },
    {
      name: 'host-without-features',
      severity: 'error',
      from: { path: '^extension/host/' },
      to: { path: '^extension/(features|cli)/' },
    },
    {
      name: 'shared-is-light',
      severity: 'error',
      comment: 'shared is imported by both sides: its own files, and types of core',
      from: { path: '^extension/shared/' },
      to: { pathNot: '^extension/shared/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'webview-takes-types-only',
      severity: 'error',
      comment: 'a panel imports types from the extension, and shared/ids and shared/protocol; nothing of core runs in a browser',
      from: { path: '^webview/' },
      to: { path: '^extension/', pathNot: '^extension/shared/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'webview-knows-core-and-shared-only', severity: 'error', from: { path: '^webview/' }, to: { path: '^extension/(host|features|cli|main|services)' } },
    { name: 'extension-without-webview-or-test', severity: 'error', from: { path: '^extension/' }, to: { path: '^(webview|test|scripts)/' } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^vscode$' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.mjs', '.js', '.json', '.d.ts'] },
  },
};
