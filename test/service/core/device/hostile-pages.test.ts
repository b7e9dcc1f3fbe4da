import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPrintable, plainText } from '../../../../src/service/pdf/printable.ts';
import { launchBrowser, type TestBrowser } from '../../../support/browser.ts';
import { enterConsole } from '../../../support/console-visitor.ts';
import { asRead, type HostilePage, openHostilePage, readingOf, skeletonOf, waysOut } from '../../../support/hostile-page.ts';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import { payloads } from '../../../support/payloads.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

/** As the catalogue keeps them. */
const hostile = payloads.map(({ text }) => text.trim());
const harmless = hostile.map((_, index) => `Word ${index}`);
const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
const uuid = (kind: string, index: number) => `${kind}0000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const blankless = (text: string) => !/\{\{\s*\w+\s*\}\}/.test(text);
/** Which of the texts a document may hold: the others are refused when the catalogue is read. */
const printable = hostile.map((text, index) => [text, index] as const).filter(([text]) => isPrintable(plainText(text)) && blankless(text));

const perForm = 24;
const kinds = [
  (label: string) => ({ type: 'Input.Text', label, placeholder: label, maxLength: 2000, errorMessage: label }),
  (label: string) => ({ type: 'Input.Text', label, isMultiline: true, maxLength: 2000, errorMessage: label }),
  (label: string) => ({ type: 'Input.Toggle', label, title: label, errorMessage: label }),
  (label: string) => ({ type: 'Input.ChoiceSet', label, choices: [{ title: label, value: label.slice(0, 200) }], errorMessage: label }),
  (label: string) => ({
    type: 'Input.ChoiceSet',
    style: 'expanded',
    isMultiSelect: true,
    label,
    choices: [{ title: label, value: label.slice(0, 200) }],
    errorMessage: label,
  }),
  (label: string) => ({ type: 'Input.Number', label, errorMessage: label }),
];
const formOf = (texts: readonly string[], index: number) => ({
  id: uuid('f', index),
  title: texts[0],
  introduction: texts[1],
  body: [
    { type: 'Input.Text', id: 'required', label: 'Required', isRequired: true },
    ...texts.map((label, place) => ({ id: `i${place}`, ...kinds[(place + index) % kinds.length]?.(label) })),
  ],
});
/** A form whose answers are what is hostile. */
const answersForm = (count: number, index: number) => ({
  id: uuid('a', index),
  title: `Answers ${index}`,
  body: [
    { type: 'Input.Text', id: 'required', label: 'Required', isRequired: true },
    ...Array.from({ length: count }, (_, place) => ({
      type: 'Input.Text',
      id: `i${place}`,
      label: 'Answer',
      isMultiline: place % 2 === 0,
      maxLength: 2000,
    })),
  ],
});

const groups = inGroups(hostile, perForm);

/** Double brackets stand around an optional passage of a document, and a catalogue with half a pair is refused. */
const asParagraph = (text: string) => text.replaceAll(/\[\[|\]\]/g, '[');

/** The demo account with these texts wherever its file may have one. */
const catalogueOf = (folder: string, texts: readonly string[]) =>
  ownCatalogue(folder, (file) => {
    file.customers.push(
      ...texts.map((name, index) => ({
        id: `hostile-${String(index).padStart(4, '0')}`,
        name,
        email: `c${index}@example.com`,
        phoneNumber: `+1202556${String(index).padStart(4, '0')}`,
      })),
    );
    file.products = texts.map((title, index) => ({
      id: `p${index}`,
      title,
      description: texts[(index + 1) % texts.length],
      price: '1.00',
      currency: 'EUR',
    }));
    const own = printable.map(([, index]) => texts[index] ?? '');
    file.documents = inGroups(own, 30).map((several, index) => ({
      id: uuid('d', index),
      title: several[0],
      paragraphs: several.map(asParagraph),
      variables: several.map((label, place) => ({ name: `v${place}`, label, type: 'choice', choices: [label], required: false })),
    }));
    file.forms = [
      ...inGroups(texts, perForm).map(formOf),
      ...inGroups(texts, perForm).map(({ length }, index) => answersForm(length, index)),
    ];
  });

describe('untrusted texts on the pages of the service', function () {
  this.timeout(120_000);
  let browser: TestBrowser;
  const folders: string[] = [];
  const services: TestService[] = [];
  const screens: HostilePage[] = [];
  const start = async (texts: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-hostile-'));
    folders.push(folder);
    const service = await startTestService({ catalogueFile: catalogueOf(folder, texts) });
    services.push(service);
    return service;
  };
  let bad: TestService;
  let good: TestService;
  let screen: HostilePage;
  before(async () => {
    browser = await launchBrowser();
    bad = await start(hostile);
    good = await start(harmless);
    screen = await openHostilePage(browser);
    screens.push(screen);
  });
  after(async () => {
    for (const one of screens) await one.close();
    await browser.close();
    for (const service of services) await service.close();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  afterEach(() => assert.deepEqual(screen.harm, []));

  /** The page has the elements that it has with harmless texts, leads nowhere else, and reads as it was written. */
  const isAsWritten = async (texts: readonly string[], expected: readonly string[], what: string) => {
    const { page } = screen;
    assert.deepEqual(await skeletonOf(page), expected, what);
    assert.deepEqual(await waysOut(page), [], what);
    const reading = await readingOf(page);
    for (const text of texts) assert.ok(reading.includes(asRead(text)), `${what} does not show ${JSON.stringify(text)}`);
  };
  const linkFor = async (service: TestService, path: string, body: object) => {
    const { status, text } = await service.call('POST', path, { body });
    assert.equal(status, 200, text);
    return (await service.outbox())[0]?.link ?? '';
  };

  for (const scripts of [false, true]) {
    it(`are shown as plain text in labels, choices and titles of a form, ${scripts ? 'by the library of cards' : 'without scripts'}`, async () => {
      const screenHere = scripts ? screen : await openHostilePage(browser, { javaScriptEnabled: false });
      if (!scripts) screens.push(screenHere);
      for (const [index, texts] of groups.entries()) {
        const body = { ...sendBody('e-form'), formId: uuid('f', index) };
        const skeletons = [];
        for (const service of [good, bad]) {
          await screenHere.page.goto(await linkFor(service, '/e-form/send', body));
          if (scripts) await screenHere.page.locator('.ac-adaptiveCard').waitFor();
          skeletons.push(await skeletonOf(screenHere.page));
        }
        assert.deepEqual(skeletons[1], skeletons[0], `form ${index}`);
        assert.deepEqual(await waysOut(screenHere.page), []);
        const reading = await readingOf(screenHere.page);
        for (const text of texts) assert.ok(reading.includes(asRead(text)), `form ${index} does not show ${JSON.stringify(text)}`);
        assert.deepEqual(screenHere.harm, []);
      }
    });
  }

  it('are shown as plain text in answers on a form that is shown again', async () => {
    const plain = await openHostilePage(browser, { javaScriptEnabled: false });
    screens.push(plain);
    for (const [index, texts] of groups.entries()) {
      const body = { ...sendBody('e-form'), formId: uuid('a', index) };
      const skeletons = [];
      for (const answers of [texts.map((_, place) => `Word ${place}`), texts]) {
        await plain.page.goto(await linkFor(bad, '/e-form/send', body));
        await plain.page.locator('form').evaluate((form: HTMLFormElement, answers) => {
          form.noValidate = true;
          for (const [place, answer] of answers.entries()) (form.elements.namedItem(`a.i${place}`) as HTMLInputElement).value = answer;
        }, answers);
        await plain.page.locator('button[value=accept]').click();
        await plain.page.locator('#summary').waitFor();
        skeletons.push(await skeletonOf(plain.page));
      }
      assert.deepEqual(skeletons[1], skeletons[0], `form ${index}`);
      const kept = await plain.page
        .locator('[name^="a.i"]')
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
      // A field of one line holds no lines.
      const asEntered = texts.map((text, place) => (place % 2 === 0 ? text : text.replace(/[\r\n]/g, '')));
      assert.deepEqual(kept.map(asRead), asEntered.map(asRead));
      assert.deepEqual(plain.harm, []);
    }
  });

  it('are shown as plain text in products, at the sandbox too', async () => {
    const { page } = screen;
    const linksFor = async (service: TestService, indices: readonly number[]) => {
      for (const index of indices) {
        const { status, text } = await service.call('POST', '/payments/send', {
          body: { ...sendBody('payments'), productId: `p${index}` },
        });
        assert.equal(status, 200, text);
      }
      return (await service.outbox())
        .slice(0, indices.length)
        .map(({ link }) => link ?? '')
        .toReversed();
    };
    const visit = async (link: string, further: boolean) => {
      await page.goto(link, { waitUntil: 'domcontentloaded' });
      const pages = [{ skeleton: await skeletonOf(page), reading: await readingOf(page) }];
      if (!further) return pages;
      await Promise.all([page.waitForURL(/\/sandbox\//), page.locator('button[value=accept]').click()]);
      return [...pages, { skeleton: await skeletonOf(page), reading: await readingOf(page) }];
    };
    const expected = await visit((await linksFor(good, [0]))[0] ?? '', true);
    // Two texts on each page: a title, and the next one's as the description.
    for (const indices of inGroups(
      hostile.flatMap((_, index) => (index % 2 ? [] : [index])),
      40,
    )) {
      const links = await linksFor(bad, indices);
      for (const [position, index] of indices.entries()) {
        const found = await visit(links[position] ?? '', position % 8 === 0);
        const [title = '', description = ''] = [hostile[index], hostile[(index + 1) % hostile.length]].map((text) => asRead(text ?? ''));
        for (const [step, { skeleton, reading }] of found.entries()) {
          assert.deepEqual(skeleton, expected[step]?.skeleton, title);
          assert.ok(reading.includes(title) && (step > 0 || reading.includes(description)), `${title} or ${description} is not shown`);
        }
      }
    }
  });

  it('are shown as plain text in paragraphs of a document', async () => {
    const { page } = screen;
    for (const [index, own] of inGroups(printable, 30).entries()) {
      const skeletons = [];
      for (const [service, texts] of [
        [good, harmless],
        [bad, hostile],
      ] as const) {
        const variables = Object.fromEntries(own.map(([, place], position) => [`v${position}`, texts[place] ?? '']));
        await page.goto(
          await linkFor(service, '/document-signature/send', {
            ...sendBody('document-signature'),
            documentId: uuid('d', index),
            variables,
          }),
        );
        skeletons.push(await skeletonOf(page));
      }
      await isAsWritten(
        own.map(([text]) => plainText(asParagraph(text))),
        skeletons[0] ?? [],
        `document ${index}`,
      );
    }
  });

  it('are shown as plain text in inputs at the console', async () => {
    const { page } = screen;
    const skeletons: Record<string, readonly string[]> = {};
    for (const service of [good, bad]) {
      await enterConsole(page, service);
      for (const path of ['customers', 'products', 'documents', 'forms']) {
        await page.goto(`${service.running.baseUrl.replace('127.0.0.1', 'localhost')}/console/${path}`);
        if (service === good) skeletons[path] = await skeletonOf(page);
        else await isAsWritten(path === 'documents' ? printable.map(([text]) => text) : hostile, skeletons[path] ?? [], path);
      }
    }
  });

  it('are shown as plain text in answers at the console', async () => {
    const { page } = screen;
    for (const [index, texts] of groups.entries()) {
      const ids = [];
      for (const answers of [texts.map((_, place) => `Word ${place}`), texts]) {
        const { json } = await bad.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId: uuid('a', index) } });
        const link = (await bad.outbox())[0]?.link ?? '';
        const fields = Object.fromEntries(answers.map((answer, place) => [`a.i${place}`, answer]));
        const { status, text } = await bad.open('POST', link, {
          body: new URLSearchParams({ decision: 'accept', 'a.required': 'x', ...fields }),
        });
        assert.equal(status, 200, text);
        ids.push(json.requestId as string);
      }
      const at = async (id: string | undefined) => {
        await page.goto(`${bad.running.baseUrl.replace('127.0.0.1', 'localhost')}/console/requests/${id}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
      };
      await at(ids[0]);
      const expected = await skeletonOf(page);
      await at(ids[1]);
      await isAsWritten(texts, expected, `answers ${index}`);
    }
  });

  it('are shown as plain text in messages in the outbox', async () => {
    const { page } = screen;
    const send = async (service: TestService, name: string, subject: string, message: string) => {
      const body = { ...sendBody('passkeys'), subject, message, recipients: [{ email: 'r@example.com', name }] };
      const { status, text } = await service.call('POST', '/passkeys/send', { body });
      assert.equal(status, 200, text);
    };
    const itemsOf = async (service: TestService) => {
      await service.running.settled();
      await page.goto(`${service.running.outboxUrl}`);
      return page
        .locator('#messages > li')
        .evaluateAll((items) => items.map((item) => [...item.querySelectorAll('*')].map(({ localName }) => localName).join(' ')));
    };
    await send(good, 'Mei', 'Subject', 'Message');
    const [expected] = await itemsOf(good);
    for (const texts of inGroups(
      hostile.filter((text) => text.length <= 500),
      90,
    )) {
      for (const [index, text] of texts.entries()) await send(bad, text, texts.at(index - 1) ?? '', text);
      const items = await itemsOf(bad);
      assert.deepEqual([...new Set(items.slice(0, texts.length))], [expected]);
      const reading = await readingOf(page);
      for (const text of texts) assert.ok(reading.includes(asRead(text)), `the outbox does not show ${JSON.stringify(text)}`);
    }
  });
});
