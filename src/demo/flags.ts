import { bucketOf, isWithinShare, placeAmong, sharesOf, variantBucketOf } from '../flags/bucket'
import type { Variant } from '../flags/flag'

export interface DemoFlag {
  about: string
  owner: string
  tags: readonly string[]
  kind: 'switch' | 'variants' | 'config'
  variants?: readonly Variant[]
  /** Of all devices, so many get it. */
  percentage: number
  /** JSON as text, for whoever gets it. */
  payload?: string
}

const shared = (percentages: Readonly<Record<string, number>>): Variant[] =>
  Object.entries(percentages).map(([key, percentage]) => ({ key, name: '', percentage }))

/** The flags that the demo's product asks for, by device, so that nobody gets another page for signing up. */
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

/** From that day on no code asks for it any more, and nobody has archived it. */
export const forgottenOn = 42

/** What a device gets, always the same, and the same as would be decided. */
export function givenTo(deviceId: string, key: FlagKey): string | boolean {
  const { percentage, variants = [] }: DemoFlag = flags[key]
  if (!isWithinShare(bucketOf(key, deviceId), percentage)) return false
  return variants[placeAmong(sharesOf(variants), variantBucketOf(key, deviceId))]?.key ?? true
}

/** How many times as many do what the flag is about; of one of them something comes, of the other hardly anything. */
const gains: Partial<Record<FlagKey, Readonly<Record<string, number>>>> = {
  'pricing-headline': { outcome: 1.42 },
  'new-onboarding': { guided: 1.05, video: 0.97 },
}

export const gainOf = (key: FlagKey, { anonymousId }: { anonymousId: string }): number =>
  gains[key]?.[String(givenTo(anonymousId, key))] ?? 1
