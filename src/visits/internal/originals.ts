import type { Decision } from '#flags/decision'
import { type Flag, mainEnvironment } from '#flags/flag'

/**
 * Returns the decision that a crawler is shown: of an experiment the original, so that search results and previews do
 * not depend on chance. Other flags decide for crawlers as for everyone.
 */
export function originalOf(decision: Decision): Decision {
  const { flag, value } = decision
  const [first] = flag.variants
  if (!flag.hasExperiment || typeof value !== 'string' || !first) return decision
  const original = (flag.variants.find(({ key }) => key === 'control') ?? first).key
  return value === original ? decision : { ...decision, value: original, payload: payloadOf(flag, original) }
}

const payloadOf = ({ environments, payloads }: Flag, variant: string): string | undefined =>
  environments[mainEnvironment]?.payloads[variant] ?? payloads[variant]
