// Strings that strangers may put into a name, a title or an answer.
import { choices, confirmCard, documentVariables, enterCode, notice, outcomeCard, type Texts, waiting } from '../../cards/index.ts';
import type { AppId, ResultRecord } from '../../src/contract/index.ts';
import { sampleInstant as at, resultSamples } from '../../src/gallery/sample-data.ts';

export const hostileStrings = [
  '[click here](https://evil.example)',
  '![x](https://evil.example/track.png)',
  '[ref]: https://evil.example',
  '<https://evil.example>',
  'https://evil.example/login',
  'go to evil.example now',
  'www.evil.example',
  '//evil.example/x',
  'mail j@evil.example',
  '**bold** and __bold__ and *em* and _em_',
  '~~gone~~ `code` ```block```',
  '# heading',
  '## heading ##',
  '- item',
  '* item',
  '+ item',
  '1. item',
  '1) item',
  '> quote',
  '---',
  '***',
  '===',
  '| a | b |',
  '<b>bold</b><img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<!-- hidden -->',
  '&lt;b&gt; &copy; &#60;',
  '\\*backslash\\*',
  '\\[formula\\] \\(formula\\) $$formula$$',
  '{{DATE(2026-11-20T14:32:00Z, SHORT)}}',
  '{{TIME(2026-11-20T14:32:00Z)}}',
  '{name} {{name}}',
  '[x](javascript:alert(1))',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'first\n# second\n[third](https://evil.example)',
  'tab\tand\u0000control\u0007',
  '\u202Egpj.exe',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  'x'.repeat(5000),
] as const;

/** Cards with a string in every place that a customer, the service or a form can fill. */
export const hostileCards = (text: string, t: Texts) => {
  const outcome = (app: AppId, fields: object) =>
    outcomeCard(
      app,
      { status: 'success', at, subject: text, result: { ...resultSamples[app]('success'), ...fields } as ResultRecord, actions: [] },
      t,
    );
  const addressee = { customer: text, phone: text };
  const variables = ['text', 'number', 'date', 'boolean', 'choice', text].map((type, index) => ({
    name: `${text}${index}`,
    type,
    required: true,
    ...(type === 'choice' && { choices: [text] }),
  }));
  const values = Object.fromEntries(variables.map(({ name }) => [name, text]));
  const action = { title: text, id: 'x' };
  return [
    choices({ question: text, text, choices: [{ action, subtitle: text, aside: text }], actions: [action] }, t),
    notice({ title: text, text, tone: 'warning' }, t),
    confirmCard('document-signature', { ...addressee, document: text, variables, values }, [action], t),
    confirmCard('payments', { ...addressee, product: { title: text, description: text, price: 1, currency: text } }, [action], t),
    confirmCard('e-form', { ...addressee, form: text }, [action], t),
    documentVariables(
      {
        document: text,
        variables,
        values,
        faults: { [`${text}0`]: 'required' },
        next: action,
        actions: [],
      },
      t,
    ),
    enterCode({ phone: text, check: action, actions: [] }, t),
    waiting({ app: 'passkeys', to: text, progress: {}, code: text, actions: [action] }, t),
    outcome('passkeys', { action: text }),
    outcome('payments', { product: text, amount: 1, currency: text, gateway: text, transactionId: text, gatewayUrl: text }),
    outcome('document-signature', { title: text, url: text }),
    outcome('e-form', { data: [{ type: text, key: text, value: { [text]: [text] } }] }),
  ];
};
