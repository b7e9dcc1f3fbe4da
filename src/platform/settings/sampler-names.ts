// The samplers of traces, by their names in OTEL_TRACES_SAMPLER (opentelemetry.io, "Environment variable specification").

const kinds = ['always_on', 'always_off', 'traceidratio'] as const;

export const samplerNames = [...kinds, ...kinds.map((kind) => `parentbased_${kind}` as const)] as const;
export type SamplerName = (typeof samplerNames)[number];
