import { hash } from 'node:crypto'
import type { Decision } from './decision'
import type { Explanation } from './explain'
import type { Flag } from './flag'
import { isSealed, type Seal } from './seal'

type Payloads = Flag['payloads']

/** A flag's values, and those of each environment. */
export interface SecretValues {
  payloads: Payloads
  environments: Readonly<Record<string, Payloads>>
}

/** The placeholder of a secret value. Its hash tells two values apart and reveals neither. */
const masked = (sealed: string): string =>
  JSON.stringify(`********* (encrypted, ${hash('sha256', sealed, 'hex').slice(0, 6)})`)
const isMasked = (text: string): boolean => /^"\*{9} \(encrypted(, [0-9a-f]{6})?\)"$/.test(text)

/** Returns the flag as viewers without the right to keys see it. */
export const withSecretsMasked = (flag: Flag): Flag =>
  flag.isSecret ? withValues(flag, (text) => (isSealed(text) ? masked(text) : text)) : flag

/** Returns an explanation without the values of secret configurations, its own or of flags that it asks for. */
export const withoutSecrets = ({ decision, dependencies, ...explanation }: Explanation): Explanation => ({
  ...explanation,
  decision: withoutSecret(decision),
  dependencies: Object.fromEntries(
    Object.entries(dependencies).map(([key, dependency]) => [key, withoutSecret(dependency)]),
  ),
})

const withoutSecret = ({ payload, ...decision }: Decision): Decision => ({
  ...decision,
  flag: withSecretsMasked(decision.flag),
  ...(payload !== undefined && !decision.flag.isSecret && { payload }),
})

/** Returns the flag as it is stored. A value that equals its mask is unchanged. */
export function withSecretsSealed(flag: Flag, before: Flag | undefined, seal: Seal): Flag {
  if (!flag.isSecret) return flag
  return withValues(flag, (text, name, environment) => {
    if (isSealed(text)) return text
    const known = before && valuesOf(before, environment)[name]
    return known !== undefined && isMasked(text) ? known : seal.close(text, aboutOf(flag))
  })
}

/** Whether a mask has no stored value behind it. */
export function hasUnknownMask(flag: Flag, before: Flag | undefined): boolean {
  if (!flag.isSecret) return false
  const places = [undefined, ...Object.keys(flag.environments)]
  return places.some((place) =>
    Object.entries(valuesOf(flag, place)).some(
      ([name, text]) =>
        isMasked(text) && (before === undefined || valuesOf(before, place)[name] === undefined),
    ),
  )
}

/** Returns the flag with its values as they were given; undefined if they were sealed with another key. */
export function withSecretsOpened(flag: Flag, seal: Seal): Flag | undefined {
  let isOpen = true
  const opened = withValues(flag, (text) => {
    const value = isSealed(text) ? seal.open(text, aboutOf(flag)) : text
    isOpen &&= value !== undefined
    return value ?? ''
  })
  return isOpen ? opened : undefined
}

/** Returns the values; undefined if they were sealed with another key. */
export function secretValues(flag: Flag, seal: Seal): SecretValues | undefined {
  const opened = withSecretsOpened(flag, seal)
  if (!opened) return undefined
  const settings = Object.entries(opened.environments)
  const environments = Object.fromEntries(settings.map(([name, { payloads }]) => [name, payloads]))
  return { payloads: opened.payloads, environments }
}

/** Returns one value as a decision contains it. */
export const secretValue = (flag: Flag, text: string, seal: Seal): string | undefined =>
  isSealed(text) ? seal.open(text, aboutOf(flag)) : text

const aboutOf = ({ projectId, key }: Flag): string => `${projectId} ${key}`

const valuesOf = (flag: Flag, environment: string | undefined): Payloads =>
  environment === undefined ? flag.payloads : (flag.environments[environment]?.payloads ?? {})

function withValues(
  flag: Flag,
  change: (text: string, name: string, environment: string | undefined) => string,
): Flag {
  const within = (payloads: Payloads, environment?: string): Payloads =>
    Object.fromEntries(
      Object.entries(payloads).map(([name, text]) => [name, change(text, name, environment)]),
    )
  const environments = Object.entries(flag.environments).map(([name, setting]) => [
    name,
    { ...setting, payloads: within(setting.payloads, name) },
  ])
  return { ...flag, payloads: within(flag.payloads), environments: Object.fromEntries(environments) }
}
