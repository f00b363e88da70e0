import type { FlagKind } from '#flags/flag'

const flagKindDescriptions: Record<FlagKind, { label: string; about: string }> = {
  switch: { label: 'Boolean', about: 'On or off for each visitor.' },
  variants: { label: 'Multivariate', about: 'One of several variants, by weight.' },
  config: { label: 'Remote config', about: 'A JSON value that code reads; change it without a release.' },
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
