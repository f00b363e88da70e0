import { z } from 'zod'
import { coinedName, markOf } from '#persons/naming/coined-name'

export const naming: readonly string[] = ['name', '$name', 'email', '$email', 'username']

/** Returns the display name, from the usual properties if one is set. */
export function nameOf(properties: Readonly<Record<string, string>>, otherwise: string): string {
  return naming.map((key) => properties[key]?.trim()).find(Boolean) ?? otherwise
}

/** A person as they are shown: by a name that is known of them, or by one that was coined for them. */
export const personLabel = z.strictObject({
  name: z
    .string()
    .meta({ description: 'Their name or e-mail address, or else a coined name such as Quiet Heron' }),
  email: z.string().optional().meta({ description: 'Absent if it is the name' }),
  isCoined: z.boolean(),
  /** The sign beside the name; it stays the same when a visitor is identified. */
  mark: z.strictObject({ shape: z.number().int(), colour: z.number().int() }),
})
export type PersonLabel = z.infer<typeof personLabel>

/** Labels a person by their properties, and by the id that their coined name is made of. */
export function labelOf(properties: Readonly<Record<string, string>>, nameId: string): PersonLabel {
  const known = nameOf(properties, '')
  const email = (properties.email ?? properties.$email)?.trim()
  return {
    name: known || coinedName(nameId),
    ...(email && email !== known && { email }),
    isCoined: known === '',
    mark: markOf(nameId),
  }
}
