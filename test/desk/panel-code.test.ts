import assert from 'node:assert/strict';
import { signInAtDesk } from '../support/desk.ts';
import { mara, openWorld, type World } from '../support/hubs.ts';

describe('the code that signs in the panel in Chatwoot', () => {
  let world: World;
  let cookie: string;
  const path = '/desk/panel/chatwoot';
  const at = (rest: string) => `http://localhost:${world.whole.bot().port}${path}${rest}`;
  const [frame, another] = ['0123456789abcdef'.repeat(2), 'f'.repeat(32)];
  before(async () => {
    world = await openWorld('chatwoot');
    cookie = await signInAtDesk(world.whole.bot().links.desk ?? '', mara);
  });
  after(() => world.close());
  /** What the window hands to the frame that opened it. */
  const newCode = async () => {
    const answer = await fetch(at('/enter'), { method: 'POST', headers: { cookie }, body: new URLSearchParams({ frame }) });
    return /data-code="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
  };
  const enter = async (given: Record<string, string>) =>
    (await fetch(at('/session'), { method: 'POST', body: new URLSearchParams(given) })).status;

  it('works once, and not a second time', async () => {
    const code = await newCode();
    assert.deepEqual([await enter({ code, frame }), await enter({ code, frame })], [204, 401]);
  });

  it('works once, however many ask at the same time', async () => {
    const code = await newCode();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => enter({ code, frame })));
    assert.equal(statuses.filter((status) => status === 204).length, 1);
  });

  it('works in the frame alone that opened the window', async () => {
    const code = await newCode();
    assert.deepEqual([await enter({ code }), await enter({ code, frame: '' }), await enter({ code, frame: another })], [401, 401, 401]);
    assert.equal(await enter({ code, frame }), 204);
  });

  it('is made for no window that a frame has not opened', async () => {
    for (const query of ['', '?frame=', '?frame=x', `?frame=${'g'.repeat(32)}`])
      assert.equal((await fetch(at(`/enter${query}`), { headers: { cookie } })).status, 400, query);
    assert.equal((await fetch(at(`/enter?frame=${frame}`), { headers: { cookie } })).status, 200);
  });

  it('ends with the session', async () => {
    const code = await newCode();
    await fetch(at('/../../sign-out'), { method: 'POST', headers: { cookie } });
    assert.equal(await enter({ code, frame }), 401);
  });
});
