import type { Properties } from '#events/event'
import { numberOf, type IngestStep } from './step'

const day = 86_400_000

/**
 * Reads how long a page was viewed, and how far it was scrolled. Tilth's and Plausible's scripts send an event for it;
 * PostHog's sends it for the previous page, in its next event (`$prev_pageview_pathname` names the page).
 */
export const readEngagement: IngestStep = ({ event: { properties }, columns }) => {
  const engaged = engagedMs(properties)
  if (engaged !== undefined && engaged >= 0) columns.engaged_ms = Math.min(Math.round(engaged), day)
  const depth = scrollDepth(properties)
  if (depth !== undefined && depth >= 0) columns.scroll_depth = Math.min(Math.round(depth), 100)
}

function engagedMs(properties: Properties): number | undefined {
  const engaged = numberOf(properties, '$engaged_ms')
  if (engaged !== undefined) return engaged
  const seconds = numberOf(properties, '$prev_pageview_duration')
  return seconds === undefined ? undefined : seconds * 1000
}

/** Returns the depth in percent of the page. PostHog sends a fraction. */
function scrollDepth(properties: Properties): number | undefined {
  const depth = numberOf(properties, '$scroll_depth')
  if (depth !== undefined) return depth
  const part =
    numberOf(properties, '$prev_pageview_max_content_percentage') ??
    numberOf(properties, '$prev_pageview_max_scroll_percentage')
  return part === undefined ? undefined : part * 100
}
