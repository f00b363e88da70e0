import type { IngestStep } from './step'

/** DNT and GPC ask not to be tracked. By default such a visitor gets no id beyond the day. */
export const heedOptOut: IngestStep = (draft, { envelope, rules }) => {
  if (!envelope.optedOut || rules.optOut === 'ignore') return undefined
  if (rules.optOut === 'drop') return 'opted-out'
  draft.isCookieless = true
  return undefined
}
