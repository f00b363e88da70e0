import type { z } from 'zod'
import type { Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Product } from '#server/product'

export type Fields = Readonly<Record<string, unknown>>

/** A definition as the project has it, with the fields that the file names. */
export interface StoredDefinition {
  id: string | number
  /** The name or the key, by which the file and other definitions refer to it. */
  key: string
  fields: Fields
  /** Recipients that a file does not name, by their field; a change leaves them. */
  others?: Readonly<Record<string, readonly unknown[]>>
}

export interface SectionContext {
  product: Product
  projectId: number
  viewer: Viewer
}

/** Definitions of one kind: how they are listed, checked and written. */
export interface Section {
  noun: string
  list: (context: SectionContext) => Promise<readonly StoredDefinition[]>
  /** The fields that the file may name. */
  fields: readonly string[]
  /** The input of a new entry, its name or key included. */
  schema: z.ZodType
  /** The fields that the key stands for. */
  named: (key: string) => Fields
  /** Brings fields that were checked into the form in which they are stored. */
  normal?: (fields: Fields) => Outcome<{ fields: Fields }>
  /** Paths of objects that a change completes: what is absent in one is removed by null. `*` is any name. */
  completed?: readonly string[]
  create: (context: SectionContext, input: Fields) => Promise<Outcome>
  change: (context: SectionContext, stored: StoredDefinition, change: Fields) => Promise<Outcome>
  /** Whether its only entry is the section itself, as with settings. */
  isSingle?: true
  /** Removes or archives; absent where a definition always stays. */
  remove?: (context: SectionContext, stored: StoredDefinition) => Promise<Outcome>
}

interface Collected {
  list: (projectId: number, viewer: Viewer) => Promise<readonly object[]>
  create: (projectId: number, input: unknown, viewer: Viewer) => Promise<Outcome>
  change: (projectId: number, id: string, input: unknown, viewer: Viewer) => Promise<Outcome>
}

/** The key of the one entry of a section that is single. */
export const singleKey = 'project'

/** The fields of an entry, as JSON has them: dates are texts, and what is absent is left out. */
export function fieldsOf(entry: object, names: readonly string[]): Fields {
  const known = new Map(Object.entries(entry))
  const picked = names.flatMap((name) => (known.get(name) === undefined ? [] : [[name, known.get(name)]]))
  // the content of definitions is JSON by their schemas
  return JSON.parse(JSON.stringify(Object.fromEntries(picked))) as Fields
}

const textOf = (entry: object, name: string): string => String(new Map(Object.entries(entry)).get(name) ?? '')

/** A section of entries with a name, which the product lists, creates and changes. */
export function named(
  noun: string,
  part: (product: Product) => Collected,
  {
    schema,
    fields,
    isKept = () => true,
    remove,
    ...more
  }: Pick<Section, 'schema' | 'normal' | 'completed'> & {
    fields: readonly string[]
    isKept?: (entry: object) => boolean
    remove: (product: Product, ...of: [number, string, Viewer]) => Promise<Outcome>
  },
): Section {
  return {
    noun,
    schema,
    fields,
    ...more,
    named: (name) => ({ name }),
    list: async ({ product, projectId, viewer }) => {
      const all = await part(product).list(projectId, viewer)
      return all
        .filter((entry) => isKept(entry) && new Map(Object.entries(entry)).get('archivedAt') === undefined)
        .map((entry) => ({
          id: idOf(entry),
          key: textOf(entry, 'name'),
          ...withRecipients(fieldsOf(entry, fields)),
        }))
    },
    create: ({ product, projectId, viewer }, input) => part(product).create(projectId, input, viewer),
    change: ({ product, projectId, viewer }, { id }, change) =>
      part(product).change(projectId, String(id), change, viewer),
    remove: ({ product, projectId, viewer }, { id }) => remove(product, projectId, String(id), viewer),
  }
}

function idOf(entry: object): string | number {
  const id: unknown = new Map(Object.entries(entry)).get('id')
  return typeof id === 'number' ? id : String(id)
}

/** Members are of one installation, and the address of a webhook is a secret: only addresses of mail are in a file. */
function withRecipients(fields: Fields): Pick<StoredDefinition, 'fields' | 'others'> {
  const lists = ['recipients', 'notify'].flatMap((name): [string, readonly unknown[]][] => {
    const list: unknown = fields[name]
    return Array.isArray(list) ? [[name, list]] : []
  })
  const isMail = (one: unknown): boolean => textOf(Object(one), 'by') === 'mail'
  const mail = lists.map(([name, list]) => [name, list.filter(isMail)])
  // a change takes webhooks without their secret, which stays
  const others = lists.map(([name, list]): [string, readonly unknown[]] => [
    name,
    list.filter((one) => !isMail(one)).map((one) => fieldsOf(Object(one), ['by', 'member', 'url'])),
  ])
  return {
    fields: { ...fields, ...Object.fromEntries(mail) },
    ...(lists.length > 0 && { others: Object.fromEntries(others) }),
  }
}

export const shapeOf = (schema: z.ZodObject, ...without: readonly string[]): string[] =>
  Object.keys(schema.shape).filter((name) => !without.includes(name))
