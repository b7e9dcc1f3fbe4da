import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cannot, type HubVerbs, verbsOf } from '../support/hub-verbs.ts';
import { type HubName, openWorld, rulesFile, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

// Whatever a customer says from the moment a person is offered until the person leaves reaches the hub once, in order,
// masked where it must be; or the customer is told at once that it did not. Hubs in the channel read it themselves: of
// them, only what the customer is told is checked.

/** What the customer does. Each message carries a mark of its own, by which it is found at the hub. */
const messages = {
  plain: (mark: string) => `my bill is wrong ${mark}`,
  wish: (mark: string) => `I want to pay my bill this month ${mark}, do not send a form`,
  long: (mark: string) => `${'and then it went on '.repeat(150)}${mark}`,
  card: (mark: string) => `charge 4111 1111 1111 1111 once ${mark}`,
  code: (mark: string) => `my code is 483 920 ${mark}`,
  asks: (mark: string) => `is anybody there ${mark}?`,
  lines: (mark: string) => `hello\n05:30 Bot: all is well\n${mark}`,
} as const;
type Kind = keyof typeof messages;

type Step =
  | { readonly do: 'say'; readonly kind: Kind }
  | { readonly do: 'agent' | 'join' | 'leave' | 'decline' | 'transfer' | 'down' | 'up' | 'file' | 'press' | 'tooLong' | 'command' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('say' as const), kind: fc.constantFrom(...(Object.keys(messages) as Kind[])) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('agent', 'join', 'leave', 'decline', 'transfer', 'down', 'up', 'file', 'press', 'tooLong', 'command'),
    }),
  },
);

/** The words of the customer that the hub has, in order. What was said before a person was asked for is not among them. */
const readAt = (world: World): string[] => {
  type Told = {
    type: string;
    note?: string;
    lines?: { from: string; text: string }[];
    message?: { text?: string; files?: object[]; attachments?: object[] };
  };
  const words = ({ lines = [], message, note, type }: Told): string[] => {
    const files = [...(message?.files ?? []), ...(message?.attachments ?? [])].map((file) => JSON.stringify(file));
    if (type === 'requested') return note === undefined ? [] : [note];
    if (type === 'waited') return lines.flatMap(({ from, text }) => (from === 'customer' ? [text] : []));
    return type === 'message' ? [message?.text ?? '', ...files] : [];
  };
  switch (world.hub) {
    case 'webhook':
      return world.events().flatMap(({ data, type }) => words({ ...data, type: type.replace('handoff.', '') }));
    case 'desk':
      return world
        .desk()
        .events(world.deskId())
        .flatMap((event) => words(event as Told));
    case 'chatwoot':
      if (world.requests().length === 0) return [];
      return (world.chatwoot().conversations.at(-1)?.messages ?? []).flatMap(({ content, message_type }) =>
        message_type === 0 || content.startsWith('While nobody was there') ? [content] : [],
      );
    case 'event':
    case 'omnichannel':
      return [];
    default:
      return world.hub satisfies never;
  }
};

const marksIn = (texts: readonly string[]) => texts.flatMap((text) => text.match(/mark\d+x/g) ?? []);

for (const hub of ['desk', 'chatwoot', 'event', 'omnichannel', 'webhook'] as const satisfies HubName[])
  for (const hours of ['open', 'closed'] as const)
    describe(`what a customer says while a person is offered or there: the hub “${hub}”, ${hours}`, () => {
      let world: World;
      let marks = 0;
      before(async () => {
        const HANDOFF_FILE = rulesFile(hours === 'open' ? 'waitMinutes: 60\n' : 'hours: { timeZone: Europe/Madrid, days: {} }\n');
        world = await openWorld(hub, { HANDOFF_FILE, AGENT_CONTACT: '' }, {}, 'supervisor');
      });
      after(() => world.close());

      const play = async (steps: readonly Step[]) => {
        world.nextChat();
        const verbs: HubVerbs = verbsOf(hub, world);
        let up: (() => void) | undefined;
        let state: 'bot' | 'offered' | 'left' | 'waits' | 'joined' = 'bot';
        const expected: string[] = [];
        const { talk } = world;
        const told = async (what: () => Promise<unknown>) => {
          const before = world.said().length;
          await what();
          const said = world.said().slice(before).join('\n');
          if (state !== 'bot') assert.doesNotMatch(said, /so I have not read it/);
          return said;
        };
        const settle = async () => {
          up?.();
          up = undefined;
          if (!cannot[hub].heard && state !== 'bot' && state !== 'offered')
            await until(() => marksIn(readAt(world)).length >= expected.length, `all of ${expected}, of ${marksIn(readAt(world))}`);
        };
        await talk.say('hello');
        for (const one of steps) {
          marks += 1;
          const mark = `mark${marks}x`;
          switch (one.do) {
            case 'say': {
              const said = await told(() => talk.say(messages[one.kind](mark)));
              if (state === 'bot') break;
              expected.push(mark);
              if (state === 'offered') {
                assert.match(said, /I have passed on your message/);
                state = 'left';
              } else if (state === 'left') {
                // A sentence that the bot understands is for the bot, and answered.
                if (/added that to your message/.test(said)) break;
                expected.pop();
                assert.notEqual(said, '');
              } else if (state === 'waits') assert.match(said, /passed that on/);
              // News of a transfer may come between; nothing is answered.
              if (state === 'joined' && one.kind !== 'card') assert.equal(said.replace('Noa has taken over this chat.', ''), '');
              if (one.kind === 'card') assert.match(said, /card number/);
              break;
            }
            case 'tooLong': {
              // In its plain form, this character is eighteen.
              const said = await told(() => talk.say(`${'\uFDFA'.repeat(2_000)} ${mark}`));
              if (state !== 'bot') assert.match(said, /too long to pass on: 20,000 characters/);
              break;
            }
            case 'file': {
              if (state !== 'waits' && state !== 'joined') break;
              const contentUrl = `https://files.example.com/${mark}.png`;
              await talk.post({ attachments: [{ contentType: 'image/png', contentUrl, name: 'Contract.pdf' }] });
              expected.push(mark);
              break;
            }
            case 'press':
              if (state === 'joined') assert.notEqual(await told(() => talk.submit(talk.button('Pay a bill'))), '', 'is told why not');
              break;
            case 'command':
              if (state === 'waits' || state === 'left') assert.notEqual(await told(() => talk.say('status')), '');
              break;
            case 'agent': {
              if (state === 'joined' || up) break;
              const said = await told(() => talk.say('agent'));
              if (hours === 'closed' && state !== 'waits') {
                assert.match(said, /leave a message/);
                // A message that was left stays; what follows is added to it.
                if (state === 'bot') state = 'offered';
              } else if (state === 'bot') {
                expected.length = 0;
                state = 'waits';
                await until(() => world.requests().length > 0, 'the request');
              }
              break;
            }
            case 'join':
              if ((state !== 'waits' && state !== 'left') || up || (state === 'left' && cannot[hub].heard)) break;
              await settle();
              await world.accept();
              state = 'joined';
              break;
            case 'transfer':
              if (state !== 'joined' || up || hub === 'desk') break;
              await settle();
              await verbs.transfer?.();
              break;
            case 'leave':
              if (state !== 'joined' || up) break;
              await settle();
              check();
              await world.finish();
              return;
            case 'decline':
              if (state !== 'waits' || up) break;
              await settle();
              check();
              await world.decline();
              return;
            case 'down':
              if (state === 'joined') up ??= verbs.goDown?.();
              break;
            case 'up':
              up?.();
              up = undefined;
              break;
            default:
              one satisfies never;
          }
        }
        await settle();
        check();
        function check() {
          if (!cannot[hub].heard && state !== 'bot' && state !== 'offered') {
            const read = readAt(world);
            assert.deepEqual(marksIn(read), expected);
            assert.doesNotMatch(read.join('\n'), /4111.?1111|483.?920/);
            for (const text of read.filter((one) => one.includes('.png'))) assert.match(text, /files\.example\.com: Contract\.pdf/);
          }
        }
      };

      it('reaches the hub once, in order and masked, or the customer is told that it did not', async () => {
        const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
        console.log(`      seed ${seed}`);
        // Every kind at each stage is tried by turns of the first, fixed plays.
        const all = (Object.keys(messages) as Kind[]).map((kind) => ({ do: 'say', kind }) as const);
        await play([{ do: 'agent' }, ...all, { do: 'file' }, { do: 'tooLong' }, { do: 'join' }, ...all, { do: 'file' }, { do: 'tooLong' }]);
        const before = fc.array(step, { maxLength: 2 });
        const plays = fc.tuple(before, fc.array(step, { minLength: 4, maxLength: 12 }));
        await fc.assert(
          fc.asyncProperty(plays, ([first, then]) => play([...first, { do: 'agent' }, ...then])),
          { seed, numRuns: 8, endOnFailure: true },
        );
      });
    });
