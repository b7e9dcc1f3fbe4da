// An e-mail's two bodies: plain text, and HTML with the same words, its link as a button, and the sender's name and
// colours. Nothing in it is loaded from anywhere: a linked logo would tell who reads a mail and when, an attached one
// appears as a paper clip, and either may be unreadable on a background that the program chooses. Text is not.

import type { Look } from '../../platform/pages/look.ts';
import type { Colours } from '../../platform/pages/theme.ts';
import { directionOf, inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import type { Message } from '../core/messages/message.ts';
import { linksIn } from '../core/pages/brand.ts';
import type { Texts } from '../core/texts.ts';

/** The sender's look. Without a name the mail has no header; without colours it has the service's own. */
export type MailBrand = Pick<Look, 'colours' | 'links' | 'name'>;

/** The colours of pages (tokens.css). */
const usual: Colours = {
  light: { accent: '#0b5d57', text: '#ffffff', link: '#0b5d57', soft: '#e0f2ef' },
  dark: { accent: '#6fd3c5', text: '#06201d', link: '#6fd3c5', soft: '#17362f' },
};

/** Dark mode, for mail programs that support it; it must override the elements' styles. */
const night = ({ dark }: Colours) => html`@media (prefers-color-scheme: dark) {
  body { background: #0f1419 !important; color: #e8edf2 !important; }
  .card { background: #1a2129 !important; border-color: #33404d !important; }
  .quiet { color: #a3b1bf !important; border-color: #33404d !important; }
  .plain { color: ${dark.link} !important; }
  .mark, .button { background: ${dark.accent} !important; color: ${dark.text} !important; }
}`;

/** The message as HTML. Styles are inline, as many mail programs drop style sheets. */
export const mailBody = (
  { subject, text, link, number, language }: Message,
  texts: Texts,
  { name, colours = usual, links }: MailBrand,
): { readonly text: string; readonly html: string } => {
  const { t } = texts;
  const { light } = colours;
  const about = linksIn(links, texts);
  // Many mail programs only know left and right.
  const end = directionOf(language) === 'rtl' ? 'left' : 'right';
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const shown = paragraphs.filter((paragraph) => paragraph !== '' && (link === undefined || !paragraph.includes(link)));
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
  const button =
    link !== undefined &&
    html`<p style="margin:28px 0">
        <a class="button" href="${link}" style="display:inline-block;padding:14px 28px;border-radius:10px;background:${light.accent};color:${light.text};font-weight:600;text-decoration:none">${t('mail.open')}</a>
      </p>
      <p class="quiet" style="margin:0 0 16px;font-size:13px;color:#566472">${t('mail.copy')}<br><a class="plain" href="${link}" style="color:${light.link};word-break:break-all">${link}</a></p>`;
  const mark = `display:inline-block;width:28px;margin-${end}:10px;border-radius:8px;text-align:center;line-height:28px;background:${light.accent};color:${light.text}`;
  const head =
    name !== undefined &&
    html`<p style="max-width:520px;margin:0 auto;padding:0 4px 12px;font-weight:600;overflow-wrap:anywhere"><span class="mark" aria-hidden="true" style="${mark}">${[...name][0]}</span>${name}</p>`;
  const page = html`<html ${inLanguage(language)}><head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>${subject ?? ''}</title>
      <style>${night(colours)}</style>
    </head><body style="margin:0;padding:24px 16px;background:#f3f5f7;color:#17212b;${font};font-size:16px;line-height:1.5">
      <div role="main" ${inLanguage(language)}>${head}
      <div class="card" style="max-width:520px;margin:0 auto;padding:32px;border:1px solid #d8dfe6;border-radius:14px;background:#ffffff;overflow-wrap:anywhere">
        ${subject !== undefined && html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>`}
        ${shown.map((paragraph) => html`<p style="margin:0 0 16px;white-space:pre-line">${paragraph}</p>`)}
        ${number !== undefined && html`<p style="margin:0 0 16px;font-size:40px;line-height:1.2;font-weight:700;letter-spacing:4px;text-align:center">${number}</p>`}
        ${button}
        <p class="quiet" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #d8dfe6;font-size:13px;color:#566472">${t('mail.unexpected')}</p>
        ${about.length > 0 && html`<p class="quiet" style="margin:16px 0 0;font-size:13px;color:#566472">${about.map(({ address, title }) => html`<a class="plain" href="${address}" style="display:inline-block;margin-${end}:16px;color:${light.link}">${title}</a>`)}</p>`}
      </div></div>
    </body></html>`;
  const foot = [t('mail.unexpected'), ...about.map(({ address, title }) => `${title}: ${address}`)].join('\n');
  return { text: `${text}\n\n${foot}\n`, html: `<!doctype html>${page.markup}` };
};
