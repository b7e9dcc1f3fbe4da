import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** The files of the program that contain it. */
const filesWith = (pattern: RegExp) => globSync('{src,dialogs,cards}/**/*.ts').filter((file) => pattern.test(readFileSync(file, 'utf8')));

describe('there is one mechanism for', () => {
  it('rows that are due: one claim, and one queue', () => {
    assert.deepEqual(filesWith(/\bskipLocked\(|SKIP LOCKED/i), ['src/platform/database/claim-rows.ts']);
    assert.deepEqual(filesWith(/\bmakeScheduler\(/), ['src/platform/retry-queue.ts']);
  });

  it('limits that a process counts', () => {
    assert.deepEqual(filesWith(/from 'rate-limiter-flexible'/), ['src/platform/limits.ts']);
  });

  it('pages: their head, and what they may load', () => {
    assert.deepEqual(filesWith(/rel="icon"|script-src/), ['src/platform/pages/page.ts']);
  });

  it('the colours of pages', () => {
    const sheets = globSync('src/**/assets/**/*.css', { exclude: ['**/dist'] }).filter((file) =>
      /^ *--accent:/m.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(sheets, ['src/platform/pages/assets/tokens.css']);
  });

  it('signing in: sessions, and the ways to begin one', () => {
    assert.deepEqual(filesWith(/\bmakeSessions</), ['src/sign-in/sessions.ts', 'src/sign-in/sign-in.ts']);
    assert.deepEqual(filesWith(/\bsessions\.begin\(/).sort(), ['src/sign-in/link-sign-in.ts', 'src/sign-in/openid/openid-sign-in.ts']);
  });

  it('texts: the languages, and the messages that are filled in', () => {
    assert.deepEqual(filesWith(/\['en', 'de'/), ['src/platform/text/languages.ts']);
    assert.deepEqual(filesWith(/\.format\(new Proxy\(|new IntlMessageFormat\([^)]*\)\.format\(/), ['src/platform/text/messages.ts']);
  });
});
