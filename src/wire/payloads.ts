import type { Flag } from '../flags/flag'

/** What comes along with a value of a flag: the environment's own, or else the one for all of them. */
export function payloadOf(flag: Flag, environment: string, value: boolean | string): string | undefined {
  if (value === false) return undefined
  const name = String(value)
  return own(flag.environments[environment]?.payloads, name) ?? own(flag.payloads, name)
}

const own = (payloads: Readonly<Record<string, string>> | undefined, name: string): string | undefined =>
  payloads && Object.hasOwn(payloads, name) ? payloads[name] : undefined
