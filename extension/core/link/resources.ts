/** What a client may read without a tool, in MCP's shapes. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  mimeType: string;
}

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export interface Resources {
  readonly templates: readonly { uriTemplate: string; name: string; mimeType: string }[];
  /** The latest ones; older ones can be read all the same. */
  list(): Promise<readonly Resource[]>;
  /** Undefined where there is no such resource. Rejects where it cannot be told now. */
  read(uri: string): Promise<ResourceText | undefined>;
}
