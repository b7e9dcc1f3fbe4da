// HTML as tagged templates: every value is escaped unless it is markup made here.

/** Markup that is safe to send. Only {@link html} makes it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
  toString() {
    return this.markup;
  }
}

type Content = Html | string | number | false | null | undefined | readonly Content[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

const render = (content: Content): string => {
  if (content instanceof Html) return content.markup;
  if (Array.isArray(content)) return content.map(render).join('');
  if (content === false || content === null || content === undefined) return '';
  return String(content).replace(/[&<>"'`]/g, (character) => entities[character] as string);
};

/**
 * Markup with its values escaped. Lists are joined; `false`, `null` and `undefined` leave nothing. Always quote
 * attributes.
 */
export const html = (strings: TemplateStringsArray, ...values: Content[]) =>
  new Html(strings.reduce((markup, part, index) => markup + render(values[index - 1]) + part));
