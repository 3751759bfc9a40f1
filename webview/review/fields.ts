import type { CommentPlace } from './rows.ts';

/** Where unsaved typing is kept. */
export const editField = (file: string, hunk: string): string => `edit ${file} ${hunk}`;
export const commentField = (file: string, place: CommentPlace | undefined): string => (place === undefined ? `comment ${file}` : `comment ${file} ${place.side} ${place.line}`);
