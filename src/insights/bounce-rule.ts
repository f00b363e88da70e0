/** The rules by which a visit of one view is a bounce, by the product that counts so. */
export const bounceRuleNames = ['plausible', 'posthog'] as const
export type BounceRuleName = (typeof bounceRuleNames)[number]

export type BounceRule =
  /** No click, form or custom event; with seconds, also less engagement than that. */
  | { of: 'plausible'; engagedSeconds: number | undefined }
  /** No autocaptured event, and shorter than so many seconds. */
  | { of: 'posthog'; seconds: number }

export const usualBounceRule: BounceRule = { of: 'plausible', engagedSeconds: undefined }

/** PostHog's own limit (posthog.com/docs/data/sessions). */
const posthogBounceSeconds = 10

export function bounceRuleFrom({
  bounceRule,
  bounceSeconds,
}: {
  bounceRule: BounceRuleName
  bounceSeconds?: number | undefined
}): BounceRule {
  return bounceRule === 'posthog'
    ? { of: 'posthog', seconds: bounceSeconds ?? posthogBounceSeconds }
    : { of: 'plausible', engagedSeconds: bounceSeconds }
}

const secondsText = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)

/** Says how the bounce rate is counted, for the hints beside it. */
export function bounceRuleText(rule: BounceRule): string {
  if (rule.of === 'posthog')
    return `PostHog’s rule: share of visits with one view, no autocaptured event and less than ${secondsText(rule.seconds)}.`
  return rule.engagedSeconds === undefined
    ? 'Plausible’s rule: share of visits with one view and no click, form or custom event.'
    : `Share of visits with one view, no click, form or custom event, and less than ${secondsText(rule.engagedSeconds)} of engagement.`
}
