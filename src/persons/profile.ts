import type { Properties } from '#events/event'

/** A person of an export: ids that are one person, and their properties. */
export interface ExportedPerson {
  kind: 'person'
  distinctIds: readonly string[]
  isIdentified: boolean
  createdAt: Date
  properties: Properties
}

/** A group of an export. */
export interface ExportedGroup {
  kind: 'group'
  type: string
  key: string
  createdAt: Date
  properties: Properties
}

/** The import that brings profiles into a project. */
export interface ProfileOrigin {
  projectId: number
  importId: string
}
