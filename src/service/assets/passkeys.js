// Asks the device for a passkey, or for making one, when a button says so, and posts the form with what it answered.
const { WebAuthnAbortService, browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;

const form = document.querySelector('form[data-device]');
const state = form.querySelector('[data-ceremony-state]');
const [status, cancel] = [state.querySelector('[role=status]'), state.querySelector('button')];
const address = `${location.pathname.replace(/\/$/, '')}/passkey`;
const buttons = [...form.querySelectorAll('button[name=decision]')];

const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), keepalive: true });

const show = (text, busy = false) => {
  status.textContent = text;
  state.toggleAttribute('data-busy', busy);
  cancel.hidden = !busy;
  for (const button of buttons) button.disabled = busy;
  if (busy) cancel.focus();
};
cancel.addEventListener('click', () => WebAuthnAbortService.cancelCeremony());

/**
 * What became of a ceremony that gave no answer. Cancelling, waiting too long and having no passkey look alike, and are
 * meant to.
 */
const explain = async (fault, challenge) => {
  const name = fault.cause?.name ?? fault.name;
  if (name === 'InvalidStateError') return state.dataset.known;
  if (name !== 'NotAllowedError' && name !== 'AbortError') return state.dataset.unusable;
  // Only telling; it changes nothing for the customer when it is lost.
  await post(`${address}/given-up`, { challenge }).catch(() => {});
  return state.dataset.givenUp;
};

const ask = async (purpose) => {
  const response = await post(address, { purpose, proof: form.elements.proof?.value }).catch(() => undefined);
  if (!response || response.status >= 500)
    return { text: document.querySelector('[data-unsent]').dataset[navigator.onLine ? 'unreachable' : 'offline'] };
  if (!response.ok) return { text: state.dataset.refused };
  const optionsJSON = await response.json();
  // Devices keep to the time themselves, but not all of them.
  const late = setTimeout(() => WebAuthnAbortService.cancelCeremony(), optionsJSON.timeout);
  try {
    return { answer: await (purpose === 'enrol' ? startRegistration : startAuthentication)({ optionsJSON }) };
  } catch (fault) {
    return { text: await explain(fault, optionsJSON.challenge) };
  } finally {
    clearTimeout(late);
  }
};

form.addEventListener(
  'submit',
  async (event) => {
    const button = event.submitter;
    if (!button?.hasAttribute('data-scripted') || form.elements.answer.value) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!browserSupportsWebAuthn()) return show(state.dataset.unusable);
    show(state.dataset.waiting, true);
    /** @type {{ text?: string, answer?: object }} */
    const { answer, text } = await ask(button.value).catch(() => ({ text: state.dataset.unusable }));
    show(text ?? '');
    button.focus();
    if (!answer) return;
    form.elements.answer.value = JSON.stringify(answer);
    form.requestSubmit(button);
  },
  { capture: true },
);
const withdraw = () => {
  form.elements.answer.value = '';
};
form.addEventListener('unsent', withdraw);
addEventListener('pageshow', withdraw);
// The buttons have waited for this: pressed before, they would post no answer.
show('');
