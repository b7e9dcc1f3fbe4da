// The skill manifest: every app and flow as an action that a root bot, or Copilot Studio, starts with an event
// (learn.microsoft.com, "Write a v2.2 skill manifest").
import { z } from 'zod';
import { appInputs, appOutputs, flowActionInputs, flowActionOutputs, makeTexts } from '../../dialogs/index.ts';
import countersign from '../../package.json' with { type: 'json' };
import type { DescribedBot } from '../compose/bot/capability.ts';

/** The limits of Copilot Studio (learn.microsoft.com, "Use a skill in Copilot Studio": manifest restrictions). */
const most = { actions: 100, fields: 25, bytes: 500_000 } as const;

const schemaOf = (values: z.ZodObject, io: 'input' | 'output') => {
  const { $schema: _, additionalProperties: __, ...schema } = z.toJSONSchema(values, { target: 'draft-7', io, reused: 'inline' });
  return schema;
};

/** An action, started by an event of its name. */
const action = (name: string, description: string, inputs: z.ZodObject, outputs: z.ZodObject) => ({
  type: 'event',
  name,
  description,
  value: schemaOf(inputs, 'input'),
  resultValue: schemaOf(outputs, 'output'),
});
export type SkillAction = ReturnType<typeof action>;

/**
 * The manifest: an action for each app that root bots may begin and each flow, with the inputs and outputs that they
 * have.
 * @param base - the bot's address for root bots: `https://chat.example.com`
 */
export const skillManifestOf = (base: string, { appId, name, apps, flows }: Omit<DescribedBot, 'accent' | 'host'>) => {
  const t = makeTexts('en');
  const actions = [
    ...apps.map((app) => action(app, t(`apps.${app}.description`), appInputs(app), appOutputs(app))),
    ...flows.map((each) => action(each.flow, each.description ?? each.title, flowActionInputs(each), flowActionOutputs(each))),
  ];
  return {
    $schema: 'https://schemas.botframework.com/schemas/skills/v2.2/skill-manifest.json',
    $id: 'countersign',
    name,
    version: countersign.version,
    description: t('manifest.short'),
    publisherName: name,
    privacyUrl: `${base}/privacy`,
    endpoints: [{ name: 'default', protocol: 'BotFrameworkV3', endpointUrl: `${base}/api/messages`, msAppId: appId }],
    activities: Object.fromEntries(actions.map((each) => [each.name, each])),
  };
};

export type SkillManifest = ReturnType<typeof skillManifestOf>;

/** Why Copilot Studio would refuse a manifest that other root bots may accept; empty if it would not. */
export const beyondCopilotStudio = (manifest: SkillManifest): readonly string[] => {
  const actions = Object.entries(manifest.activities);
  const fieldsOf = ({ properties = {} }: { readonly properties?: object }) => Object.values(properties);
  return [
    ...(actions.length > most.actions ? [`it takes ${most.actions} actions at most, and there are ${actions.length}`] : []),
    ...(JSON.stringify(manifest).length > most.bytes ? [`it takes ${most.bytes / 1000} KB at most`] : []),
    ...actions.flatMap(([name, { value, resultValue }]) =>
      [value, resultValue].some((schema) => fieldsOf(schema).length > most.fields)
        ? [`it takes ${most.fields} inputs and ${most.fields} outputs at most, and ${name} has more`]
        : [],
    ),
  ];
};
