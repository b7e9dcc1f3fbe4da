// The audit trail as a PDF: the request, every entry, and the end of the chain; sealed like a signed document.
import type { AuditTrail } from '../../../contract/index.ts';
import type { Language } from '../../../platform/text/languages.ts';
import { isoDay } from '../../../platform/time/clock.ts';
import type { Paper } from '../../pdf/paper.ts';
import { printable } from '../../pdf/printable.ts';
import type { SealFile } from '../../pdf/sealing.ts';
import type { Account } from '../accounts.ts';
import type { AppContext } from '../app-context.ts';
import { Download } from '../download.ts';
import type { Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';
import { type Action, actions } from './actions.ts';

type Entry = AuditTrail['entries'][number];

/** Where the table's columns begin, in points from the left margin. */
const columns = { number: 0, when: 26, who: 140, what: 268 };
const rowSize = 8.5;
const smallSize = 7.5;

/** Certifies an intact trail, in a language: a PDF sealed with the service's key, named after its subject and day. */
export const makeCertify =
  ({ subjectOf, texts, clock }: AppContext, sealFile: SealFile) =>
  async (account: Pick<Account, 'name'>, request: Request, trail: AuditTrail, language: Language): Promise<Download> => {
    // Loaded with its PDF library, which most starts never need.
    const { openPaper } = await import('../../pdf/paper.ts');
    const words = texts(language);
    const { t } = words;
    const at = clock.now();
    const paper = await openPaper({ title: `${t('audit.title')} · ${trail.id}`, language, author: account.name, at });
    const { regular, bold, print, skip } = paper;

    print(printable(account.name), regular, 10, 14, { quiet: true });
    skip(10);
    print(t('audit.title'), bold, 20, 26);
    skip(12);
    for (const [label, value] of factsOf(request, trail, words, at)) {
      // Nothing is known about a customer who was erased.
      if (value === '') continue;
      paper.need(16);
      print(label, regular, 9, 15, { quiet: true, width: 120 });
      skip(-15);
      print(printable(value), regular, 10, 15, { x: 120 });
    }
    skip(12);
    print(t('audit.whole', { count: trail.entries.length }), regular, 10, 15);
    skip(10);
    printHead(paper, words);
    for (const entry of trail.entries) printEntry(paper, entry, words);
    paper.need(50);
    skip(14);
    print(t('audit.head'), bold, 9, 14);
    print(trail.head.hash, regular, 9, 14);
    const file = await paper.finish(printable(`${account.name} · ${trail.id}`), (page, pages) => t('audit.page', { page, pages }));
    const name = [t('audit.title'), subjectOf(request, words), words.day(isoDay(at))];
    return new Download(await sealFile(file, at), name);
  };

const factsOf = (request: Request, { id, app, state }: AuditTrail, { t, instant }: Texts, at: number): [string, string][] => [
  [t('audit.request'), id],
  [t('audit.app'), t(`app.${app}`)],
  [t('audit.state'), t(`audit.state.${state}`)],
  [t('audit.customer_ref'), request.customerRef],
  [t('audit.session_ref'), request.sessionRef],
  ...(request.phoneNumber === undefined ? [] : ([[t('audit.phone'), request.phoneNumber]] as [string, string][])),
  [t('audit.accepted'), instant(request.createdAt)],
  [t('audit.made'), instant(at)],
];

const printHead = (paper: Paper, { t }: Texts) => {
  paper.need(80);
  for (const name of ['number', 'when', 'who', 'what'] as const) {
    paper.print(t(`audit.${name}`), paper.bold, rowSize, 14, { x: columns[name] });
    paper.skip(-14);
  }
  paper.skip(14);
  paper.rule();
};

const printEntry = (paper: Paper, entry: Entry, words: Texts) => {
  const { t } = words;
  const { regular, bold } = paper;
  const from = [entry.ip, entry.userAgent].filter((part) => part !== null).join(', ');
  // A fact's name and value stay on one line.
  const facts = Object.entries(entry.detail).map(([name, value]) => `${printable(name)}:\u00a0${printable(String(value))}`);
  const details = [...(from === '' ? [] : [printable(t('audit.from', { from }))]), ...facts].join(' · ');
  // An entry is kept on one page: its columns, the lines of its details, its digest.
  const detailLines = details === '' ? 0 : paper.linesOf(details, regular, smallSize, paper.column - columns.when);
  if (paper.need(14 * 2 + 11 * (detailLines + 1) + 8)) printHead(paper, words);
  const cells = [
    [columns.number, columns.when, String(entry.seq), regular],
    [columns.when, columns.who, entry.timestamp.replace('T', ' ').replace('Z', ''), regular],
    [columns.who, columns.what, actorIn(entry.actor, t), regular],
    [columns.what, paper.column, actionIn(entry.action, t), bold],
  ] as const;
  const top = paper.y;
  const bottoms = cells.map(([x, end, text, font]) => {
    paper.print(printable(text), font, rowSize, 14, { x, width: end - x - 6 });
    const bottom = paper.y;
    paper.skip(bottom - top);
    return bottom;
  });
  paper.skip(top - Math.min(...bottoms));
  if (details !== '') paper.print(details, regular, smallSize, 11, { x: columns.when, quiet: true });
  paper.print(t('audit.digest', { digest: entry.hash }), regular, smallSize, 11, { x: columns.when, quiet: true });
  paper.skip(4);
  paper.rule();
};

/** Who acted, in words. @param actor - as an entry has it */
export const actorIn = (actor: string, t: Texts['t']): string => {
  const [kind = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  switch (kind) {
    case 'account':
      return t('audit.actor.account', { key: name });
    case 'operator':
      return t('audit.actor.operator', { name });
    case 'customer':
    case 'system':
      return t(`audit.actor.${kind}`);
    default:
      return actor;
  }
};

const isAction = (action: string): action is Action => actions.some((known) => known === action);

/** An action in words, or as it is stored if this version does not know it. */
const actionIn = (action: string, t: Texts['t']): string => (isAction(action) ? t(`audit.action.${action}`) : action);
