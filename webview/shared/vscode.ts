import type { UiState } from './ui-state.ts';

/** What VS Code gives a webview page; see "Webview API" in its extension guide. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: UiState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The page's way to the host. To be called once: the editor hands its API out a single time. */
export function connect(): { post: (message: unknown) => void; saved: unknown; save: (state: UiState) => void } {
  const api = acquireVsCodeApi();
  return { post: api.postMessage.bind(api), saved: api.getState(), save: (state) => api.setState(state) };
}
