import type { DropReason, IncomingEvent } from '../../events/event'
import { cut, type Step, type Underway } from './step'
import { tidyEvent, weightOf } from './tidy'

/** An event beyond this is dropped; SDKs are told so by their documentation. */
const mostBytes = 1024 * 1024
const longestName = 200
const longestDistinctId = 200

/** What PostHog's SDKs send instead of an id where the visitor is to have none. */
const cookieless = '$posthog_cookieless'

/** Texts fit to be kept come before anything looks at them; then what has no name or is too large is no event. */
export const refuseNonEvents: Step = (draft) => {
  draft.event = tidyEvent(draft.event)
  const name = cut(draft.event.name.trim(), longestName)
  draft.event.name = name
  if (name === '') return 'no-name'
  if (name === '$snapshot' || name === '$snapshot_items') return 'replay'
  if (isTooLarge(draft.event)) return 'too-large'
  return readDistinctId(draft)
}

function readDistinctId(draft: Underway): DropReason | undefined {
  const { distinctId, properties } = draft.event
  draft.isCookieless =
    distinctId === undefined || distinctId === cookieless || properties['$cookieless_mode'] === true
  if (draft.isCookieless) return undefined
  draft.distinctId = cut((distinctId ?? '').trim(), longestDistinctId)
  return draft.distinctId === '' ? 'no-distinct-id' : undefined
}

/** Characters are counted first: only where they leave a doubt are the bytes worth counting, too. */
function isTooLarge({ properties, person, group }: IncomingEvent): boolean {
  const parts = [properties, person.set, person.setOnce, group?.set ?? {}]
  const weight = parts.reduce((sum, part) => sum + weightOf(part, mostBytes), 0)
  if (weight * 3 <= mostBytes) return false
  return weight > mostBytes || Buffer.byteLength(JSON.stringify(parts)) > mostBytes
}
