/** Where diagnostics go; `host/log.ts` gives a VS Code channel, `cli.ts` standard error. Never log ticket text, code or secrets. */
export interface Logger {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
  /** A logger whose lines carry one more topic, as in `[journal]`. */
  child(topic: string): Logger;
}

export const nullLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => nullLogger,
};
