// The room's doorway: this bot as a skill of others, which read from its manifest what they can begin.
import { makeTexts } from '../../dialogs/index.ts';
import type { Capability, OpenCapability } from '../compose/bot/capability.ts';
import type { CoreOptions } from '../compose/bot/core-options.ts';
import { needs } from '../platform/settings/environment.ts';
import { skillShape } from './settings.ts';
import { beyondCopilotStudio, skillManifestOf } from './skill-manifest.ts';

/** Serves the manifest at the address that Copilot Studio expects, if any bot may run this one as a skill. */
export const skill: Capability<Pick<CoreOptions, 'skillCallers'>, OpenCapability, typeof skillShape> = {
  name: 'skill',
  settings: {
    shape: skillShape,
    faults: (set) => (set.SKILL_CALLERS && set.NODE_ENV !== 'production' ? needs(set, ['MicrosoftAppId'], 'SKILL_CALLERS is') : []),
    options: ({ SKILL_CALLERS }) => ({ skillCallers: SKILL_CALLERS }),
  },
  commands: {
    manifest: {
      kind: 'skill',
      files: ({ host, ...bot }) => {
        const manifest = skillManifestOf(`https://${host}`, bot);
        const remarks = beyondCopilotStudio(manifest).map((why) => `Copilot Studio will not take it: ${why}.`);
        return { files: { 'skill.json': manifest }, remarks };
      },
    },
  },
  open: (_bot, { identity, publicUrl, skillCallers = [], theme }) => {
    const appId = identity?.MicrosoftAppId;
    if (!appId || !publicUrl || skillCallers.length === 0) return undefined;
    const base = publicUrl.replace(/\/$/, '');
    const { name = 'Countersign' } = theme ?? {};
    return {
      serve: ({ http, services: { apps, flows } }) =>
        http.route('GET', '/manifests/skill.json', () => ({
          status: 200,
          headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' },
          body: JSON.stringify(skillManifestOf(base, { appId, name, apps, flows: flows?.described(makeTexts('en')) ?? [] })),
        })),
    };
  },
};
