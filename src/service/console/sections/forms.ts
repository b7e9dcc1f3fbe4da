// The forms of the catalogue as customers see them, but which cannot be sent.

import { inLanguage } from '../../../platform/text/direction.ts';
import { html } from '../../../platform/text/html.ts';
import { renderInput } from '../../e-form/form-inputs.ts';
import { code, head, nothing } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';

export const forms: ConsoleSection = {
  path: '/forms',
  title: 'console.forms.title',
  icon: 'M5 4h14v16H5zM9 9h6M9 13h6M9 17h3',
  role: 'viewer',
  answer: ({ words, accounts }) => {
    const { t } = words;
    const shown = accounts.all.flatMap(({ account, language, forms: all }) =>
      all.map(({ id, title, introduction, zeroKnowledge, body }, place) => {
        // Several forms on one page: their fields need different names.
        const inputs = body.map((input) => renderInput({ ...input, id: `${account.id}-${place}-${input.id}` }, words, {}, []));
        return html`<li class="tile-card form-card"><div class="preview-head"><h2 ${inLanguage(language)}>${title}</h2>${zeroKnowledge && html`<span class="tag">${t('console.forms.sealed')}</span>`}${accounts.all.length > 1 && html`<span class="tag">${account.name}</span>`}</div>
          ${introduction && html`<p class="quiet" ${inLanguage(language)}>${introduction}</p>`}
          <fieldset class="inputs" disabled ${inLanguage(language)}><legend class="unseen">${title}</legend>${inputs}</fieldset>
          <p class="foot">${code(id)}</p></li>`;
      }),
    );
    return {
      title: t('console.forms.title'),
      body: html`${head(t('console.forms.title'), t('console.catalogue.lead'))}${shown.length > 0 ? html`<ul class="cards wide">${shown}</ul>` : nothing(t('console.catalogue.nothing'))}`,
    };
  },
};
