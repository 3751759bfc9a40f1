/**
 * What every panel's protocol has in common. The host sends whole snapshots; the page sends requests, each answered exactly once under its `id`.
 * `Requests` maps a request's name to its arguments.
 */
export type PanelReply = { type: 'reply'; id: number; ok: true; value?: unknown } | { type: 'reply'; id: number; ok: false; message: string };

export type PanelRequest<Requests> = { [K in keyof Requests & string]: { type: 'request'; id: number; name: K; args: Requests[K] } }[keyof Requests & string];

export type FromPage<Requests> = { type: 'ready' } | PanelRequest<Requests>;
