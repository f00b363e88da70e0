import type { ConditionSet, Flag, Setting } from '../flag'

/** How a flag stands in an environment; undefined where nobody has said so yet, so that it is off. */
export function settingIn({ environments }: Pick<Flag, 'environments'>, name: string): Setting | undefined {
  return Object.hasOwn(environments, name) ? environments[name] : undefined
}

const everybody: ConditionSet = { description: '', conditions: [], percentage: 100, isLast: false }

/** A configuration needs no conditions. */
export const setsOf = ({ kind }: Pick<Flag, 'kind'>, { conditions }: Setting): readonly ConditionSet[] =>
  kind === 'config' && conditions.length === 0 ? [everybody] : conditions

export const isOnIn = (flag: Pick<Flag, 'environments' | 'archivedAt'>, environment: string): boolean =>
  !flag.archivedAt && settingIn(flag, environment)?.isOn === true
