import assert from 'node:assert/strict';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('a page of the desk that sends without end', function () {
  this.timeout(60_000);
  let world: World;
  beforeEach(async () => {
    world = await openWorld('desk');
  });
  afterEach(async () => {
    await world.close();
  });

  it('is disconnected after a hundred frames in ten seconds, also after it has come back', async () => {
    const agent = world.desk();
    for (let count = 0; count < 1000; count++) agent.send({ type: 'running', on: count % 2 === 0 });
    await until(() => agent.closed() !== undefined, 'the end of the connection');
    assert.equal(agent.closed(), 1008);
    await agent.connect();
    agent.send({ type: 'running', on: true });
    await until(() => agent.closed() !== undefined, 'the end of the connection');
    assert.equal(agent.closed(), 1008);
  });
});
