import { type FailedOutcome, failedOutcome } from '#projects/problems'
import { type Flag, mainEnvironment } from '../../flag'
import type { FlagChange, NewFlag } from '../../flag-input'
import { flagFields } from './flag-fields'

/** A flag parsed from PostHog's JSON, and the fields that the JSON contains. */
export interface PosthogFlagInput {
  flag: NewFlag
  mentioned: ReadonlySet<string>
}

/** The refusal of a flag in PostHog's format, which always has one of these fields; ours never has. */
export const posthogFlagRefusal = (input: unknown): FailedOutcome | undefined =>
  typeof input === 'object' && input !== null && ('filters' in input || 'active' in input)
    ? inPosthogForm
    : undefined

const inPosthogForm = failedOutcome(
  'This is a flag in PostHog’s form. Import it (POST …/flags/import), or give it in Tilth’s form.',
)

const payloads = 'filters.payloads'

/** Collects the PostHog names of the fields that a JSON flag contains. */
export function mentionedIn(json: unknown): ReadonlySet<string> {
  if (typeof json !== 'object' || json === null) return new Set()
  const filters = 'filters' in json ? json.filters : undefined
  const hasPayloads = typeof filters === 'object' && filters !== null && 'payloads' in filters
  return new Set([...Object.keys(json), ...(hasPayloads ? [payloads] : [])])
}

/**
 * Returns the change of an existing flag: fields that the JSON omits stay as they are. Other environments than the main
 * one import only their setting: all other fields are shared by all of them.
 */
export function changeFrom(
  { flag, mentioned }: PosthogFlagInput,
  before: Flag,
  environment: string,
): FlagChange {
  const fields = environment === mainEnvironment ? flagFields : []
  const changes = fields
    .filter(({ by }) => by.some((name) => mentioned.has(name)))
    .map(({ field, change }) => change?.(flag, before) ?? { [field]: flag[field] })
  return {
    ...Object.assign({}, ...changes),
    environments: { [environment]: settingChangeFrom({ flag, mentioned }, environment) },
  }
}

type SettingChange = NonNullable<FlagChange['environments']>[string]

function settingChangeFrom({ flag, mentioned }: PosthogFlagInput, environment: string): SettingChange {
  const setting = flag.environments[environment]
  if (!setting) return {}
  const { isOn, conditions, holdout } = setting
  const own = environment === mainEnvironment ? {} : flag.payloads
  return {
    ...(mentioned.has('active') && { isOn }),
    ...(mentioned.has('filters') && { conditions, holdout: holdout ?? null }),
    ...(mentioned.has(payloads) && !flag.isSecret && { payloads: own }),
  }
}
