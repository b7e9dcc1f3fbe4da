// Activities as JSON in one column each. Versions before kept some of it elsewhere: what all activities of a side say
// alike in the chat's row (`sides`), times in a column, and the bot's cards deflated in a table of their own.
import { inflateSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What deflated cards begin with (zlib.net/manual.html, deflateSetDictionary): they cannot be read without it. */
const dictionary = Buffer.from(
  [
    '"entities":[{"@context":"https://schema.org","@type":"Message","@id":"","type":"https://schema.org/Message",',
    '"potentialAction":[{"@id":"urn:countersign:outcome:","@type":"LikeAction","type":"https://schema.org/LikeAction",',
    '"actionStatus":"PotentialActionStatus"}]}],"channelData":{"interaction":{"app":"","requestId":"","status":"success"},',
    '"webchat:fallback-text":"","speak":"","wrap":true,"color":"Attention","style":"default","actions":[{"type":"ActionSet",',
    '"actions":[{"type":"Action.Submit","title":"","style":"positive","data":{"action":""}},{"type":"Action.OpenUrl",',
    '"url":"https://"}]},{"type":"Container","style":"emphasis","height":"stretch","verticalContentAlignment":"Center",',
    '"selectAction":{"type":"Action.Submit","title":"","data":{"action":"01"}},"items":[{"type":"RichTextBlock","spacing":"None",',
    '"inlines":[{"type":"TextRun","text":"","weight":"Bolder"}]}]}]}]},{"type":"ColumnSet","spacing":"Small","columns":[{"type":',
    '"Column","width":"auto","items":[{"type":"RichTextBlock","inlines":[{"type":"TextRun","text":"","isSubtle":true}],',
    '"horizontalAlignment":"Right"}]}]},{"type":"Column","width":"18px","items":[{"type":"RichTextBlock","inlines":[{"type":',
    '"TextRun","text":"✓","size":"Large","weight":"Bolder","color":"Good"}]}]},{"type":"Column","width":"stretch","spacing":',
    '"Small","items":[{"type":"RichTextBlock","inlines":[{"type":"TextRun","text":"","size":"Small","weight":"Bolder","color":',
    '"Accent"}],"spacing":"Medium"},{"type":"Container","spacing":"Medium","separator":true,"items":[{"type":"ColumnSet",',
    '"spacing":"Small","columns":[{"type":"Column","width":1,"spacing":"Small","items":[{"type":"TextBlock","text":"","wrap":true,',
    '"style":"heading","size":"Medium","weight":"Bolder","spacing":"None"},{"attachments":[{"contentType":',
    '"application/vnd.microsoft.card.adaptive","content":{"type":"AdaptiveCard","$schema":',
    '"http://adaptivecards.io/schemas/adaptive-card.json","version":"1.2","fallbackText":"',
  ].join(''),
);

const inflated = (card: Uint8Array): object => JSON.parse(inflateSync(card, { dictionary }).toString());

interface Packed {
  readonly chat_number: number;
  readonly activity_id: string;
  readonly activity: string;
  readonly said_by: string | null;
  readonly said_at: number | null;
  readonly card: Uint8Array | null;
  readonly id: string;
  readonly user_id: string;
  readonly sides: string | null;
}

/** What a side says alike in all of its activities. */
const usualOf = ({ said_by, id, user_id, sides }: Packed): object => {
  if (said_by === null || sides === null) return {};
  const { channelId, bot } = JSON.parse(sides);
  const user = { id: user_id, role: 'user' };
  const [from, recipient] = said_by === 'bot' ? [bot, user] : [user, bot];
  return { channelId, from, recipient, conversation: { id } };
};

const whole = (row: Packed): string =>
  JSON.stringify({
    ...JSON.parse(row.activity),
    ...(row.card && inflated(row.card)),
    id: row.activity_id,
    ...(row.said_at !== null && { timestamp: new Date(Number(row.said_at)).toISOString() }),
    ...usualOf(row),
  });

/** Rows that are read at once. */
const batch = 500;

const unpack = async (db: Kysely<unknown>) => {
  let last: Packed | undefined;
  do {
    const after: Pick<Packed, 'activity_id' | 'chat_number'> = last ?? { chat_number: 0, activity_id: '' };
    const { rows } = await sql<Packed>`
      select chat_activity.chat_number, activity_id, activity, said_by, said_at, card, id, user_id, sides
      from chat_activity join chat on chat.number = chat_activity.chat_number
      left join chat_card on chat_card.chat_number = chat_activity.chat_number and chat_card.position = chat_activity.position
      where (chat_activity.chat_number, activity_id) > (cast(${after.chat_number} as bigint), ${after.activity_id})
      order by chat_activity.chat_number, activity_id limit ${batch}`.execute(db);
    for (const row of rows) {
      await sql`update chat_activity set activity = ${whole(row)}
        where chat_number = ${row.chat_number} and activity_id = ${row.activity_id}`.execute(db);
    }
    last = rows.length === batch ? rows.at(-1) : undefined;
  } while (last);
};

const up = async (db: Kysely<unknown>) => {
  await unpack(db);
  await db.schema.dropTable('chat_card').execute();
  for (const column of ['said_by', 'said_at', 'size']) await db.schema.alterTable('chat_activity').dropColumn(column).execute();
  await db.schema.alterTable('chat').dropColumn('sides').execute();
};

export const plainChats: Migration = { up };
