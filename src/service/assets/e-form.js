// Shows a form's inputs with the Adaptive Cards library, and posts the answers: plainly, or sealed (sealed-form.js).
const place = document.querySelector('[data-card]');
const form = place.closest('form');
const definition = { ...JSON.parse(place.dataset.card), rtl: place.dir === 'rtl' };
const seal = place.dataset.seal && JSON.parse(place.dataset.seal);
const plain = [...place.children];

const status = document.createElement('p');
status.setAttribute('role', 'status');
status.lang = document.documentElement.lang;
status.dir = document.documentElement.dir;

const say = (text) => {
  status.textContent = text;
  place.before(status);
};

/** The library knows no modules. It has ten seconds. */
const load = (address) =>
  new Promise((resolve, reject) => {
    setTimeout(reject, 10_000);
    const script = document.createElement('script');
    script.nonce = document.querySelector('script[nonce]').nonce;
    script.src = address;
    script.onload = () => resolve(globalThis.AdaptiveCards);
    script.onerror = reject;
    document.head.append(script);
  });

// Looks come from the page's stylesheet.
const looks = {
  fontFamily: 'inherit',
  fontSizes: { small: 15, default: 16, medium: 16, large: 18, extraLarge: 20 },
  fontWeights: { lighter: 400, default: 400, bolder: 600 },
  lineHeights: { small: 22, default: 24, medium: 24, large: 26, extraLarge: 28 },
  spacing: { small: 6, default: 8, medium: 14, large: 20, extraLarge: 24 },
  containerStyles: {
    default: {
      backgroundColor: 'transparent',
      foregroundColors: {
        default: { default: 'var(--text)', subtle: 'var(--subtle)' },
        attention: { default: 'var(--attention)', subtle: 'var(--attention)' },
      },
    },
  },
  inputs: {
    label: { inputSpacing: 'small', requiredInputs: { weight: 'bolder' }, optionalInputs: { weight: 'bolder' } },
    errorMessage: { color: 'attention', size: 'small', spacing: 'small' },
  },
};

const controlsOf = ({ renderedElement }) => [...renderedElement.querySelectorAll('input, select, textarea')];
const definitionOf = ({ id }) => definition.body.find((one) => one.id === id);

/** What the library leaves undone. */
const finish = (input) => {
  const [first, ...more] = controlsOf(input);
  // Nothing posts answers but this script.
  for (const [index, control] of [first, ...more].entries()) {
    control.setAttribute('form', 'answered-by-script');
    control.dataset.draft = `${input.id} ${index}`;
  }
  const { autocomplete, isMultiSelect, style } = definitionOf(input);
  if (autocomplete) first.autocomplete = autocomplete;
  input.renderedElement.id = `field-a-${input.id}`;
  input.renderedElement.tabIndex = -1;
  const choices = input.renderedElement.querySelector('.ac-choiceSetInput-expanded, .ac-choiceSetInput-multiSelect');
  if (!choices) return;
  choices.setAttribute('role', isMultiSelect || style !== 'expanded' ? 'group' : 'radiogroup');
  choices.setAttribute('aria-labelledby', input.renderedElement.firstElementChild.id);
};

const showErrors = (inputs) => {
  for (const { path, message } of JSON.parse(place.dataset.errors)) {
    const input = inputs.find(({ id }) => `a.${id}` === path);
    if (!input) continue;
    const text = document.createElement('p');
    Object.assign(text, { className: 'error', id: `field-a-${input.id}-error`, textContent: message, lang: status.lang, dir: status.dir });
    input.renderedElement.append(text);
    const [control] = controlsOf(input);
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby', text.id);
  }
};

/** Undefined for one left open. A toggle is always yes or no. */
const answerOf = (input) => {
  const one = definitionOf(input);
  switch (one.type) {
    case 'Input.Toggle':
      return { type: 'toggle', value: input.value === 'true' };
    case 'Input.Number':
      return Number.isFinite(input.value) ? { type: 'number', value: input.value } : undefined;
    case 'Input.ChoiceSet':
      if (!input.value) return undefined;
      return one.isMultiSelect ? { type: 'choices', value: input.value.split(',').map(Number) } : { type: 'choice', value: input.value };
    default: {
      const value = (input.value ?? '').trim();
      return value === '' ? undefined : { type: one.type.replace('Input.', '').toLowerCase(), value };
    }
  }
};

/** Says what is wrong, and goes to the first such input. */
const check = (inputs) => {
  const wrong = inputs.filter((input) => {
    const [control] = controlsOf(input);
    // The library takes an empty number for one that is too small.
    const asked = input.isRequired || answerOf(input) !== undefined;
    const fits = !control.validity.badInput && (!asked || input.validateValue());
    control.setAttribute('aria-invalid', String(!fits));
    return !fits;
  });
  const [first] = wrong.map((input) => controlsOf(input)[0]);
  if (first && !first.validity.badInput) first.focus();
  else first?.reportValidity();
  return wrong.length === 0;
};

const field = (name, value) => {
  const hidden = document.createElement('input');
  Object.assign(hidden, { type: 'hidden', name, value });
  hidden.dataset.answer = '';
  form.append(hidden);
  return true;
};

const postPlainly = (answers) => {
  for (const { key, type, value } of answers) {
    if (type === 'choices') for (const index of value) field(`a.${key}.${index}`, 'on');
    else if (type !== 'toggle') field(`a.${key}`, String(value));
    else if (value) field(`a.${key}`, 'on');
  }
};

const onSubmit = (inputs) => (event) => {
  if (event.submitter?.value !== 'accept' || form.querySelector('[data-answer]') || check(inputs)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Adds the answers to a post that will arrive. */
const onSending = (inputs) => (event) => {
  if (event.detail.submitter?.value !== 'accept') return;
  const answers = inputs.flatMap((input) => {
    const answer = answerOf(input);
    return answer ? [{ key: input.id, ...answer }] : [];
  });
  if (!seal) return postPlainly(answers);
  const sealed = globalThis.sealAnswers(answers);
  event.detail.waitUntil(sealed.then((text) => (text ? field(seal.field, text) : say(place.dataset.unusable))));
};

/** Enter in a field sends the form, as it does where the field belongs to one. */
const onKey = (event) => {
  if (event.key !== 'Enter' || !event.target.matches('input:not([type=checkbox], [type=radio])')) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector('button[value=accept]'));
};

const show = (AdaptiveCards) => {
  const card = new AdaptiveCards.AdaptiveCard();
  // Texts are texts, not markdown.
  AdaptiveCards.AdaptiveCard.onProcessMarkdown = () => {};
  Object.assign(AdaptiveCards.GlobalSettings, { useMarkdownInRadioButtonAndCheckbox: false, setTabIndexAtCardRoot: false });
  card.hostConfig = new AdaptiveCards.HostConfig(looks);
  // Told at once, the library takes nothing for its own presets.
  card.hostConfig.spacing.padding = 0;
  card.hostConfig.inputs.label.requiredInputs.suffix = '';
  card.parse(definition);
  const element = card.render();
  const inputs = card.getAllInputs();
  for (const input of inputs) finish(input);
  showErrors(inputs);
  form.addEventListener('submit', onSubmit(inputs), { capture: true });
  form.addEventListener('sending', onSending(inputs));
  place.addEventListener('keydown', onKey);
  place.addEventListener('input', ({ target }) => target.removeAttribute('aria-invalid'));
  place.replaceChildren(element);
  form.dispatchEvent(new Event('rendered'));
  for (const button of form.querySelectorAll('[data-scripted]')) button.disabled = false;
};

const start = async () => {
  // Encrypting takes a page that came over a secure connection.
  if (seal && !globalThis.crypto?.subtle) return say(place.dataset.unusable);
  place.replaceChildren();
  say(place.dataset.loading);
  try {
    show(await load(place.dataset.library));
    status.remove();
  } catch {
    // The inputs that the page came with do as well. A sealed form has none.
    place.replaceChildren(...plain);
    if (!seal) return status.remove();
    const { offline, unreachable } = document.querySelector('[data-unsent]').dataset;
    say(navigator.onLine ? unreachable : offline);
    setTimeout(start, 5000);
  }
};
start();
const withdraw = () => {
  for (const answer of form.querySelectorAll('[data-answer]')) answer.remove();
};
form.addEventListener('unsent', withdraw);
addEventListener('pageshow', withdraw);
