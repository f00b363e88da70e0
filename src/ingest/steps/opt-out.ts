import type { IngestStep } from './step'

/** DNT and GPC ask for not being followed: by default that is heeded by giving the visitor no id beyond the day. */
export const heedOptOut: IngestStep = (draft, { envelope, rules }) => {
  if (!envelope.optedOut || rules.optOut === 'ignore') return undefined
  if (rules.optOut === 'drop') return 'opted-out'
  draft.isCookieless = true
  return undefined
}
