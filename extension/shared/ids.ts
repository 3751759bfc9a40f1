/** Every id that package.json contributes; `scripts/check-ids.mjs` compares both ways, and against package.nls.json. */

export const commands = {
  investigate: 'casebook.investigate',
  investigateSelection: 'casebook.investigateSelection',
  investigateClipboard: 'casebook.investigateClipboard',
  investigateTicket: 'casebook.investigateTicket',
  openCase: 'casebook.openCase',
  stopRun: 'casebook.stopRun',
  runAgain: 'casebook.runAgain',
  setLabels: 'casebook.setLabels',
  closeCase: 'casebook.closeCase',
  refreshTickets: 'casebook.refreshTickets',
  filterTickets: 'casebook.filterTickets',
  loadMoreTickets: 'casebook.loadMoreTickets',
  openTicketInBrowser: 'casebook.openTicketInBrowser',
  addQuery: 'casebook.addQuery',
  removeQuery: 'casebook.removeQuery',
  signInGitHub: 'casebook.signInGitHub',
  refreshCases: 'casebook.refreshCases',
  filterCases: 'casebook.filterCases',
  refreshTicket: 'casebook.refreshTicket',
  recheckCitations: 'casebook.recheckCitations',
  toggleMarks: 'casebook.toggleMarks',
  explainFile: 'casebook.explainFile',
  selectEngine: 'casebook.selectEngine',
  setApiKey: 'casebook.setApiKey',
  forgetConsent: 'casebook.forgetConsent',
  showJournal: 'casebook.showJournal',
  exportCase: 'casebook.exportCase',
  verifyJournal: 'casebook.verifyJournal',
  eraseCase: 'casebook.eraseCase',
  openLog: 'casebook.openLog',
} as const;

export const views = { container: 'casebook', tickets: 'casebook.tickets', cases: 'casebook.cases' } as const;

export const panels = { case: 'casebook.casePanel' } as const;

export const settings = {
  engine: 'casebook.engine',
  model: 'casebook.model',
  claudePath: 'casebook.claude.path',
  openaiBaseUrl: 'casebook.openaiCompatible.baseUrl',
  openaiModel: 'casebook.openaiCompatible.model',
  limitMinutes: 'casebook.limits.minutes',
  limitTurns: 'casebook.limits.turns',
  limitTokens: 'casebook.limits.tokens',
  limitUsd: 'casebook.limits.usd',
  ambientContext: 'casebook.ambientContext',
  githubBaseUrl: 'casebook.github.baseUrl',
  githubQueries: 'casebook.github.queries',
  ticketFolders: 'casebook.files.folders',
  journalLocation: 'casebook.journal.location',
  citationMarks: 'casebook.citationMarks',
} as const;

export const contextKeys = { hasCases: 'casebook.hasCases', caseActive: 'casebook.caseActive', running: 'casebook.running', signedIn: 'casebook.signedIn' } as const;

export type CommandId = (typeof commands)[keyof typeof commands];
export type SettingId = (typeof settings)[keyof typeof settings];
export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
