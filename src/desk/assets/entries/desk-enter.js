// Hands a sign-in code to the panel that opened this window.
const { code } = document.body.dataset;
window.opener?.postMessage({ panelCode: code }, location.origin);
window.close();
