// What agents write in an editor that stores CommonMark, as the plain text that every channel shows.
import MarkdownIt from 'markdown-it';

// Link definitions take quadratic time, and no agent's editor writes them.
const markdown = new MarkdownIt('commonmark').disable('reference');
type Token = ReturnType<typeof markdown.parse>[number];

/** CommonMark as plain text: lines and lists stay, emphasis goes, and links show their address. */
export const plainText = (text: string): string => {
  let all = '';
  let lastLine = 0;
  let [quotes, lists] = [0, 0];
  let marker = '';
  const add = (words: string, [from, to]: readonly [number, number]) => {
    const margin = '> '.repeat(quotes) + '  '.repeat(Math.max(0, lists - 1));
    const hanging = lists > 0 ? '  ' : '';
    const before = all === '' ? '' : from > lastLine ? '\n\n' : '\n';
    all += `${before}${margin}${marker || hanging}${words.trimEnd().replaceAll('\n', `\n${margin}${hanging}`)}`;
    [marker, lastLine] = ['', to];
  };
  for (const token of markdown.parse(text, {})) {
    const { children, content, info, map, markup, nesting, type } = token;
    if (type === 'blockquote_open' || type === 'blockquote_close') quotes += nesting;
    else if (/_list_(open|close)$/.test(type)) lists += nesting;
    else if (type === 'list_item_open') marker = `${info}${markup} `;
    // An item without words.
    else if (type === 'list_item_close' && marker !== '') add('', [lastLine, lastLine]);
    else if (nesting === 0) add(type === 'inline' ? inline(children ?? []) : type === 'hr' ? markup : content, map ?? [lastLine, lastLine]);
  }
  return all.trim() || text.trim();
};

const inline = (tokens: readonly Token[]): string => {
  let all = '';
  const links: { readonly at: number; readonly url: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'softbreak' || token.type === 'hardbreak') all += '\n';
    else if (token.type === 'image') all += linked(token.content, token.attrGet('src') ?? '');
    else if (token.type === 'link_open') links.push({ at: all.length, url: token.attrGet('href') ?? '' });
    else if (token.type === 'link_close') {
      const { at = 0, url = '' } = links.pop() ?? {};
      all = `${all.slice(0, at)}${linked(all.slice(at), url)}`;
    } else all += token.content;
  }
  return all;
};

/** A label with its address, unless they are the same. */
const linked = (label: string, url: string): string => {
  const shown = markdown.normalizeLinkText(url);
  if (label === '' || label === shown || `mailto:${label}` === shown) return label || shown;
  return `${label} (${shown})`;
};
