import type { CliCommand } from './command.ts';

/** The commands by name; each is loaded when it is called. A command without a summary is not for people and not listed. */
export const cliCommands: Record<string, { summary?: string; load: () => Promise<CliCommand> }> = {
  investigate: { summary: 'Find out what a ticket is about', load: async () => (await import('./investigate.ts')).investigateCommand },
  case: { summary: 'List, show, accept or override cases', load: async () => (await import('./case.ts')).caseCommand },
  ticket: { summary: 'Show a ticket as Casebook reads it', load: async () => (await import('./tickets.ts')).ticketCommand((await import('../core/journal/redact/mask-text.ts')).maskText) },
  localize: { summary: 'Rank the files that a ticket is about', load: async () => (await import('./localize.ts')).localizeCommand },
  citations: { summary: 'Check the code citations of a Markdown or JSON file', load: async () => (await import('./citations.ts')).citationsCommand },
  journal: { summary: 'List, search, verify, export or erase the record', load: async () => (await import('./journal.ts')).journalCommand },
  review: { summary: 'Review change sets: list, show, open, decide, undo, and who decided a line', load: async () => (await import('./review.ts')).reviewCommand },
  link: { summary: 'Let coding agents propose their changes for review', load: async () => (await import('./link.ts')).linkCommand },
  agent: { summary: 'Ask an agent a question, or for a judgement in a given shape', load: async () => (await import('./agent.ts')).agentCommand },
  doctor: { summary: 'Say what is usable here and why not', load: async () => (await import('./doctor.ts')).doctorCommand },
  'mcp-desk': { load: async () => (await import('./mcp.ts')).mcpDesk },
};
