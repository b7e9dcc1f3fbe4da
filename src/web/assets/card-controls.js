// What the page adds to the controls of Web Chat's cards: a press shows at once, a passcode submits itself and shows its
// error at the field, and what cannot be answered any more looks like it.

/** Longer than most answers take (ms): only then is the customer shown that the bot is busy. */
const noticeable = 400;
/** And for so long (ms), if there is no answer. */
const longest = 60_000;

/** How long (ms) *Send again* rests after it was pressed: services send nothing again sooner. */
const restsFor = 30_000;

/** Six digits of any script, perhaps in groups. */
const isWhole = (code) => /^\p{Nd}{6}$/u.test(code.replace(/[\s-]/g, ''));

/** Presses the card's main button, once for each code. */
const submit = (input) => {
  const card = input.closest('.ac-adaptiveCard');
  if (!card.hasAttribute('data-busy')) card.querySelector('.ac-pushButton.style-positive')?.click();
};

const asPasscode = (input) => {
  // Phones offer the code of a message that has just arrived (HTML, autofill `one-time-code`). A card cannot ask for it.
  input.autocomplete = 'one-time-code';
  input.inputMode = 'numeric';
  input.addEventListener('keydown', ({ key, isComposing }) => key === 'Enter' && !isComposing && submit(input));
  input.addEventListener('input', () => {
    showWrong(input, undefined);
    if (isWhole(input.value)) submit(input);
  });
  const wrong = input.closest('.ac-adaptiveCard').querySelector('#code-wrong');
  if (!wrong) return;
  // Its last part is the text, after the mark.
  const text = wrong.lastElementChild;
  text.id = 'code-wrong-text';
  showWrong(input, text);
  wrong.scrollIntoView({ block: 'nearest' });
};

const showWrong = (input, wrong) => {
  input.classList.toggle('ac-input-validation-failed', wrong !== undefined);
  input.ariaInvalid = wrong ? 'true' : null;
  if (wrong) input.setAttribute('aria-errormessage', wrong.id);
  else input.removeAttribute('aria-errormessage');
};

/**
 * Looks after the cards in `host`. Call `sending` when the customer sends something, and `answered` when something
 * comes back; `typing` shows for so many milliseconds that the bot is busy, and `changed` follows what the chat shows.
 */
export const lookAfterCards = (host, { changed, typing }) => {
  let pressed;
  let timer;
  let restsUntil = 0;
  const press = (event) => {
    if (event.type !== 'click' && event.key !== 'Enter' && event.key !== ' ') return;
    pressed = event.target.closest('.ac-pushButton, .ac-selectable') ?? undefined;
    if (pressed?.id !== 'resend' || pressed.ariaDisabled !== 'true') return;
    pressed = undefined;
    event.stopPropagation();
    event.preventDefault();
  };
  host.addEventListener('click', press, true);
  host.addEventListener('keydown', press, true);

  const tidy = () => {
    changed();
    for (const resend of host.querySelectorAll('.ac-adaptiveCard #resend')) {
      const rests = performance.now() < restsUntil;
      if ((resend.ariaDisabled === 'true') !== rests) resend.ariaDisabled = rests ? 'true' : null;
    }
    for (const input of host.querySelectorAll('.ac-adaptiveCard #code input:not([autocomplete])')) asPasscode(input);
    // Web Chat makes every button of a card one that stays pressed.
    for (const button of host.querySelectorAll('.ac-pushButton[aria-pressed]')) button.removeAttribute('aria-pressed');
    // The quick replies are not news.
    for (const replies of host.querySelectorAll('[role="toolbar"][aria-live="polite"]')) replies.setAttribute('aria-live', 'off');
    // A number reads as it was typed, in a language from right to left too.
    for (const said of host.querySelectorAll('.webchat__bubble--from-user p:not([dir])'))
      said.dir = /\p{L}/u.test(said.textContent) ? 'auto' : 'ltr';
    // Asked again in the same words, a question is answered below.
    const asked = new Map();
    for (const card of host.querySelectorAll('.ac-adaptiveCard:has(.ac-pushButton, .ac-selectable)')) {
      asked.get(card.textContent)?.setAttribute('inert', '');
      asked.set(card.textContent, card);
    }
  };
  new MutationObserver(tidy).observe(host, { childList: true, subtree: true, attributeFilter: ['aria-pressed'] });

  let shown = false;
  const answered = () => {
    clearTimeout(timer);
    if (shown) typing(0);
    shown = false;
    for (const one of host.querySelectorAll('[data-busy], [data-pressed]'))
      for (const name of ['busy', 'pressed']) delete one.dataset[name];
  };
  return {
    answered,
    sending: () => {
      answered();
      if (pressed?.id === 'resend') {
        restsUntil = performance.now() + restsFor;
        setTimeout(tidy, restsFor);
        tidy();
      }
      if (pressed?.isConnected) {
        pressed.dataset.pressed = '';
        pressed.closest('.ac-adaptiveCard').dataset.busy = '';
      }
      pressed = undefined;
      timer = setTimeout(() => {
        shown = true;
        typing(longest);
        timer = setTimeout(answered, longest);
      }, noticeable);
    },
  };
};
