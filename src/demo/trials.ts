import type { Chance } from './chance'

/** The flags that the demo's product asks for; of one of them, something comes. */
export const trials = {
  /** Says what the product is for instead of what it can do: more people sign up. */
  'pricing-headline': { variants: ['control', 'outcome'], gains: { control: 1, outcome: 1.42 } },
  /** Makes no difference worth speaking of. */
  'new-onboarding': {
    variants: ['control', 'guided', 'video'],
    gains: { control: 1, guided: 1.05, video: 0.97 },
  },
} as const

export type Trial = keyof typeof trials

/** What one visitor gets, always the same. */
export type Variants = Readonly<Record<Trial, string>>

export const drawVariants = (chance: Chance): Variants => ({
  'pricing-headline': chance.pick(trials['pricing-headline'].variants),
  'new-onboarding': chance.pick(trials['new-onboarding'].variants),
})

/** How many times as many do what the trial is about. */
export function gainOf(trial: Trial, variants: Variants): number {
  const gains: Readonly<Record<string, number>> = trials[trial].gains
  return gains[variants[trial]] ?? 1
}
