// The room's doorway: this bot as a skill of others, which read from its manifest what they can begin.
import { makeTexts } from '../../dialogs/index.ts';
import type { Capability } from '../compose/bot/capability.ts';
import { skillManifestOf } from './skill-manifest.ts';

export { beyondCopilotStudio, type SkillManifest, skillManifestOf } from './skill-manifest.ts';

/** Serves the manifest at the address that Copilot Studio expects, if any bot may run this one as a skill. */
export const skill: Capability = {
  name: 'skill',
  open: (_bot, { identity, publicUrl, skillCallers = [], theme }) => {
    const appId = identity?.MicrosoftAppId;
    if (!appId || !publicUrl || skillCallers.length === 0) return undefined;
    const base = publicUrl.replace(/\/$/, '');
    return {
      serve: ({ http, services: { apps, flows } }) =>
        http.route('GET', '/manifests/skill.json', () => ({
          status: 200,
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' },
          body: JSON.stringify(skillManifestOf({ appId, base, name: theme?.name, apps, flows: flows?.described(makeTexts('en')) ?? [] })),
        })),
    };
  },
};
