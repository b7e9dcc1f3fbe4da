// A flow, and a dialog of a bot that is not ours, tested without a network.
import assert from 'node:assert/strict';
import { type SettleBillOutcome, settleBill } from 'countersign/dialogs';
import { type StageApps, stageDialog, stageFlow } from 'countersign/testing';

const flow = await stageFlow('settle-bill');
await flow.say('settle my bill');
await flow.device('passkeys', 'success');
await flow.say('Fibre router');
await flow.device('payments', 'failure');
await flow.device('payments', 'success');
assert.equal(flow.ended(), 'success');
await flow.close();
console.log('the flow is as it should be');

const dialog = ({ dialogs }: StageApps) => settleBill('settle', { dialogs });
const stage = await stageDialog<object, SettleBillOutcome>({ dialog, options: { phoneNumber: '+12025550102', productId: 'fibre-router' } });
await stage.begin();
await stage.device('passkeys', 'success');
await stage.advance(60_000);
await stage.device('payments', 'success');
assert.equal(stage.result()?.paid, true);
await stage.close();
console.log('the dialog is as it should be');
