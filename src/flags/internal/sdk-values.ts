import type { Json } from '#events/event'
import type { PropertyCondition } from '#filters/filter'
import type { OperatorName } from '#filters/vocabulary'
import { dateForSdks, textForSdks, versionForSdks } from './sdk-parsing'

/**
 * Compares values as posthog-node does. Filters in insights compare text from the engine and differ in edge cases;
 * flags follow the SDK, so that local evaluation on a server and a request to Tilth give the same decision.
 * posthog-node 5.70, @posthog/core featureFlagLocalEvaluation.ts
 */
export function asSdksCompare(condition: PropertyCondition, value: Json): Json {
  const read = sdkConversions[condition.operator]
  return read ? read(value, condition) : value
}

type SdkConversion = (value: Json, condition: PropertyCondition) => Json

/** To posthog-node, null is present. */
const present: SdkConversion = (value) => value ?? true

/** Compares without case only within ASCII if the expected value is ASCII. */
const whole: SdkConversion = (value, { value: wanted }) =>
  isBeyondAscii(value) && isAscii(wanted) ? replaced(value.toLowerCase()) : value

const partly: SdkConversion = (value, { value: wanted }) => {
  const text = joined(value)
  return isBeyondAscii(text) && isAscii(wanted) ? replaced(text) : text
}

/** Formats lists as texts with commas; filters would see JSON. */
const joined = (value: Json): Json =>
  typeof value === 'object' && value !== null ? textForSdks(value) : value

/**
 * Compares with a number as numbers whatever a text begins with: "100" is more than 30. The order of texts that are no
 * numbers ignores what NUL becomes in the engine.
 */
const ordered: SdkConversion = (value, { value: wanted }) => {
  if (typeof wanted !== 'number' || typeof value === 'number' || value === null) return value
  const text = textForSdks(value)
  const number = Number.parseFloat(text)
  return Number.isFinite(number) ? number : text.replaceAll('\0', '\u0001')
}

const date: SdkConversion = (value) => dateForSdks(value) ?? value
const version: SdkConversion = (value) => versionForSdks(value) ?? value

/** An empty value (null) never fulfils a condition on versions, not even a negated one. */
const otherVersion: SdkConversion = (value, { value: wanted = null }) =>
  value === null ? wanted : (versionForSdks(value) ?? value)

const sdkConversions: Partial<Record<OperatorName, SdkConversion>> = {
  exact: whole,
  is_not: whole,
  icontains: partly,
  not_icontains: partly,
  starts_with: partly,
  not_starts_with: partly,
  ends_with: partly,
  not_ends_with: partly,
  regex: joined,
  not_regex: joined,
  gt: ordered,
  gte: ordered,
  lt: ordered,
  lte: ordered,
  is_date_before: date,
  is_date_after: date,
  semver_eq: version,
  semver_neq: otherVersion,
  semver_gt: version,
  semver_gte: version,
  semver_lt: version,
  semver_lte: version,
  semver_tilde: version,
  semver_caret: version,
  semver_wildcard: version,
  is_set: present,
  is_not_set: present,
}

const beyondAscii = /[^\0-\x7f]/
const allBeyondAscii = /[^\0-\x7f]/g

const isBeyondAscii = (value: Json): value is string => typeof value === 'string' && beyondAscii.test(value)

/** Whether all values that a condition compares with are ASCII. */
export const isAscii = (wanted: Json | undefined): boolean =>
  Array.isArray(wanted) ? wanted.every(isAscii) : typeof wanted !== 'string' || !beyondAscii.test(wanted)

/** Replaces other characters by one that never equals the expected value. */
const replaced = (text: string): string => text.replaceAll(allBeyondAscii, '\ufffd')
