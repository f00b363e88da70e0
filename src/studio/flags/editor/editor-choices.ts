import type { Variant } from '#flags/flag'
import type { ConditionLabels } from '#flags/words'
import type { CohortName } from '#persons/cohort'
import { propertyLabel } from '#events/taxonomy'

/** The options of the flag editor's fields. */
export interface EditorChoices {
  slug: string
  /** The flags that this one may depend on. */
  flags: readonly { key: string; variants: readonly Variant[] }[]
  cohorts: readonly CohortName[]
  holdouts: readonly HoldoutChoice[]
  layers: readonly { id: number; name: string }[]
  groupTypes: readonly string[]
  members: readonly string[]
  tags: readonly string[]
}

interface HoldoutChoice {
  id: number
  name: string
  percentage: number
}

export const namesIn = ({ cohorts }: Pick<EditorChoices, 'cohorts'>): ConditionLabels => ({
  property: propertyLabel,
  cohorts,
})
