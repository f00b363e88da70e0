import { type Flag, mainEnvironment } from '../flag'
import type { FlagChange, NewFlag } from '../flag-input'

/** A flag as it was read from PostHog's JSON, and of what that spoke. */
export interface Theirs {
  flag: NewFlag
  said: ReadonlySet<string>
}

/** PostHog's words for a flag have one of these, ours have neither. */
export const readsAsPosthog = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && ('filters' in input || 'active' in input)

const payloads = 'filters.payloads'

/** What a flag in their words speaks of, by their names. */
export function saidIn(json: unknown): ReadonlySet<string> {
  if (typeof json !== 'object' || json === null) return new Set()
  const filters = 'filters' in json ? json.filters : undefined
  const hasPayloads = typeof filters === 'object' && filters !== null && 'payloads' in filters
  return new Set([...Object.keys(json), ...(hasPayloads ? [payloads] : [])])
}

/** What it changes of a flag that is here already: whatever it does not speak of stays as it is. */
export function changeSaid({ flag, said }: Theirs, before: Flag, environment: string): FlagChange {
  const changes = environment === mainEnvironment ? ofFlag : []
  return {
    ...Object.assign({}, ...changes.map(({ by, says }) => (said.has(by) ? says(flag, before) : {}))),
    environments: { [environment]: settingSaid({ flag, said }, environment) },
  }
}

type Said = Omit<FlagChange, 'environments'>

/** Another environment than the main one takes over its own setting alone: the rest is everybody's. */
const ofFlag: readonly { by: string; says: (flag: NewFlag, before: Flag) => Said }[] = [
  { by: 'name', says: ({ description }) => ({ description }) },
  { by: 'tags', says: ({ tags }) => ({ tags }) },
  { by: 'ensure_experience_continuity', says: ({ keepsThroughSignIn }) => ({ keepsThroughSignIn }) },
  { by: 'evaluation_runtime', says: ({ servedTo }) => ({ servedTo }) },
  { by: 'evaluation_contexts', says: ({ contexts }) => ({ contexts }) },
  { by: 'evaluation_tags', says: ({ contexts }) => ({ contexts }) },
  { by: 'bucketing_identifier', says: ({ bucketBy }) => ({ bucketBy }) },
  { by: 'is_remote_configuration', says: ({ kind }) => ({ kind }) },
  { by: 'has_encrypted_payloads', says: ({ isSecret }) => ({ isSecret }) },
  {
    by: 'filters',
    says: ({ kind, variants, bucketBy, earlyAccess }, before) => ({
      kind,
      variants,
      bucketBy,
      // of what is offered they only say that it is
      earlyAccess: earlyAccess ? (before.earlyAccess ?? earlyAccess) : null,
    }),
  },
  // what is secret they never tell
  { by: payloads, says: (flag) => (flag.isSecret ? {} : { payloads: flag.payloads }) },
]

type SettingSaid = NonNullable<FlagChange['environments']>[string]

function settingSaid({ flag, said }: Theirs, environment: string): SettingSaid {
  const setting = flag.environments[environment]
  if (!setting) return {}
  const { isOn, conditions, holdout } = setting
  const own = environment === mainEnvironment ? {} : flag.payloads
  return {
    ...(said.has('active') && { isOn }),
    ...(said.has('filters') && { conditions, holdout: holdout ?? null }),
    ...(said.has(payloads) && !flag.isSecret && { payloads: own }),
  }
}
