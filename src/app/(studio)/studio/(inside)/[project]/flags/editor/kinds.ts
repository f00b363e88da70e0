import type { FlagKind } from '#flags/flag'

export const flagKindDescriptions: Record<FlagKind, { label: string; about: string }> = {
  switch: { label: 'On or off', about: 'A feature that some see and others do not see yet.' },
  variants: { label: 'Variants', about: 'One of several, shared out by percentages: texts, prices, orders.' },
  config: { label: 'Configuration', about: 'A value that code reads, so that it changes without a release.' },
}

/** In the order in which they are offered. */
const kinds: readonly FlagKind[] = ['switch', 'variants', 'config']

export const kindOptions = kinds.map((value) => ({ value, label: flagKindDescriptions[value].label }))
export const kindChoices = kinds.map((value) => ({
  value,
  label: flagKindDescriptions[value].label,
  hint: flagKindDescriptions[value].about,
}))

export const kindIn = (value: unknown): FlagKind | undefined => kinds.find((kind) => kind === value)
