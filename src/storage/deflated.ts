// Cards as they are stored: deflated, with a dictionary of what every card of ours contains, which halves their size.
import { deflateSync, inflateSync } from 'node:zlib';

/**
 * Common parts of cards, the most frequent last (zlib.net/manual.html, deflateSetDictionary). Stored cards cannot be
 * read without it, so it is never changed. Cards that use another dictionary could be recognised by the checksum at the
 * beginning of each card (RFC 1950, DICTID).
 */
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

/**
 * Memory for a card of some kilobytes. Zlib's default is meant for files: allocating and freeing 300 KB in each call
 * would cost several times as much as the compression itself.
 */
const windowBits = 13;
const sizes = { level: 3, memLevel: 5, windowBits, chunkSize: 2048 };

export const deflated = (json: string): Uint8Array => deflateSync(json, { dictionary, ...sizes });
export const inflated = (card: Uint8Array): string => inflateSync(card, { dictionary, windowBits, chunkSize: 4096 }).toString();
