import type { Right } from '#projects/access'

/** The kinds that search finds, in the order of a list of results, and the right that each takes. */
export const searchKinds = {
  dashboard: { right: 'events:read' },
  insight: { right: 'events:read' },
  flag: { right: 'project:read' },
  experiment: { right: 'experiments:read' },
  survey: { right: 'surveys:read' },
  post: { right: 'project:read' },
  goal: { right: 'events:read' },
  segment: { right: 'events:read' },
  person: { right: 'events:read' },
  cohort: { right: 'events:read' },
  event: { right: 'events:read' },
  property: { right: 'events:read' },
  country: { right: 'events:read' },
} as const satisfies Record<string, { right: Right }>

export type SearchKind = keyof typeof searchKinds

export const isSearchKind = (kind: string): kind is SearchKind => Object.hasOwn(searchKinds, kind)

/** A thing of a project, as search lists it. */
export interface SearchResult {
  kind: SearchKind
  /** The id; the key of a flag, the name of an event or a property, the code of a country. */
  id: string
  name: string
  /** A text that tells it from others of the same name, such as an e-mail address or a state. */
  detail?: string | undefined
  /** The kind of a property. */
  property?: { type: 'event' | 'person' | 'group' | 'session'; group?: string | undefined } | undefined
}

export interface SearchAnswer {
  results: SearchResult[]
  /** Kinds that could not be searched, because the engine did not answer. */
  unavailable: SearchKind[]
}
