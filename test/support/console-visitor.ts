// A visitor of a test service's console: signed in by its link, as a program or in a browser.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/service/console/store.ts';
import type { Reply, Sending, TestService } from './running-service.ts';

export interface ConsoleVisitor {
  readonly cookie: string;
  /** Requests a page as the signed-in browser. */
  get(path: string): Promise<Reply>;
  /** Posts one of the console's own forms. */
  post(path: string, sending?: Sending): Promise<Reply>;
}

/** Uses up the link that the service printed at this start. */
export const signInAt = async (service: TestService, role: Role = 'operator', zone = 'Europe/Madrid'): Promise<ConsoleVisitor> => {
  const link = service.running.consoleUrl ?? '';
  const { status, headers } = await service.open('POST', new URL(link).pathname, { body: new URLSearchParams({ role, zone }) });
  assert.equal(status, 303);
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
  return {
    cookie,
    get: (path) => service.open('GET', path, { headers: { cookie } }),
    post: (path, { body = new URLSearchParams(), headers: more } = {}) =>
      service.open('POST', path, { body, headers: { cookie, ...more } }),
  };
};

/** Signs in with a real browser. */
export const enterConsole = async (page: Page, service: TestService, button = 'Sign in') => {
  await page.goto(service.running.consoleUrl ?? '');
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
};
