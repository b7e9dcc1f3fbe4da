// A text frame of the service as a known event.
import { type EventFrame, type EventType, eventFrame, eventType } from '../contract/index.ts';
import { readJson } from '../platform/bounded-json.ts';

/** Levels of nesting that a frame may have. */
const depth = 32;

/** The event, or why there is none, as a code for the log. An unknown type is no fault: services may have more types. */
export type FrameReading =
  | { readonly type: EventType; readonly frame: EventFrame }
  | { readonly ignored: 'unknown_event'; readonly frame: EventFrame }
  | { readonly ignored: 'malformed_frame' };

/** Reads a frame's bytes. */
export const readFrame = (data: Uint8Array): FrameReading => {
  const reading = readJson(data, depth);
  const parsed = 'value' in reading ? eventFrame.safeParse(reading.value) : undefined;
  if (!parsed?.success) return { ignored: 'malformed_frame' };
  const type = eventType(parsed.data.type);
  return type ? { type, frame: parsed.data } : { ignored: 'unknown_event', frame: parsed.data };
};
