import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/disposable.ts';
import type { Services } from '../../services.ts';
import { mcpServers } from '../../shared/ids.ts';
import type { Feature } from '../start.ts';

/** Offers the link to VS Code's own agent mode, as an MCP server that is there while the link is on. */
export const agentModeFeature: Feature<Services> = {
  name: 'agent mode',
  register({ link, context }) {
    const owned = new DisposableStore();
    const changed = owned.add(new vscode.EventEmitter<void>());
    let offered: number | undefined;
    owned.add(
      link.onChange(() => {
        // The link tells of every client that comes and goes; agent mode has to look again only when the server is another one.
        if (link.link?.port === offered) return;
        offered = link.link?.port;
        changed.fire();
      }),
    );
    const version = (context.extension.packageJSON as { version: string }).version;
    const server = (port: number, headers: Record<string, string>): vscode.McpHttpServerDefinition => new vscode.McpHttpServerDefinition('Casebook', vscode.Uri.parse(`http://127.0.0.1:${port}/mcp`), headers, version);
    owned.add(
      vscode.lm.registerMcpServerDefinitionProvider(mcpServers.link, {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: () => (link.link === undefined ? [] : [server(link.link.port, {})]),
        // The token goes out only for a server that is about to be started.
        resolveMcpServerDefinition: () => (link.link === undefined ? undefined : server(link.link.port, { Authorization: `Bearer ${link.link.token}` })),
      }),
    );
    return owned;
  },
};
