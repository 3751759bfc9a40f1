import type * as vscode from 'vscode';

/** The editor's token as a signal: converted once, at the edge. Dispose when the work is over. */
export function signalFrom(token: Pick<vscode.CancellationToken, 'isCancellationRequested' | 'onCancellationRequested'>): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return {
    signal: controller.signal,
    dispose() {
      listener.dispose();
    },
  };
}

/** A token source that follows a signal; `dispose` takes the listener off the signal, which may live much longer. */
export function followSignal<Source extends { cancel(): void; dispose(): void }>(source: Source, signal: AbortSignal): { source: Source; dispose(): void } {
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    source,
    dispose() {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
