import type { Attachment } from '../model/ticket.ts';
import { inSpans, markdownSpans } from '../base/markdown-spans.ts';

const linked = /(!?)\[([^\][\n]{0,500})\]\((https?:\/\/[^\s()]{1,2000})(?:\s+["'][^"'\n]{0,500}["'])?\s*\)/g;
const imageTag = /<(?:img|video)\b[^<>]{0,1500}?\ssrc\s*=\s*["']?(https?:\/\/[^\s"'<>]{1,2000})/gi;
const bareUpload = /https:\/\/[^\s/()<>"'`]{1,200}\/(?:user-attachments\/(?:assets|files)|[^\s/()<>"'`]{1,100}\/[^\s/()<>"'`]{1,100}\/files)\/[^\s()<>"'`]{1,500}/g;
const imageName = /\.(png|jpe?g|gif|webp|svg|bmp|avif|mp4|mov|webm)(?:$|[?#])/i;
const fileName = /\.(log|txt|csv|json|xml|ya?ml|har|zip|t?gz|7z|pdf|docx?|xlsx?|pcap|dmp|trace|patch|diff)(?:$|[?#])/i;

/**
 * Images and files that a Markdown text links to. They are named, never fetched: a picture's address tells its host who reads the
 * ticket. Each counts as not readable until somebody gives its content.
 */
export function linkedAttachments(text: string): Attachment[] {
  const spans = markdownSpans(text);
  const found = new Map<string, Attachment>();
  const add = (index: number, url: string, name: string, isImage: boolean): void => {
    if (inSpans(spans, index) || found.has(url) || found.size >= 500) return;
    found.set(url, { name: name.trim() || nameOf(url), url, readable: false, ...(isImage ? { mediaType: mediaTypeOf(url) } : {}) });
  };
  for (const match of text.matchAll(linked)) {
    const [, bang, label = '', url = ''] = match;
    if (bang === '!') add(match.index, url, label, true);
    else if (isUpload(url) || fileName.test(url) || imageName.test(url)) add(match.index, url, label, imageName.test(url));
  }
  for (const match of text.matchAll(imageTag)) add(match.index, match[1] ?? '', /\salt\s*=\s*"([^"]{0,200})"/i.exec(match[0])?.[1] ?? '', true);
  for (const match of text.matchAll(bareUpload)) {
    if (isUpload(match[0])) add(match.index, match[0], '', match[0].includes('/assets/'));
  }
  return [...found.values()];
}

function isUpload(url: string): boolean {
  return /\/user-attachments\/(?:assets|files)\/|\/files\/\d+\/|user-images\.githubusercontent\.com/.test(url);
}

function nameOf(url: string): string {
  const last = url.replace(/[?#].*$/, '').split('/').at(-1) ?? '';
  return last === '' ? url : last;
}

function mediaTypeOf(url: string): string {
  const extension = imageName.exec(url)?.[1]?.toLowerCase() ?? '';
  if (['mp4', 'mov', 'webm'].includes(extension)) return `video/${extension}`;
  return extension === '' ? 'image/*' : `image/${extension === 'jpg' ? 'jpeg' : extension === 'svg' ? 'svg+xml' : extension}`;
}
