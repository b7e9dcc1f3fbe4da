// Whether somebody at a hub can come now: by the hours of the rules, and by who is there.
import type { Escalation } from '../../dialogs/index.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Hub } from './hub.ts';
import { type HandoffRules, hubFor, hubsIn, isOpen, opensAt } from './rules.ts';

export const availabilityOf = (hubs: readonly Hub[], rules: HandoffRules, clock: Clock) => {
  const isStaffed = (hub: Hub) => hub.isStaffed?.() ?? true;
  const open = () => isOpen(rules.hours, clock.now());
  return {
    /** Whether anybody can come now: into a chat of that `serviceUrl`, or into any. */
    canCome: (serviceUrl?: string): boolean => open() && hubsIn(hubs, serviceUrl).some(isStaffed),

    /**
     * Whether a person can be asked for now in a chat of that `serviceUrl`. `closed`: agents are back at `opens` (epoch
     * ms), if known. `none`: no hub takes such a chat, nor a message in it.
     */
    availability: (about: Escalation & { readonly language: string }, serviceUrl: string) => {
      const hub = hubFor(rules, hubs, about, serviceUrl);
      if (!hub) return { kind: 'none' } as const;
      if (!open()) return { kind: 'closed', opens: rules.hours && opensAt(rules.hours, clock.now()) } as const;
      return { kind: isStaffed(hub) ? 'open' : 'nobody' } as const;
    },
  };
};
