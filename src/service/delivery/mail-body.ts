// An e-mail's two bodies: plain text, and HTML that says the same with its link as a button. Nothing in it is loaded from anywhere.
import { html } from '../../platform/html.ts';
import type { Texts } from '../texts.ts';
import type { Message } from './message.ts';

/** What changes at night, for the programs that read it; it must outdo the styles of the elements. */
const night = html`@media (prefers-color-scheme: dark) {
  body { background: #0f1419 !important; color: #e8edf2 !important; }
  .card { background: #1a2129 !important; border-color: #33404d !important; }
  .quiet { color: #a3b1bf !important; border-color: #33404d !important; }
  .plain { color: #4fd1c0 !important; }
  .button { background: #4fd1c0 !important; color: #06231f !important; }
}`;

/** The message as a mail program shows it. Styles stand in the elements, since many programs drop a stylesheet. */
export const mailBody = ({ subject, text, link, language }: Message, { t }: Texts): { readonly text: string; readonly html: string } => {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  const shown = paragraphs.filter((paragraph) => paragraph !== '' && (link === undefined || !paragraph.includes(link)));
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
  const button =
    link !== undefined &&
    html`<p style="margin:28px 0">
        <a class="button" href="${link}" style="display:inline-block;padding:14px 28px;border-radius:10px;background:#0b6b62;color:#ffffff;font-weight:600;text-decoration:none">${t('mail.open')}</a>
      </p>
      <p class="quiet" style="margin:0 0 16px;font-size:13px;color:#566472">${t('mail.copy')}<br><a class="plain" href="${link}" style="color:#0b6b62;word-break:break-all">${link}</a></p>`;
  const page = html`<html lang="${language}"><head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>${subject ?? ''}</title>
      <style>${night}</style>
    </head><body style="margin:0;padding:24px 16px;background:#f3f5f7;color:#17212b;${font};font-size:16px;line-height:1.5">
      <div class="card" style="max-width:520px;margin:0 auto;padding:32px;border:1px solid #d8dfe6;border-radius:14px;background:#ffffff;overflow-wrap:anywhere">
        ${subject !== undefined && html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>`}
        ${shown.map((paragraph) => html`<p style="margin:0 0 16px;white-space:pre-line">${paragraph}</p>`)}
        ${button}
        <p class="quiet" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #d8dfe6;font-size:13px;color:#566472">${t('mail.unexpected')}</p>
      </div>
    </body></html>`;
  return { text: `${text}\n\n${t('mail.unexpected')}\n`, html: `<!doctype html>${page.markup}` };
};
