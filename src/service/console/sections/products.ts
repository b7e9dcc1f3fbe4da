// The products of the catalogue, with their prices as customers see them.

import { inLanguage } from '../../../platform/text/direction.ts';
import { html } from '../../../platform/text/html.ts';
import { plainAmount } from '../../core/money.ts';
import { code, head, nothing } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';

export const products: ConsoleSection = {
  path: '/products',
  title: 'console.products.title',
  icon: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  role: 'viewer',
  answer: ({ words, accounts }) => {
    const { t, money, number } = words;
    const cards = accounts.all.flatMap(({ account, language, products: all }) =>
      all.map(
        ({ id, title, description, minor, currency, quantity }) =>
          html`<li class="tile-card"><div ${inLanguage(language)}><h2>${title}${quantity > 1 && ` × ${number(quantity)}`}</h2><p class="quiet">${description}</p></div>
            <p class="price">${money(plainAmount({ minor, currency }), currency)}</p>
            <p class="foot">${code(id)}${accounts.all.length > 1 && html`<span class="tag">${account.name}</span>`}</p></li>`,
      ),
    );
    return {
      title: t('console.products.title'),
      body: html`${head(t('console.products.title'), t('console.catalogue.lead'))}${cards.length > 0 ? html`<ul class="cards">${cards}</ul>` : nothing(t('console.catalogue.nothing'))}`,
    };
  },
};
