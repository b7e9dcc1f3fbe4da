// Hands the panel that opened this window what it signs in with.
const { code } = document.body.dataset;
window.opener?.postMessage({ panelCode: code }, location.origin);
window.close();
