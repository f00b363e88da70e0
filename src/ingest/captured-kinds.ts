/** The kinds of events that PostHog's browser SDK captures by itself, and its default. */
export const capturedKinds = {
  interactions: { isDefault: true, label: 'Clicks, form changes and submits' },
  'rage-clicks': { isDefault: true, label: 'Rage clicks' },
  'page-leaves': { isDefault: true, label: 'Page leaves' },
  'dead-clicks': { isDefault: false, label: 'Dead clicks' },
  exceptions: { isDefault: false, label: 'Uncaught exceptions' },
  'web-vitals': { isDefault: false, label: 'Web vitals' },
} as const
export type CapturedKind = keyof typeof capturedKinds

export const capturedKindNames = Object.keys(capturedKinds).filter(isCapturedKind)

function isCapturedKind(name: string): name is CapturedKind {
  return Object.hasOwn(capturedKinds, name)
}
