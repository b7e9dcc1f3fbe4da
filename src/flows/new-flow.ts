// A flow to start from: small, complete, and with tests for every path.

/**
 * The name is known in English only, so the missing Spanish title is a warning until somebody writes it.
 * @param schema - the schema's path, relative to the file
 */
export const newFlow = (name: string, schema: string): string => {
  const title = name.replaceAll('-', ' ');
  return `# yaml-language-server: $schema=${schema}
flow: ${name}
title: { en: ${title.charAt(0).toUpperCase()}${title.slice(1)} }
says:
  en: [${title}]
do:
  - verify: { by: [passkeys, one-time-passcode], fresh: 10m }
    else: stopped
  - ask: yes-no
    as: agreed
    text: { en: Shall we go on?, es: ¿Seguimos? }
  - when: "!agreed"
    do: [{ go: stopped }]
  - say: { en: Thank you., es: Gracias. }
  - end: success
parts:
  stopped:
    - say: { en: "All right, we stop here.", es: "De acuerdo, lo dejamos aquí." }
    - end: cancelled
`;
};

export const newTests = (name: string): string => `flow: ${name}
tests:
  - name: goes on
    steps:
      - customer: ${name.replaceAll('-', ' ')}
      - device: passkeys success
      - bot: Shall we go on?
      - customer: "yes"
      - bot: Thank you.
      - ends: success
  - name: stops when the customer does not agree
    steps:
      - device: passkeys success
      - customer: "no"
      - ends: cancelled
  - name: stops when nobody is verified
    steps:
      - device: passkeys failure
      - bot: we stop here
      - ends: cancelled
`;
