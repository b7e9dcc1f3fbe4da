// Seals the answers of a form to a text that only the account can read.
const { card, jose: address, seal } = document.querySelector('[data-card]').dataset;
const { requestId, formId, key, alg, enc } = JSON.parse(seal);

// Loaded as the page is, before the network may be lost. An import that has failed fails for the life of the page, but
// with another query string it is another module.
let encrypter;
let failures = 0;
const loadEncrypter = () => {
  encrypter ??= import(failures === 0 ? address : `${address}?retry=${failures}`).catch((fault) => {
    encrypter = undefined;
    failures += 1;
    throw fault;
  });
  return encrypter;
};
loadEncrypter().catch(() => {});

/** A choice among several as the account knows it, not by its place in the list. */
const named = ({ type, key: id, value }) => {
  const { choices } = JSON.parse(card).body.find((one) => one.id === id);
  return { type, key: id, value: type === 'choices' ? value.map((index) => choices[index].answer) : value };
};

/** The sealed text; undefined if this browser cannot encrypt. Rejects if what encrypts cannot be loaded now. */
globalThis.sealAnswers = async (answers) => {
  const { CompactEncrypt } = await loadEncrypter();
  // Bound inside, so that nobody can move it to another request.
  const text = new TextEncoder().encode(JSON.stringify({ requestId, formId, answers: answers.map(named) }));
  return new CompactEncrypt(text)
    .setProtectedHeader({ alg, enc, kid: key.kid })
    .encrypt(key)
    .catch(() => undefined);
};
