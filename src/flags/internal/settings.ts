import type { ConditionSet, Flag, FlagSetting } from '../flag'

/** A flag's setting in an environment; undefined if it was never set, which means off. */
export function settingIn(
  { environments }: Pick<Flag, 'environments'>,
  name: string,
): FlagSetting | undefined {
  return Object.hasOwn(environments, name) ? environments[name] : undefined
}

const everybodySet: ConditionSet = { description: '', conditions: [], percentage: 100, isLast: false }

/** The condition sets of a setting; a configuration has none. */
export const setsOf = ({ kind }: Pick<Flag, 'kind'>, { conditions }: FlagSetting): readonly ConditionSet[] =>
  kind === 'config' && conditions.length === 0 ? [everybodySet] : conditions

export const isOnIn = (flag: Pick<Flag, 'environments' | 'archivedAt'>, environment: string): boolean =>
  !flag.archivedAt && settingIn(flag, environment)?.isOn === true
