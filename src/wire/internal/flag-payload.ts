import type { Flag } from '#flags/flag'

/** Returns the payload of a flag's value: the environment's own, or else the common one. */
export function flagPayload(flag: Flag, environment: string, value: boolean | string): string | undefined {
  if (value === false) return undefined
  const name = String(value)
  return ownValue(flag.environments[environment]?.payloads, name) ?? ownValue(flag.payloads, name)
}

const ownValue = (payloads: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  payloads && Object.hasOwn(payloads, name) ? payloads[name] : undefined
