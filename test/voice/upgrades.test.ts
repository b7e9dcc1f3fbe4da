import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { fetch } from 'undici';
import { openWorld, type World } from '../support/hubs.ts';
import { gatewayKey, startCall } from '../support/voice-gateway.ts';

/** What an upgrade of this path, written as it is, is answered with. */
const upgrade = async (port: number, path: string, headers: Record<string, string> = {}): Promise<number | undefined> => {
  const asked = request({
    ...{ port, path, host: '127.0.0.1' },
    headers: {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' },
      ...headers,
    },
  }).end();
  const [answer] = await Promise.race([once(asked, 'response'), once(asked, 'upgrade')]);
  asked.destroy();
  return answer.statusCode;
};

describe('the voice gateway beside the people who take over', () => {
  for (const hub of ['desk', 'chatwoot'] as const)
    describe(`at ${hub}`, () => {
      let world: World;
      const port = () => world.whole.bot().port;
      const key = { authorization: `Bearer ${gatewayKey}` };
      before(async () => {
        world = await openWorld(hub, { VOICE_GATEWAY_KEY: gatewayKey, VOICE_TRANSFER: 'tel:+12025550100' });
      });
      after(() => world.close());

      it('leaves each websocket to the part that it belongs to', async () => {
        const origin = { origin: `http://127.0.0.1:${port()}` };
        for (const path of ['/desk/socket', ...(hub === 'chatwoot' ? ['/desk/panel/chatwoot/socket'] : [])])
          assert.equal(await upgrade(port(), path, origin), 401, path);
        assert.equal(await upgrade(port(), '/voice/audiocodes/conversations/c1/websocket'), 401);
        assert.equal(await upgrade(port(), '/v3/directline/conversations/c1/stream'), 403);
        assert.equal(await upgrade(port(), '/elsewhere'), 404);
      });

      it('answers an address that cannot be decoded with 400, and goes on', async () => {
        for (const path of ['/voice/audiocodes/conversations/%/websocket', '/voice/audiocodes/conversations/100%25%/websocket'])
          assert.equal(await upgrade(port(), path, key), 400, path);
        assert.equal(await upgrade(port(), '/v3/directline/conversations/%zz/stream'), 400);
        assert.equal((await fetch(`http://127.0.0.1:${port()}/healthz`)).status, 200);
      });

      it('speaks to a caller by websocket', async () => {
        const call = await startCall(world.whole, { websocket: true });
        assert.match(await call.say('help'), /What would you like to do/);
      });
    });
});
