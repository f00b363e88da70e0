import type { z } from 'zod'
import type { Unchanging } from '#collection/unchanging'
import type { CohortCondition, PropertyCondition } from '#filters/filter'
import type {
  bucketBy,
  conditionSet,
  earlyAccess,
  editableFlag,
  flagCondition,
  flagKinds,
  flagSchema,
  flagSetting,
  holdout,
  layerSlice,
  variant,
} from './flag-schema'

/** The types of the schemas in `flag-schema`, for code that goes to browsers without them. */
export type Flag = Unchanging<z.infer<typeof flagSchema>, Condition>
export type EditableFlag = Unchanging<z.infer<typeof editableFlag>, Condition>
export type FlagKind = (typeof flagKinds)[number]
export type Variant = z.infer<typeof variant>
export type BucketBy = z.infer<typeof bucketBy>
export type EarlyAccess = z.infer<typeof earlyAccess>
export type FlagSetting = Unchanging<z.infer<typeof flagSetting>, Condition>
export type ConditionSet = Unchanging<z.infer<typeof conditionSet>, Condition>
export type FlagCondition = z.infer<typeof flagCondition>
export type Holdout = z.infer<typeof holdout>
export type LayerSlice = z.infer<typeof layerSlice>
export type Condition = PropertyCondition | CohortCondition | FlagCondition

/** Whether browsers never get the flag. A secret flag is for servers, whatever else it says. */
export const isForServersOnly = ({ servedTo, isSecret }: Pick<Flag, 'servedTo' | 'isSecret'>): boolean =>
  servedTo === 'servers' || isSecret

/** The parts of a flag that follow from whether it is secret. */
export const secrecyParts = (isSecret: boolean): Pick<Flag, 'servedTo' | 'isSecret'> => ({
  isSecret,
  servedTo: isSecret ? 'servers' : 'everybody',
})

/** Whether servers do not get the flag. */
export const isForBrowsersOnly = ({ servedTo }: Pick<Flag, 'servedTo'>): boolean => servedTo === 'browsers'

/** The part of a flag that members edit, without what its record knows. */
export function editablePartOf({
  id: _id,
  projectId: _projectId,
  key: _key,
  hasExperiment: _hasExperiment,
  keptBySurvey: _keptBySurvey,
  version: _version,
  createdBy: _createdBy,
  createdAt: _createdAt,
  changedAt: _changedAt,
  archivedAt: _archivedAt,
  ...editable
}: EditableFlag & Partial<Flag>): EditableFlag {
  return editable
}

/** The environment that uses the project's own write key. */
export const mainEnvironment = 'production'

/** The setting of a flag that was never set up in an environment. */
export const emptySetting: FlagSetting = { isOn: false, conditions: [], holdout: undefined, payloads: {} }

/** Splits 100 % equally, to hundredths; the first ones take what does not divide. */
export function equalPercentages(count: number): number[] {
  const each = Math.floor(10_000 / count)
  const left = 10_000 - each * count
  return Array.from({ length: count }, (_, i) => (each + (i < left ? 1 : 0)) / 100)
}

/** A set of settings for the project's flags. SDKs select it by its own write key. */
export interface FlagEnvironment {
  projectId: number
  name: string
  writeKey: string
}
