// Shows the operations, and the messages of the websocket, with Swagger UI: from the documents that programs read.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followColours();
dark.addEventListener('change', followColours);

const read = async (path) => {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
};

const titled = (title, { content: { 'application/json': json, ...files } }) => ({
  ...files,
  ...(json && { 'application/json': { ...json, schema: { title, ...json.schema } } }),
});

/**
 * The document as the page shows it: bodies have a title to open and close them by, and what all answers have in common
 * is said once. A refusal is its codes, each of which leads to its explanation.
 */
const abridged = ({ paths, ...document }) => {
  for (const { requestBody, responses } of Object.values(paths).flatMap(Object.values)) {
    if (requestBody) requestBody.content = titled('Request', requestBody);
    for (const [status, { description, ...answer }] of Object.entries(responses))
      responses[status] =
        status === '200'
          ? { description, content: titled('Answer', answer) }
          : { description: description.replace(/^`(\w+)`/gm, '[`$1`](#code-$1)') };
  }
  return { ...document, paths };
};

/** What the messages are made of, as a document of schemas. */
const ofMessages = ({ info, components }) => ({ openapi: '3.1.1', info, paths: {}, components });

const nothing = () => null;

/** The parts of Swagger UI that the page shows. They are for reading: nobody should enter a secret key into a page. */
const parts = ({ React }) => {
  const layoutOf =
    (...names) =>
    ({ getComponent }) =>
      React.createElement('div', { className: 'swagger-ui' }, ...names.map((name) => React.createElement(getComponent(name, true))));
  const mended = (selector, mend) => (Original) => (props) =>
    React.createElement('div', { ref: (place) => place?.querySelectorAll(selector).forEach(mend) }, React.createElement(Original, props));
  return {
    components: {
      OperationsLayout: layoutOf('operations', 'Webhooks'),
      MessagesLayout: layoutOf('Models'),
      JsonSchemaForm: nothing,
      authorizeOperationBtn: nothing,
    },
    wrapComponents: {
      // The label around it has the same id.
      contentType: mended('select', (select) => select.removeAttribute('id')),
      // Their table would be a region without a name, for screen readers not a table.
      responses: mended('table', (table) => table.removeAttribute('role')),
      // They stand in a section of the page, as the groups of operations do.
      Webhooks: mended('h2', (heading) => heading.setAttribute('aria-level', '3')),
    },
  };
};

const show = (spec, place, layout) =>
  globalThis.SwaggerUIBundle({
    domNode: document.getElementById(place),
    spec,
    layout,
    plugins: [parts],
    supportedSubmitMethods: [],
    defaultModelsExpandDepth: 2,
    defaultModelExpandDepth: 2,
    defaultModelRendering: 'model',
  });

const [openApi, asyncApi] = await Promise.all(['/openapi.json', '/asyncapi.json'].map(read));
show(abridged(openApi), 'reference', 'OperationsLayout');
show(ofMessages(asyncApi), 'messages', 'MessagesLayout');
