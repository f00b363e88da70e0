import type { Json } from '#events/event'
import type { Visit } from './visit'

/** The id of the element with the decisions. The front fills it in for each visitor in a cached page. */
export const slotId = 'tilth-visit'

/** The content of the slot before it is filled in. */
export const slotPlaceholder = 'filled in for each visitor'

/** The `bootstrap` option of posthog-js, which passes decisions made before it loads. */
export interface PosthogBootstrap {
  distinctID: string
  featureFlags: Record<string, boolean | string>
  featureFlagPayloads: Record<string, Json>
}

export function bootstrapOf({ visitor, decisions, payloads, withheld }: Visit): PosthogBootstrap {
  const hidden = new Set(withheld)
  const shown = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !hidden.has(key)))
  return { distinctID: visitor, featureFlags: shown(decisions), featureFlagPayloads: shown(payloads) }
}

/** Returns JSON that is safe inside a script element. */
export const slotContent = (visit: Visit): string =>
  JSON.stringify(bootstrapOf(visit)).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const slot = new RegExp(`<script\\b[^>]*\\sid="${slotId}"[^>]*>(?=${slotPlaceholder}</script>)`)

/** Splits a page before and after the slot's content; undefined if the page has no slot. */
export function splitAtSlot(html: string): readonly [before: string, after: string] | undefined {
  const found = slot.exec(html)
  if (!found) return undefined
  const end = found.index + found[0].length
  return [html.slice(0, end), html.slice(end + slotPlaceholder.length)]
}
