/** JSON-RPC 2.0 as MCP uses it, for channels on which a broken message must never end the connection. */

export type RpcId = string | number;

export type Incoming =
  | { kind: 'request'; id: RpcId; method: string; params: Record<string, unknown> }
  | { kind: 'notification'; method: string; params: Record<string, unknown> }
  /** An answer to a request of ours; `result` is undefined where it is an error. */
  | { kind: 'response'; id: RpcId | null; result: unknown }
  | { kind: 'invalid'; id: RpcId | null; code: number; why: string };

/** One frame: a message, or several of a batch that are answered together. */
export interface Frame {
  batch: boolean;
  messages: Incoming[];
}

/** Codes of JSON-RPC 2.0, section 5.1, and MCP's own for a resource that is not there. */
export const rpcCode = { parse: -32700, invalidRequest: -32600, methodNotFound: -32601, invalidParams: -32602, internal: -32603, resourceNotFound: -32002 } as const;

/** More than this in one batch is refused as a whole. */
const maxBatch = 100;

export interface RpcAnswer {
  jsonrpc: '2.0';
  id: RpcId | null;
  result?: unknown;
  error?: { code: number; message: string };
}

/** What we send of ourselves: a request has an id, a notification none. */
export interface RpcCall {
  jsonrpc: '2.0';
  id?: RpcId;
  method: string;
  params?: Record<string, unknown>;
}

export type RpcMessage = RpcAnswer | RpcCall;

export function rpcResult(id: RpcId, result: unknown): RpcAnswer {
  return { jsonrpc: '2.0', id, result };
}

export function rpcError(id: RpcId | null, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function isAnswer(message: RpcMessage): message is RpcAnswer {
  return !('method' in message);
}

/** Reads one frame. Never throws: what cannot be understood is an `invalid` message, with the id where there is one. */
export function readFrame(text: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { batch: false, messages: [{ kind: 'invalid', id: null, code: rpcCode.parse, why: 'This is not JSON.' }] };
  }
  if (!Array.isArray(value)) return { batch: false, messages: [readMessage(value)] };
  if (value.length === 0 || value.length > maxBatch) return { batch: false, messages: [{ kind: 'invalid', id: null, code: rpcCode.invalidRequest, why: `A batch holds 1 to ${maxBatch} messages.` }] };
  return { batch: true, messages: value.map(readMessage) };
}

function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return { kind: 'invalid', id: null, code: rpcCode.invalidRequest, why: 'A message is a JSON object.' };
  const { id, method, params } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response', id: known, result: value['result'] };
  if (typeof method !== 'string') return { kind: 'invalid', id: known, code: rpcCode.invalidRequest, why: 'A request names its method.' };
  if (id !== undefined && known === null) return { kind: 'invalid', id: null, code: rpcCode.invalidRequest, why: 'An id is a string or a number.' };
  if (params !== undefined && !isObject(params)) return { kind: 'invalid', id: known, code: rpcCode.invalidParams, why: 'Parameters are a JSON object.' };
  return known === null ? { kind: 'notification', method, params: params ?? {} } : { kind: 'request', id: known, method, params: params ?? {} };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
