import { z } from 'zod'
import { applyChange, changeOf } from '#collection/change-of'
import { type Flag, emptySetting, type FlagSetting } from './flag'
import { byEnvironment, editableFlag, flagLimits, flagSchema, flagSetting } from './flag-schema'
import { objectionsTo } from './internal/objections'

/** The refusal of a new flag when the project has reached its limit. */
export const tooManyFlags = `A project has at most ${flagLimits.flags.toLocaleString('en')} flags. Archive what no code asks for any more.`

/** The parts of a new flag, with a message for each mistake. */
export const newFlag = z
  .strictObject({ key: flagSchema.shape.key, ...editableFlag.shape })
  .check(({ value, issues }) => {
    for (const { field = '', message } of objectionsTo(value))
      issues.push({ code: 'custom', message, path: field.split('.'), input: value })
  })
export type NewFlag = z.infer<typeof newFlag>

const settingChange = changeOf(flagSetting)

/** A change of a flag: absent fields and environments stay as they are. */
export const flagChange = changeOf(editableFlag).extend({
  environments: byEnvironment(settingChange).optional(),
  /** The version that the change is based on. The change is refused if a newer one exists. */
  version: z.number().int().optional(),
})
export type FlagChange = z.infer<typeof flagChange>

/** Applies a change to a flag. Callers check `objectionsTo` and `objectionsAmong` before they store the result. */
export function changedFlag(flag: Flag, { version: _, environments = {}, ...parts }: FlagChange): Flag {
  const settings = Object.entries(environments).map(([name, change]): [string, FlagSetting] => [
    name,
    applyChange(settingOf(flag, name), change),
  ])
  return {
    ...applyChange(flag, parts),
    environments: { ...flag.environments, ...Object.fromEntries(settings) },
  }
}

const settingOf = ({ environments }: Flag, name: string): FlagSetting =>
  (Object.hasOwn(environments, name) ? environments[name] : undefined) ?? emptySetting
