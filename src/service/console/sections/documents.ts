// The documents of the catalogue, each shown as a sheet with its blanks marked.

import { inLanguage } from '../../../platform/text/direction.ts';
import { html } from '../../../platform/text/html.ts';
import { blank, type Variable } from '../../core/catalogue/document.ts';
import { type Column, code, head, nothing, table } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';

export const documents: ConsoleSection = {
  path: '/documents',
  title: 'console.documents.title',
  icon: 'M14 3H6v18h12V7zM14 3v4h4M9 12h6M9 16h6',
  role: 'viewer',
  answer: ({ words, accounts }) => {
    const { t, named } = words;
    const columnsIn = (language: string): readonly Column<Variable>[] => [
      [t('console.documents.variable'), ({ name }) => code(name)],
      [t('console.documents.label'), ({ label }) => html`<span ${inLanguage(language)}>${label}</span>`],
      [
        t('console.documents.type'),
        ({ type, currency, choices }) =>
          html`${named(`console.variable.${type}`)}${currency && ` (${currency})`}${choices && html` <span class="quiet">${choices.join(', ')}</span>`}`,
      ],
      [t('console.documents.required'), ({ required }) => t(required ? 'page.yes' : 'page.no')],
    ];
    const shown = accounts.all.flatMap(({ account, language, documents: all }) =>
      all.map(({ id, title, paragraphs, variables }) => {
        const labels = new Map(variables.map(({ name, label }) => [name, label]));
        return html`<section class="preview" aria-labelledby="${id}"><div class="preview-head"><h2 id="${id}" ${inLanguage(language)}>${title}</h2>${code(id)}${accounts.all.length > 1 && html`<span class="tag">${account.name}</span>`}</div>
          <div class="paper" ${inLanguage(language)}><p class="paper-title">${title}</p>${paragraphs.map((text) => html`<p>${marked(text, labels)}</p>`)}</div>
          ${variables.length > 0 && table(title, columnsIn(language), variables)}</section>`;
      }),
    );
    return {
      title: t('console.documents.title'),
      body: html`${head(t('console.documents.title'), t('console.catalogue.lead'))}${shown.length > 0 ? shown : nothing(t('console.catalogue.nothing'))}`,
    };
  },
};

/** A paragraph with the label of each blank in its place. */
const marked = (text: string, labels: ReadonlyMap<string, string>) =>
  text.split(blank).map((part, index) => (index % 2 === 0 ? part : html`<mark>${labels.get(part) ?? part}</mark>`));
