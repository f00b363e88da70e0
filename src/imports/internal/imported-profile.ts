import { z } from 'zod'
import type { ExportedGroup, ExportedPerson } from '#persons/profile'
import { propertiesInput } from './imported-event'

const mostIds = 10_000

const importedPerson = z.strictObject({
  kind: z.literal('person'),
  distinctIds: z.array(z.string().min(1).max(200)).min(1).max(mostIds),
  isIdentified: z.boolean(),
  createdAt: z.iso.datetime(),
  properties: propertiesInput,
})

const importedGroup = z.strictObject({
  kind: z.literal('group'),
  type: z.string().min(1).max(200),
  key: z.string().min(1).max(200),
  createdAt: z.iso.datetime(),
  properties: propertiesInput,
})

/** A person or a group of an export, without an event that says so. */
export const importedProfile = z.discriminatedUnion('kind', [importedPerson, importedGroup])
export type ImportedProfile = z.infer<typeof importedProfile>

export const profileOf = ({ createdAt, ...profile }: ImportedProfile): ExportedPerson | ExportedGroup => ({
  ...profile,
  createdAt: new Date(createdAt),
})
