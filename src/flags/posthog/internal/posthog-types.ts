import type { LayerSlice } from '../../flag'
import type { Json } from '#events/event'
import type { WrittenFields } from './flag-fields'

/** A flag in PostHog's format. Cohorts have numbers in PostHog and texts here, which its SDKs accept too. */
export interface PosthogFlag extends WrittenFields {
  id: number
  team_id: number
  key: string
  active: boolean
  deleted: boolean
  version: number
  has_experiment: boolean
  filters: PosthogFilters
}

export interface PosthogFilters {
  groups: readonly PosthogSet[]
  multivariate: { variants: readonly PosthogVariant[] } | null
  payloads: Readonly<Record<string, string>>
  aggregation_group_type_index?: number
  holdout?: { id: number; exclusion_percentage: number }
  /** Tilth’s own: PostHog has no layers. */
  layer?: LayerSlice
  early_exit?: boolean
  feature_enrollment?: boolean
}

interface PosthogVariant {
  key: string
  name: string
  rollout_percentage: number
}

export interface PosthogSet {
  properties: readonly PosthogProperty[]
  rollout_percentage: number
  variant: string | null
  description?: string
}

export interface PosthogProperty {
  key: string
  type: 'person' | 'group' | 'cohort' | 'flag'
  operator: string
  value: Json
  group_type_index?: number
  dependency_chain?: readonly string[]
  negation?: boolean
}

export interface PosthogGroup {
  type: 'AND' | 'OR'
  values: readonly (PosthogGroup | PosthogProperty)[]
}

export interface PosthogDefinitions {
  flags: readonly PosthogFlag[]
  group_type_mapping: Readonly<Record<string, string>>
  cohorts: Readonly<Record<string, PosthogGroup>>
  /** The version of text comparison: literal, even for "true" and "false". */
  property_matching_version: 2
  minimal_flag_called_events: false
}
