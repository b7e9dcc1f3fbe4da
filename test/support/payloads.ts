// Attacks in a name, a title or an answer: vectors, and their wrappings and encodings. Scripts among them call
// `canary()`; loads go to `evil.example`.

export interface Payload {
  /** Its kind, for the messages of tests. */
  readonly kind: string;
  readonly text: string;
}

const run = 'canary()';
const evil = 'https://evil.example';

const elements = [
  `<script>${run}</script>`,
  `<SCRIPT SRC=${evil}/x.js></SCRIPT>`,
  `<img src=x onerror=${run}>`,
  `<img src=${evil}/track.png>`,
  `<svg onload=${run}>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${run}"><text x=20 y=20>x</text></a></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.${run}</script>"></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${run}>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src="javascript:parent.${run}">`,
  `<object data="javascript:${run}">`,
  `<embed src="javascript:${run}">`,
  `<video><source onerror=${run}></video>`,
  `<audio src=${evil}/x.mp3 autoplay>`,
  `<details open ontoggle=${run}>x</details>`,
  `<input autofocus onfocus=${run}>`,
  `<body onload=${run}>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<a href="javascript:${run}">x</a>`,
  `<a href="${evil}">x</a>`,
  `<form action="${evil}"><button>x</button></form>`,
  `<button formaction="${evil}">x</button>`,
  `<base href="${evil}/">`,
  `<meta http-equiv=refresh content="0;url=${evil}/">`,
  `<link rel=stylesheet href="${evil}/x.css">`,
  `<style>@import url(${evil}/x.css);</style>`,
  `<style>*{background:url(${evil}/x.png)}</style>`,
  `<p style="position:fixed;inset:0;background:red">x</p>`,
  `<dialog open>x</dialog>`,
  '<plaintext>',
  '<xmp><b>',
  '<!-- hidden',
  '<![CDATA[<b>x</b>]]>',
  '<?xml version="1.0"?><b>x</b>',
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<template shadowrootmode=open><script>${run}</script></template>`,
  `<bdo dir=rtl>desrever</bdo>`,
];

/** They break out of any context. */
const breakouts = [
  `"><script>${run}</script>`,
  `'><img src=x onerror=${run}>`,
  `" onmouseover="${run}`,
  `' onmouseover='${run}`,
  `\` onmouseover=\`${run}`,
  `x onfocus=${run} autofocus`,
  `" autofocus onfocus="${run}" x="`,
  `" style="background:url(${evil}/x.png)`,
  `"/><svg/onload=${run}>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `--><script>${run}</script>`,
  `]]><script>${run}</script>`,
  `</option></select><img src=x onerror=${run}>`,
  `';${run};//`,
  `"-${run}-"`,
  `\\"-${run}//`,
  `\u2028${run}`,
  `}*{background:url(${evil}/x.png)}`,
  `;background:url(${evil}/x.png)`,
  `expression(${run})`,
];

const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `vbscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  'file:///etc/passwd',
  `${evil}/login`,
  `${evil}@good.example/`,
  'http://2130706433/',
  '//evil.example/x',
  '\\\\evil.example\\share',
  'www.evil.example',
  'go to evil.example now',
  'mailto:mallory@evil.example',
  'mallory@evil.example',
  'tel:+19005550100',
];

const markdown = [
  `[x](${evil})`,
  `![x](${evil}/track.png)`,
  `[![x](${evil}/track.png)](${evil})`,
  `<${evil}>`,
  `[x]: ${evil} "x"`,
  `[x][y]\n\n[y]: ${evil}`,
  `[x](javascript:${run})`,
  `[x](<javascript:${run}>)`,
  `[x](&#106;avascript:${run})`,
  `[x](data:text/html,<script>${run}</script>)`,
  `[x](${evil} "onmouseover=${run}")`,
  '# heading',
  '- item\n- item',
  '1. item',
  '> quote',
  '**bold** and _em_ and ~~gone~~',
  '`code` and ```block```',
  '| a | b |\n|---|---|\n| c | d |',
  'x\n===',
  '---',
  '[ ] task',
  'note[^1]\n\n[^1]: x',
  '\\[formula\\] $$x$$',
  ':smile: @mention #tag',
];

const templates = [
  '{{DATE(2026-11-20T14:32:00Z, SHORT)}}',
  '{{TIME(2026-11-20T14:32:00Z)}}',
  '{{DATE(2026-11-20T14:32:00Z,LONG)}} {{$root}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what it looks like
  '${$root} ${if(true, 1, 2)}',
  '{name}',
  '{0}',
  '{',
  "}'{'",
  "{n, plural, one {#} other {'#'}}",
  '{x, select, other {<b>{x}</b>}}',
  '{d, date, ::yyyyMMdd}',
  '{{accountHolder}} {{ text }}',
  `{{constructor.constructor('${run}')()}}`,
  `<%= ${run} %> #{7*7} @{7*7} *{7*7}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: likewise
  '${{<%[%\'"}}%\\.',
  '%s %d %n %x $& $1 $`',
  '__proto__',
  'constructor',
  'toString',
];

const unicode = [
  'invoice\u202efdp.exe',
  '\u2066abc\u2069\u2067def\u2069',
  '\u200fمرحبا\u200e',
  'مي تاناكا',
  'שלום עולם',
  'a\u200bb\u200cc\u200dd\u2060e\ufefff',
  'soft\u00adhyphen',
  'pаypаl (with Cyrillic а)',
  'ｆｕｌｌｗｉｄｔｈ ＜script＞',
  '‹script› «script» ˂script˃',
  `z${'\u0300'.repeat(200)}`,
  '\ufdfa\ufdfb',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\u{e0041}\u{e0042} tag characters',
  'variation\ufe0f\ufe0e',
  'line\u2028separator\u2029paragraph',
  'no\u00a0break\u3000wide',
  'ﬁ ﬂ ² ½ Ⅷ',
  'İıſK',
  '田中芽衣',
  'Łucja Ñandú Ωμέγα Жанна',
  'x'.repeat(400),
  'W'.repeat(200),
  '!'.repeat(300),
];

const headers = [
  'x\r\nBcc: mallory@evil.example',
  'x\nSet-Cookie: a=b',
  `x\r\n\r\n<script>${run}</script>`,
  'x\r\n.\r\nMAIL FROM:<mallory@evil.example>\r\n',
  'x%0d%0aBcc: mallory@evil.example',
  'x\u010d\u010aBcc: mallory@evil.example',
  '=?utf-8?q?x=0d=0aBcc:_mallory=40evil.example?=',
  '"Mei" <mei@example.com>, mallory@evil.example',
  'Mei <mallory@evil.example>',
  'mei@example.com, mallory@evil.example',
  'x; filename="evil.exe"',
  "x; filename*=UTF-8''evil.exe",
  'charset=utf-7',
  '../../../etc/passwd',
  '..\\..\\windows\\system32',
  'CON',
  '.htaccess',
  'report.pdf.exe',
];

const others = [
  '=HYPERLINK("https://evil.example","x")',
  "+1+1+cmd|' /C calc'!A0",
  '@SUM(1+1)',
  "'; DROP TABLE requests; --",
  "' OR '1'='1",
  '$(id) `id` | id; id',
  '{"a":[1,{"b":null}]}',
  ') /OpenAction << /S /JavaScript /JS (app.alert(1)) >> (',
  '\\) Tj ET BT (x',
  '@bank.example #123456',
  'null',
  '0',
];

const core = [
  `<script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `"><svg onload=${run}>`,
  `[x](javascript:${run})`,
  `<a href="${evil}">x</a>`,
];
const inEveryLetter = (text: string, encode: (letter: string) => string) => text.replace(/[<>"'=:/()[\]]/g, encode);
const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, '0');
/** A text after a place that decodes once too often. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'by name': (text) => text.replace(/[<>"]/g, (letter) => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter),
  'in decimal': (text) => inEveryLetter(text, (letter) => `&#${letter.charCodeAt(0)};`),
  'in hexadecimal, with no end': (text) => inEveryLetter(text, (letter) => `&#x${hex(letter)}`),
  'as in an address': (text) => inEveryLetter(text, (letter) => `%${hex(letter)}`),
  'twice, as in an address': (text) => inEveryLetter(text, (letter) => `%25${hex(letter)}`),
  'as in JSON': (text) => inEveryLetter(text, (letter) => `\\u00${hex(letter)}`),
  'as in a style sheet': (text) => inEveryLetter(text, (letter) => `\\${hex(letter)} `),
  'in UTF-7': (text) => text.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
  'with backslashes': (text) => inEveryLetter(text, (letter) => `\\${letter}`),
};

const kinds = { elements, breakouts, addresses, markdown, templates, unicode, headers, others };

/** All of them, each once. */
export const payloads: readonly Payload[] = [
  ...Object.entries(kinds).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text }))),
  ...Object.entries(encodings).flatMap(([kind, encode]) => core.map((text) => ({ kind, text: encode(text) }))),
];
