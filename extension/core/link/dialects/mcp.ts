import type { Dialect } from './dialect.ts';
import { editorTools } from './editor-tools.ts';

/** Any MCP client that is no editor companion: it asks the editor, and proposes through Casebook's own tools. */
export const mcp: Dialect = {
  name: 'mcp',
  capabilities: { writer: 'casebook', canEdit: true, canPartial: true, canEmpty: true, redelivers: true, canExplain: true },
  ownTools: true,
  tools: editorTools,
};
