// Keeps the keyboard focus when a card is redrawn: Web Chat replaces its elements, and the focus would be lost with
// them.
const messageSelector = '.webchat__basic-transcript__activity';
const controlSelector = 'button, input, select, textarea, a[href], [role="button"]';

const takesText = 'input, textarea, select, [contenteditable]';

/** The message box. */
export const sendBox = (host) => host.querySelector('[data-id="webchat-sendbox-input"]');

/** Offers the keyboard for a phone number, and those that the browser knows, while the bot asks for one (`takes`). */
export const offerKeyboard = (box, takes) => {
  const isTel = takes === 'tel';
  if (box && (box.inputMode === 'tel') !== isTel)
    Object.assign(box, { inputMode: isTel ? 'tel' : 'text', autocomplete: isTel ? 'tel' : '' });
};

const nameOf = (control) => control.getAttribute('aria-label') ?? control.getAttribute('placeholder');
const controlsIn = (message) => [...message.querySelectorAll(controlSelector)];

/**
 * Within `host`, moves the focus from a card's control to the one that replaces it, or to the field that is wrong. If
 * there is none, from a button to the transcript, where the arrow keys work, and from a field to the message box.
 */
export const keepFocus = (host) => {
  let held;
  host.addEventListener('focusin', ({ target }) => {
    const message = target.closest(messageSelector);
    held = message && { message, control: target, name: nameOf(target), place: controlsIn(message).indexOf(target) };
  });
  // A click elsewhere ends this, even if nothing takes the focus.
  document.addEventListener('pointerdown', () => {
    held = undefined;
  });
  const without = (message, control) => (control.matches(takesText) ? sendBox(host) : message.closest('[role="group"]'));
  const successor = ({ message, name, place, control }) => {
    const controls = controlsIn(message);
    return (
      message.querySelector('[aria-invalid="true"]') ??
      controls.find((control) => nameOf(control) === name) ??
      controls[place] ??
      without(message, control)
    );
  };
  new MutationObserver(() => {
    if (!held || held.control.isConnected || document.activeElement !== document.body) return;
    // There is a moment with nothing between the old card and its replacement, a card or the line that says what was
    // chosen.
    if (held.message.querySelector('.ac-adaptiveCard, .webchat__text-content')) successor(held)?.focus({ preventScroll: true });
  }).observe(host, { childList: true, subtree: true });
};

/**
 * Text typed while no input has the focus goes to the message box: after a press on a tile, the focus is still on the
 * tile.
 */
export const typeToSendBox = (host) => {
  document.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey, isComposing, defaultPrevented } = event;
    if (defaultPrevented || isComposing || altKey || ctrlKey || metaKey) return;
    // The space bar presses what has the focus, or scrolls.
    if ([...key].length !== 1 || key === ' ') return;
    if (target.closest(takesText) || document.querySelector('dialog[open]')) return;
    sendBox(host)?.focus();
  });
};
