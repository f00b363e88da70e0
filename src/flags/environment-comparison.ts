import { settingDifferences } from './differences'
import { setsOf, settingIn } from './internal/settings'
import { emptySetting, type Flag } from './flag'
import { type ConditionLabels, percentText, setInWords } from './words'

/** A flag's settings in two environments. */
export interface ComparedFlag {
  key: string
  description: string
  version: number
  left: ComparedSetting
  right: ComparedSetting
  isDifferent: boolean
}

interface ComparedSetting {
  isOn: boolean
  /** Sentences about the change of this setting if the other one were copied over it. */
  changes: string[]
  /** The rules in the order of evaluation, in words; none if the flag was never set up there. */
  rules: string[]
}

/** Compares the flags that are not archived, by key. */
export const compareEnvironments = (
  flags: readonly Flag[],
  left: string,
  right: string,
  names: ConditionLabels,
): ComparedFlag[] =>
  flags
    .filter(({ archivedAt }) => !archivedAt)
    .map((flag) => {
      const changesIn = (environment: string, copied: string) =>
        settingDifferences(
          settingIn(flag, environment) ?? emptySetting,
          settingIn(flag, copied) ?? emptySetting,
          names,
        )
      const [toLeft, toRight] = [changesIn(left, right), changesIn(right, left)]
      return {
        key: flag.key,
        description: flag.description,
        version: flag.version,
        left: { ...settingInWords(flag, left, names), changes: toLeft },
        right: { ...settingInWords(flag, right, names), changes: toRight },
        isDifferent: toRight.length > 0,
      }
    })

function settingInWords(
  flag: Flag,
  environment: string,
  names: ConditionLabels,
): Omit<ComparedSetting, 'changes'> {
  const setting = settingIn(flag, environment)
  if (!setting) return { isOn: false, rules: [] }
  const { isOn, holdout, layer, payloads } = setting
  return {
    isOn,
    rules: [
      ...(holdout ? [`${percentText(holdout.percentage)} are held out.`] : []),
      ...(layer ? [`${layer.from} to ${percentText(layer.until)} of layer ${layer.id}.`] : []),
      ...setsOf(flag, setting).map((set) => setInWords(set, names)),
      ...Object.entries(payloads).map(([key, value]) => `Value of ${key === 'true' ? 'on' : key}: ${value}`),
    ],
  }
}
