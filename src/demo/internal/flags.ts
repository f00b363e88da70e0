import { bucketOf, isWithinShare, placeAmong, sharesOf, variantBucketOf } from '#flags/bucket'
import type { Variant } from '#flags/flag'

export interface DemoFlag {
  about: string
  owner: string
  tags: readonly string[]
  kind: 'switch' | 'variants' | 'config'
  variants?: readonly Variant[]
  /** The share of devices that get it. */
  percentage: number
  /** The payload as JSON text. */
  payload?: string
}

const shared = (percentages: Readonly<Record<string, number>>): Variant[] =>
  Object.entries(percentages).map(([key, percentage]) => ({ key, name: '', percentage }))

/** The flags of the demo's product. They are decided by device, so that signing up does not change the variant. */
export const flags = {
  'pricing-headline': {
    about: 'Says what the product is for instead of what it can do.',
    owner: 'Growth',
    tags: ['website'],
    kind: 'variants',
    variants: shared({ control: 50, outcome: 50 }),
    percentage: 100,
  },
  'new-onboarding': {
    about: 'A guide or a film on the first board.',
    owner: 'Growth',
    tags: ['app'],
    kind: 'variants',
    variants: shared({ control: 34, guided: 33, video: 33 }),
    percentage: 100,
  },
  'sticky-menu': {
    about: 'The menu of the site stays in sight.',
    owner: 'Growth',
    tags: ['website'],
    kind: 'variants',
    variants: shared({ control: 50, sticky: 50 }),
    percentage: 100,
  },
  'card-shortcuts': {
    about: 'Cards move by keyboard. Let in slowly: it touches every board.',
    owner: 'Boards',
    tags: ['app', 'release'],
    kind: 'switch',
    percentage: 25,
  },
  'plan-limits': {
    about: 'How much each plan has. Change it here, not in the code.',
    owner: 'Billing',
    tags: ['app', 'plans'],
    kind: 'config',
    percentage: 100,
    payload: JSON.stringify({ free: { boards: 3, guests: 1 }, team: { boards: 100, guests: 25 } }),
  },
  'legacy-editor': {
    about: 'The way back to the old editor, for the first weeks.',
    owner: 'Boards',
    tags: ['app'],
    kind: 'switch',
    percentage: 50,
  },
} as const satisfies Record<string, DemoFlag>

export type FlagKey = keyof typeof flags

/** The day from which no code evaluates the flag, which was not archived. */
export const forgottenOn = 42

/** Returns the flag's value for a device, as Tilth would decide it. */
export function givenTo(deviceId: string, key: FlagKey): string | boolean {
  const { percentage, variants = [] }: DemoFlag = flags[key]
  if (!isWithinShare(bucketOf(key, deviceId), percentage)) return false
  return variants[placeAmong(sharesOf(variants), variantBucketOf(key, deviceId))]?.key ?? true
}

const brokenBrowser = /iPhone.* Version\/.*Safari\//

/** Whether the exposure is lost: in Safari on phones a script of the variant fails for most, before it is reported. */
export const isExposureLost = (key: FlagKey, deviceId: string, agent: string): boolean =>
  key === 'sticky-menu' &&
  givenTo(deviceId, key) === 'sticky' &&
  brokenBrowser.test(agent) &&
  isWithinShare(bucketOf('lost exposure', deviceId), 90)

/** The factors on the goal of each experiment: one has a clear effect, the other hardly any. */
const gains: Partial<Record<FlagKey, Readonly<Record<string, number>>>> = {
  'pricing-headline': { outcome: 1.42 },
  'new-onboarding': { guided: 1.05, video: 0.97 },
}

export const gainOf = (key: FlagKey, { anonymousId }: { anonymousId: string }): number =>
  gains[key]?.[String(givenTo(anonymousId, key))] ?? 1
