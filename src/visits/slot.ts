import type { Json } from '../events/event'
import type { Visit } from './visit'

/** Where a page tells its browser what was decided; the front fills it in for each visitor, in one kept page. */
export const slotId = 'tilth-visit'

/** What stands in it until then. */
export const emptySlot = 'filled in for each visitor'

/** The form in which posthog-js takes what was decided before it came: its `bootstrap`. */
export interface Bootstrap {
  distinctID: string
  featureFlags: Record<string, boolean | string>
  featureFlagPayloads: Record<string, Json>
}

export function bootstrapOf({ visitor, decisions, payloads, withheld }: Visit): Bootstrap {
  const hidden = new Set(withheld)
  const shown = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !hidden.has(key)))
  return { distinctID: visitor, featureFlags: shown(decisions), featureFlagPayloads: shown(payloads) }
}

/** JSON that ends no script and is a script's text in every browser. */
export const filling = (visit: Visit): string =>
  JSON.stringify(bootstrapOf(visit)).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const slot = new RegExp(`<script\\b[^>]*\\sid="${slotId}"[^>]*>(?=${emptySlot}</script>)`)

/** What stands before and after what is filled in; undefined where a page has no slot. */
export function cutAtSlot(html: string): readonly [before: string, after: string] | undefined {
  const found = slot.exec(html)
  if (!found) return undefined
  const end = found.index + found[0].length
  return [html.slice(0, end), html.slice(end + emptySlot.length)]
}
