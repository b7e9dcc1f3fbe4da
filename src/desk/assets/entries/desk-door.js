// The panel inside a platform's page for an agent who is not signed in there. Browsers keep the cookies of a framed
// page apart, so signing in opens our own window, which hands the panel a code that works in this frame only.
import { t } from 'desk-words';

const { page } = document.body.dataset;

const signIn = () => {
  const secret = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const opened = window.open(`${page}/enter?frame=${secret}`, '_blank', 'popup,width=520,height=640');
  const hear = async ({ data, origin, source }) => {
    if (origin !== location.origin || source !== opened || typeof data?.panelCode !== 'string') return;
    removeEventListener('message', hear);
    const entered = await fetch(`${page}/session`, { method: 'POST', body: new URLSearchParams({ code: data.panelCode, frame: secret }) });
    if (entered.ok) location.reload();
  };
  addEventListener('message', hear);
};

const words = document.createElement('p');
words.textContent = t('panelText');
const button = Object.assign(document.createElement('button'), { type: 'button', className: 'primary', textContent: t('signIn') });
button.addEventListener('click', signIn);
document.getElementById('desk').append(words, button);
