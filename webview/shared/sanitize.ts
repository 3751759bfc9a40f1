import DOMPurify from 'dompurify';

/** Second line behind `html: false`: only the tags and attributes that our own renderer makes can come through. */
const allowed = {
  ALLOWED_TAGS: ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'a', 'span', 'button', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ALLOWED_ATTR: ['href', 'title', 'rel', 'class', 'type', 'role', 'tabindex', 'aria-label', 'start', 'data-file', 'data-line', 'data-end-line'],
  FORBID_TAGS: ['style', 'script', 'img', 'svg', 'math', 'form', 'input', 'iframe', 'object', 'link'],
  FORBID_ATTR: ['style', 'id', 'name', 'srcset', 'src'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  // DOMPurify holds every other attribute's value to that expression too, unless it is named here.
  ADD_URI_SAFE_ATTR: ['type', 'rel', 'tabindex', 'start', 'aria-label', 'data-file', 'data-line', 'data-end-line'],
  RETURN_DOM_FRAGMENT: true as const,
};

/** A fragment that is safe to put into the page. */
export function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, allowed);
}
