/** The rules by which a visit of one view is a bounce, by the product that counts so. */
export const bounceRuleNames = ['plausible', 'posthog'] as const
export type BounceRuleName = (typeof bounceRuleNames)[number]

export type BounceRule =
  /** No click, form or custom event; with seconds, also less engagement than that. */
  | { of: 'plausible'; engagedSeconds: number | undefined }
  /** No autocaptured event, and shorter than so many seconds. */
  | { of: 'posthog'; seconds: number }

export const usualBounceRule: BounceRule = { of: 'plausible', engagedSeconds: undefined }

/** PostHog's own limit (posthog.com/docs/data/sessions), which the form of the settings proposes for both rules. */
export const usualBounceSeconds = 10

export function bounceRuleFrom({
  bounceRule,
  bounceSeconds,
}: {
  bounceRule: BounceRuleName
  bounceSeconds?: number | undefined
}): BounceRule {
  return bounceRule === 'posthog'
    ? { of: 'posthog', seconds: bounceSeconds ?? usualBounceSeconds }
    : { of: 'plausible', engagedSeconds: bounceSeconds }
}

/** Whether a bounce is as long as its events lie apart, as in PostHog, or has no length. */
export const countsBounceLength = (rule: BounceRule): boolean => rule.of === 'posthog'

/** The condition under which a visit is a bounce. */
interface BounceCondition {
  /** It has as many views, neither more nor fewer. */
  views: number
  /** It has none of these events, or none but these. */
  noEvents: { named: readonly string[] } | { except: readonly string[] }
  /** A measure of it is below a limit. */
  below?: { measure: 'duration' | 'engagement'; ms: number }
}

export function bounceConditionOf(rule: BounceRule): BounceCondition {
  if (rule.of === 'posthog')
    return {
      views: 1,
      noEvents: { named: ['$autocapture'] },
      below: { measure: 'duration', ms: rule.seconds * 1000 },
    }
  return {
    views: 1,
    noEvents: { except: passiveEvents },
    ...(rule.engagedSeconds !== undefined && {
      below: { measure: 'engagement', ms: rule.engagedSeconds * 1000 },
    }),
  }
}

/** They report an open page or an identity, and no action. */
const passiveEvents = [
  '$pageview',
  '$screen',
  '$pageleave',
  '$engagement',
  '$web_vitals',
  '$$heatmap',
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$set',
  '$groupidentify',
  '$feature_flag_called',
  '$feature_flag_seen',
  '$opt_in',
  '$$client_ingestion_warning',
  'survey shown',
  '$exception',
  '$not_found',
  '$dead_click',
] as const

const secondsText = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)

/** Says how the bounce rate is counted, for the hints beside it. */
export function bounceRuleText(rule: BounceRule): string {
  if (rule.of === 'posthog')
    return `PostHog’s rule: share of visits with one view, no autocaptured event and less than ${secondsText(rule.seconds)}.`
  return rule.engagedSeconds === undefined
    ? 'Plausible’s rule: share of visits with one view and no click, form or custom event.'
    : `Share of visits with one view, no click, form or custom event, and less than ${secondsText(rule.engagedSeconds)} of engagement.`
}

/** Says how the visit duration is counted, for the hints beside it. */
export const durationText = (rule: BounceRule): string =>
  countsBounceLength(rule)
    ? 'PostHog’s rule: average time from the first to the last event, bounces included.'
    : 'Average time from the first to the last event. A bounce counts as 0.'
