// The page: the diagram, the chat in a frame, and the controls. Nothing runs on it but its own script.
import type { Answer } from '../platform/http/http-server.ts';
import { sharedStyles } from '../platform/pages/assets.ts';
import { answerPage } from '../platform/pages/page.ts';
import { type Html, html } from '../platform/text/html.ts';
import type { Parts } from './view.ts';

/** @param chatPath - the path at which the chat page can be framed */
export const designerPage = (
  parts: Parts,
  assets: Readonly<Record<'designer.css' | 'designer.js' | (typeof sharedStyles)[number], string>>,
  chatPath: string,
): Answer =>
  answerPage({
    language: 'en',
    title: 'Designer · Countersign',
    allowed: { connect: [], frames: true },
    styles: [...sharedStyles, 'designer.css' as const].map((name) => assets[name]),
    scripts: [assets['designer.js']],
    body: html`<body>
<header>
<h1>Designer</h1>
<label class="flow"><span>Flow</span> ${parts.names}</label>
<p id="connection" role="status" hidden>The bot does not answer. This page continues as soon as it does.</p>
</header>
<main>
<section class="drawing" aria-label="The flow">${parts.diagram}</section>
<section class="controls" aria-label="What happens next">${parts.endings}${parts.clock}</section>
<div class="reports">${parts.problems}${parts.funnel}</div>
</main>
<aside aria-label="The chat"><iframe title="The chat" src="${chatPath}"></iframe></aside>
</body>`,
  });

/** Only the parts, for the page's script. */
export const partsAlone = ({ names, diagram, endings, clock, problems, funnel }: Parts, run: string): Html =>
  html`<html lang="en"><head><title>Designer</title></head><body data-run="${run}">${names}${diagram}${endings}${clock}${problems}${funnel}</body></html>`;
