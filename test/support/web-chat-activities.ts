// One of everything that Web Chat shows: markdown, cards with each element and input, Bot Framework's cards, files,
// carousels, suggested actions.
const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const choices = ['1', '2'].map((value) => ({ title: `Choice ${value}`, value }));
const text = (words: string) => ({ type: 'TextBlock', text: words });
const button = { type: 'imBack', title: 'Go', value: 'go' };

const adaptive = (content: object) => ({
  contentType: 'application/vnd.microsoft.card.adaptive',
  content: { type: 'AdaptiveCard', version: '1.6', ...content },
});
const framework = (kind: string, content: object) => ({ contentType: `application/vnd.microsoft.card.${kind}`, content });

const attachments = [
  adaptive({
    body: [
      { ...text('**bold** [link](https://example.com) {{DATE(2026-11-20T14:32:00Z, SHORT)}}'), style: 'heading' },
      { type: 'RichTextBlock', inlines: ['plain', { type: 'TextRun', text: 'bold', weight: 'Bolder' }] },
      { type: 'Image', url: pixel, altText: 'a dot' },
      { type: 'FactSet', facts: [{ title: 'Amount', value: '**1**' }] },
      { type: 'ColumnSet', columns: [{ type: 'Column', items: [text('left')] }] },
      { type: 'Table', columns: [{ width: 1 }], rows: [{ type: 'TableRow', cells: [{ type: 'TableCell', items: [text('cell')] }] }] },
      { type: 'Carousel', pages: ['one', 'two'].map((page) => ({ type: 'CarouselPage', items: [text(page)] })) },
      { type: 'Media', sources: [{ mimeType: 'audio/mpeg', url: 'data:audio/mpeg,' }] },
    ],
  }),
  adaptive({
    body: [
      { type: 'Input.Text', id: 'line', label: 'Line', isRequired: true, errorMessage: 'Fill it in' },
      { type: 'Input.Text', id: 'lines', label: 'Lines', isMultiline: true },
      { type: 'Input.Number', id: 'number', label: 'Number', min: 1 },
      { type: 'Input.Date', id: 'date', label: 'Date' },
      { type: 'Input.Time', id: 'time', label: 'Time' },
      { type: 'Input.Toggle', id: 'toggle', title: 'Toggle' },
      { type: 'Input.ChoiceSet', id: 'compact', label: 'One', choices },
      { type: 'Input.ChoiceSet', id: 'expanded', label: 'Several', style: 'expanded', isMultiSelect: true, choices },
    ],
    actions: [
      { type: 'Action.Submit', title: 'Send', style: 'positive' },
      { type: 'Action.OpenUrl', title: 'Open', url: 'https://example.com' },
      { type: 'Action.ShowCard', title: 'More', card: { type: 'AdaptiveCard', body: [text('inside')] } },
    ],
  }),
  framework('hero', { title: 'Hero', subtitle: 'of a card', text: 'says so', images: [{ url: pixel }], buttons: [button] }),
  framework('thumbnail', { title: 'Thumbnail', images: [{ url: pixel }], tap: button }),
  framework('receipt', { title: 'Receipt', facts: [{ key: 'Order', value: '1' }], items: [{ title: 'One', price: '1' }], total: '1' }),
  framework('signin', { text: 'Sign in', buttons: [{ type: 'signin', title: 'In', value: 'https://example.com' }] }),
  { contentType: 'image/png', contentUrl: pixel, name: 'dot.png' },
  { contentType: 'application/pdf', contentUrl: 'https://example.com/a.pdf', name: 'a.pdf' },
  { contentType: 'audio/mpeg', contentUrl: 'data:audio/mpeg,', name: 'a.mp3' },
  { contentType: 'video/mp4', contentUrl: 'data:video/mp4,', name: 'a.mp4' },
  { contentType: 'text/plain', content: 'a text beside' },
];

/** The activities of a chat that shows each text as markdown, and one of everything after them. */
export const activities = (texts: readonly string[]): readonly object[] => {
  const said = [
    ...texts.map((words) => ({ text: words, textFormat: 'markdown' })),
    { text: '**as it is**', textFormat: 'plain' },
    { text: 'from the customer', from: { id: 'me', role: 'user' } },
    ...attachments.map((attachment) => ({ attachments: [attachment] })),
    { attachmentLayout: 'carousel', attachments: attachments.slice(2, 5) },
    { attachmentLayout: 'list', attachments: attachments.slice(6, 8) },
    { text: 'Which one?', suggestedActions: { actions: [{ ...button, title: 'The last of all' }] } },
  ];
  return said.map((content, index) => ({
    type: 'message',
    id: `a${index}`,
    // Two days, of which the last is today.
    timestamp: new Date(Date.UTC(2026, 10, 22, 11, 55) - (said.length - index) * 400_000).toISOString(),
    from: { id: 'bot', role: 'bot' },
    conversation: { id: 'c' },
    ...content,
  }));
};
