import { z } from 'zod'

type ChangeOf<Shape extends z.ZodRawShape> = {
  [Key in keyof Shape]: z.ZodOptional<
    Shape[Key] extends z.ZodDefault<infer Required> | z.ZodPrefault<infer Required>
      ? Required
      : Shape[Key] extends z.ZodOptional<infer Present>
        ? z.ZodNullable<Present>
        : Shape[Key]
  >
}

/**
 * The schema of a change: an absent field stays as it is, without a default, and null removes an optional one.
 *
 * @example
 * changeOf(z.strictObject({ name: z.string(), note: z.string().optional() })).parse({ note: null }) // removes the note
 */
export function changeOf<Shape extends z.ZodRawShape>(entity: z.ZodObject<Shape>) {
  const fields = Object.entries(entity.shape).map(([name, field]) => [name, changeOfField(field).optional()])
  // the same keys, each with the schema that `ChangeOf` says
  return z.strictObject(Object.fromEntries(fields) as ChangeOf<Shape>, {
    error: ({ code }) => (code === 'invalid_type' ? 'Give the fields that change.' : undefined),
  })
}

type NewOf<Shape extends z.ZodRawShape> = {
  [Key in keyof Shape]: Shape[Key] extends z.ZodOptional
    ? z.ZodOptional<z.ZodType<z.output<Shape[Key]>>>
    : Shape[Key]
}

/** The schema of a new entity, in which null also says that an optional field is absent. */
export function newOf<Shape extends z.ZodRawShape>(entity: z.ZodObject<Shape>) {
  const fields = Object.entries(entity.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional
      ? z.nullish(field.unwrap()).transform((given) => given ?? undefined)
      : field,
  ])
  // the same keys, each with the schema that `NewOf` says
  return z.strictObject(Object.fromEntries(fields) as NewOf<Shape>)
}

function changeOfField(field: z.core.$ZodType): z.ZodType {
  if (field instanceof z.ZodDefault || field instanceof z.ZodPrefault) return field.unwrap() as z.ZodType
  if (field instanceof z.ZodOptional) return z.nullable(field.unwrap())
  return field as z.ZodType
}

/** Puts a change's fields in the place of an entity's; null removes an optional one. */
export function applyChange<Entity extends object>(
  entity: Entity,
  change: { [Key in keyof Entity]?: Entity[Key] | null | undefined },
): Entity {
  const entries = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? undefined])
  return { ...entity, ...Object.fromEntries(entries) }
}

/** The fields of an entity that a schema has. */
export function partOf<Shape extends z.ZodRawShape, Entity extends { [Key in keyof Shape]?: unknown }>(
  schema: z.ZodObject<Shape>,
  entity: Entity,
): Pick<Entity, keyof Shape & keyof Entity> {
  const fields = Object.keys(schema.shape).map((name) => [name, entity[name]])
  // the same values under the names of the schema
  return Object.fromEntries(fields) as Pick<Entity, keyof Shape & keyof Entity>
}
